"""Names of credentials: what holds a secret, and what only speaks about one."""

import re

from facts.guard.reading import daring_readings, readings
from facts.guard.words import anywhere, beside, last, phrases, whole

FLAGS_ONLY = "flags-only"  # nothing to withhold: flags and dates stay
_NUMBERS = ("integer", "number")
_INFLECTION = 2  # letters after a stem that are no word of their own: passwords, salasanat

_WORDS = phrases("credential", "words")
_CONNECTIVES = phrases("credential", "connectives")
_METADATA = phrases("credential", "metadata")


def _named(words: frozenset[str]) -> re.Pattern[str]:
    kinds = [
        (phrases("credential", f"{kind}s"), phrases("credential", f"{kind}_qualifiers"))
        for kind in ("key", "code")
    ]
    return re.compile(
        "|".join(
            (
                anywhere(phrases("credential", "stems")),
                whole(words),
                *(beside(kind, qualifiers, _CONNECTIVES) for kind, qualifiers in kinds),
            )
        )
    )


_NAMED = _named(_WORDS)
_NAMED_AS_NUMBER = _named(_WORDS - phrases("credential", "innocent_as_numbers"))
_MENTIONED = re.compile(whole(phrases("credential", "mentions")))
_INNOCENT = re.compile(
    f"{whole(phrases('credential', 'innocent'))}"
    f"|{anywhere(phrases('credential', 'innocent_stems'))}"
)
_HOLDER = re.compile(whole(phrases("credential", "holders")))
_METADATA_LAST = re.compile(last(_METADATA))
_METADATA_FIRST = re.compile(rf"{whole(_METADATA)} {whole(_CONNECTIVES)}")
_MENTION_FIRST = re.compile(whole(phrases("credential", "mention_first")))
_MENTION_LAST = re.compile(whole(phrases("credential", "mention_last")))


def credential_verdict(label: str, name: str, type: str) -> str | None:
    """``credential`` for what is named as one, ``flags-only`` for what mentions one, else None.

    The label counts where the property says nothing of its own: Password.value, Token.key.
    """
    verdicts = {_verdict(reading, type) for reading in daring_readings(name)}
    if any(_HOLDER.fullmatch(reading) for reading in readings(name)):
        verdicts |= {_verdict(reading, type) for reading in daring_readings(label)}
    return next((verdict for verdict in ("credential", FLAGS_ONLY) if verdict in verdicts), None)


def only_speaks_about(reading: str, found: re.Match[str]) -> bool:
    """Whether a name only says something of what was found in it: email_type, has_address."""
    before, after = reading[: found.start()].strip(), reading[found.end() :].strip()
    return _describes(before, after) or _mentions(before, after)


def _verdict(reading: str, type: str) -> str | None:
    reading = _INNOCENT.sub(" ", reading)
    named = list((_NAMED_AS_NUMBER if type in _NUMBERS else _NAMED).finditer(reading))
    found = named or list(_MENTIONED.finditer(reading))
    if not found:
        return None
    before, after = reading[: found[0].start()].strip(), reading[found[-1].end() :]
    ending, _, rest = after.partition(" ")
    after = (rest if len(ending) <= _INFLECTION else after).strip()
    if _describes(before, after):
        return None
    return FLAGS_ONLY if _mentions(before, after) or not named else "credential"


def _describes(before: str, after: str) -> bool:
    """Whether it is something of the thing that stands between the two: token_type."""
    if after:
        return bool(_METADATA_LAST.search(after))
    return bool(_METADATA_FIRST.match(before))


def _mentions(before: str, after: str) -> bool:
    """Whether it says only if or when there is the thing between the two: has_password."""
    return bool(_MENTION_FIRST.match(before) or _MENTION_LAST.search(after))
