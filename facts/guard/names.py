"""What a property's name and type say before any value is looked at."""

import re
from dataclasses import dataclass
from functools import lru_cache

from facts.guard.credential_names import FLAGS_ONLY, credential_verdict, only_speaks_about
from facts.guard.person_names import is_about_person, is_person_like
from facts.guard.reading import NAMES_KEPT, readings
from facts.guard.texts import text_reason
from facts.guard.words import anywhere, last, phrases, whole

TYPES = frozenset(
    {
        *("text", "enum", "boolean", "integer", "number", "date", "time", "timestamp", "uuid"),
        *("json", "binary", "array", "other"),
    }
)
_UNREADABLE = ("json", "binary")  # documents and bytes are no vocabulary
_FLAGS_AND_DATES = ("boolean", "date", "time", "timestamp")
_WRITTEN = ("text", "enum", "array", "other")

_ACCOUNT = re.compile(
    f"{anywhere(phrases('account', 'stems'))}|{whole(phrases('account', 'words'))}"
)
_NO_ACCOUNT = re.compile(whole(phrases("account", "innocent")))
_FREE_TEXT = re.compile(last(phrases("free_text", "heads")))


@dataclass(frozen=True, slots=True)
class Rule:
    """What holds for all values of a property."""

    type: str
    owned: bool  # whether its values are counted by the people they belong to
    withheld: str | None  # why none may be kept
    flags_only: bool  # whether only flags and dates may


def property_rule(label: str, name: str, type: str, *, owned: bool = False) -> str | None:
    """Why no value of this property may be looked at, as a code, or None where some may.

    The codes: ``credential``, ``account``, ``person``, ``free-text``, ``type`` (no vocabulary by
    its type) and what ``text_reason`` says of the names themselves.

    ``name`` is asked twice where a mapping renamed a column: once as the column's own, once as
    the property's. ``owned`` says that values are counted by the people they belong to, because
    the label is person-like or reaches a person-like one.
    """
    return rule_of(label, name, type, owned=owned).withheld


@lru_cache(maxsize=NAMES_KEPT)
def rule_of(label: str, name: str, type: str, *, owned: bool) -> Rule:
    """The rule for ``label``'s property ``name``; a person-like label owns what it has."""
    owned = owned or is_person_like(label, ())
    secrecy = None if type in _FLAGS_AND_DATES else credential_verdict(label, name, type)
    withheld = (
        text_reason(name)
        or text_reason(label)
        or ("type" if type in _UNREADABLE or type not in TYPES else None)
        or (secrecy if secrecy != FLAGS_ONLY else None)
        or ("account" if type not in _FLAGS_AND_DATES and _is_account(name) else None)
        or ("person" if is_about_person(label, name, type, owned=owned) else None)
        or ("free-text" if type in _WRITTEN and _is_free_text(name) else None)
    )
    return Rule(type, owned, withheld, flags_only=secrecy == FLAGS_ONLY)


def _is_account(name: str) -> bool:
    for reading in (_NO_ACCOUNT.sub(" ", way) for way in readings(name)):
        found = _ACCOUNT.search(reading)
        if found and not only_speaks_about(reading, found):
            return True
    return False


def _is_free_text(name: str) -> bool:
    return any(_FREE_TEXT.search(reading) for reading in readings(name))
