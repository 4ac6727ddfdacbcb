"""What one value says about itself, and whether enough people and records share it."""

import re
from typing import Any

from facts.guard.folding import fold, plain
from facts.guard.names import Rule, rule_of
from facts.guard.numbers import number_reason
from facts.guard.texts import text_reason
from facts.guard.words import folded

SHARED_BY = 3  # records, and owners where they are counted; fewer are about somebody
LONGEST = 100  # characters; what is longer is no word of a vocabulary
MOST_WORDS = 12  # of a value; what has as many is prose
SENTENCE = 6  # words from which on a full stop makes a sentence
MOST_CJK = 30  # characters of a value in scripts without blanks
LONG_NUMBER = 11  # digits from which on a bare figure may be a card or somebody's number

_FLAGS = folded("flags", "words")
_EPOCH = re.compile(r"\d{10}|\d{13}")  # seconds or milliseconds since 1970
_DATE = r"-?\d{4,6}-\d\d-\d\d"
_TIME = r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:\s?Z|\s?[+-]\d\d(?::?\d\d)?)?"
_DATED = re.compile(rf"{_DATE}(?:[T ]{_TIME})?(?: BC)?")
_SHAPES = {  # of the types that say how a value looks; SQLite keeps dates in columns of timestamps
    "boolean": re.compile("|".join(map(re.escape, _FLAGS)), re.IGNORECASE),
    "integer": re.compile(r"[+-]?\d+"),
    "number": re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?|[+-]?\.\d+"),
    "date": _DATED,
    "time": re.compile(_TIME),
    "timestamp": _DATED,
    "uuid": re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}"),
}

_BREAK = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCE_END = re.compile(r"(?:\b[^\W\dA-Z_]{3,}[.!?]|[!?。！？])(?:\s|$)")


def _any_of(group: str, name: str) -> str:
    return "|".join(map(re.escape, sorted(folded(group, name))))


_STREET = re.compile(
    rf"\d{{1,5}}[a-z]?,?\s+(?:\S+\s+){{1,4}}(?:{_any_of('street', 'after')})(?!\w)"
    rf"|(?<!\w)(?:{_any_of('street', 'before')})\s+(?:\S+\s+){{1,4}}?\d{{1,5}}[a-z]?(?!\w)"
    rf"|\w{{2,}}\s?(?:{_any_of('street', 'suffixes')})\s*\d{{1,5}}\s?[a-z]?(?!\w)"
)
# A text with a street has one of these in it.
_STREET_WORDS = [
    word.strip() for kind in ("after", "before", "suffixes") for word in folded("street", kind)
]
_HONORED = re.compile(rf"(?:{_any_of('honorific', 'words')})\.?\s+[^\W\d_]\S+.*")


def value_reason(
    value: Any, *, of: str, type: str, records: int, owners: int | None = None
) -> str | None:
    """Why this value of ``of`` (``Label|property``, encoded as in a ref) may not be kept, or None.

    ``records`` hold it in the source; ``owners`` are the distinct people behind them, None where
    the label reaches nobody. The codes beside those of ``property_rule``: ``context`` (what the
    guard has to know is missing), ``shared`` and ``owners`` (too few), ``blank``, ``long``,
    ``free-text``, ``person`` and those of ``text_reason``.
    """
    names = names_of(of)
    if names is None:
        return "context"
    rule = rule_of(*names, type, owned=owners is not None)
    return rule.withheld or reason_by_rule(value, rule, records=records, owners=owners)


def names_of(of: Any) -> tuple[str, str] | None:
    """The label and the property that ``of`` names, or None where it names no two."""
    if not isinstance(of, str):
        return None
    parts = of.split("|")
    if len(parts) != 2 or not all(parts):
        return None
    label, name = (
        part.replace("%7C", "|").replace("%3A", ":").replace("%25", "%") for part in parts
    )
    return label, name


def reason_by_rule(value: Any, rule: Rule, *, records: Any, owners: Any) -> str | None:
    """``value_reason`` for one of a property's values, by the rule that holds for all of them."""
    if not _are_counts(records, owners):
        return "context"
    if records < SHARED_BY:
        return "shared"
    if owners is not None and owners < SHARED_BY:
        return "owners"
    if isinstance(value, list) and rule.type == "array" and len(value) <= MOST_WORDS:
        return next(filter(None, (_scalar_reason(element, rule) for element in value)), None)
    return _scalar_reason(value, rule)


def _are_counts(records: Any, owners: Any) -> bool:
    """Whether they can be counts: whole numbers, no more owners than records."""
    if not isinstance(records, int) or isinstance(records, bool):
        return False
    if owners is None:
        return True
    return isinstance(owners, int) and not isinstance(owners, bool) and owners <= records


def _scalar_reason(value: Any, rule: Rule) -> str | None:
    if isinstance(value, bool):
        return None
    if not isinstance(value, (str, int, float)):
        return "blank" if value is None else "type"
    if isinstance(value, int) and value.bit_length() > LONGEST:
        return "long"  # before it is printed: past 4,300 digits Python refuses
    text = str(value)
    bare = plain(text).strip() if len(text) <= LONGEST else ""
    if not bare:
        return "long" if len(text) > LONGEST else "blank"
    if rule.flags_only and not _is_flag_or_date(bare):
        return "credential"
    return _reason_by_type(bare, rule.type) if rule.type in _SHAPES else _text_reason(text, rule)


def _is_flag_or_date(bare: str) -> bool:
    return bool(fold(bare) in _FLAGS or _EPOCH.fullmatch(bare) or _DATED.fullmatch(bare))


def _reason_by_type(bare: str, type: str) -> str | None:
    """By type rather than look: what fits no date is none, and what fits needs no other rule."""
    if not _SHAPES[type].fullmatch(bare):
        return "type"
    is_long = type in ("integer", "number") and len(bare) >= LONG_NUMBER
    return number_reason(bare) if is_long else None


def _text_reason(text: str, rule: Rule) -> str | None:
    if reason := text_reason(text):
        return reason
    if _is_prose(text):
        return "free-text"
    return "person" if not rule.owned and _points_at_person(text) else None


def _is_prose(text: str) -> bool:
    """Whether it is what people write in sentences, or marked up."""
    if _BREAK.search(text) or _MARKUP.search(text):
        return True
    if not text.isascii() and len(_CJK.findall(text)) >= MOST_CJK:
        return True
    words = len(text.split())
    return words >= MOST_WORDS or (words >= SENTENCE and bool(_SENTENCE_END.search(text)))


def _points_at_person(text: str) -> bool:
    """Whether it is a street with its number, or somebody addressed as Mr or Mrs."""
    folded_text = fold(text).strip()
    has_street = any(word in folded_text for word in _STREET_WORDS)
    return bool((has_street and _STREET.search(folded_text)) or _HONORED.fullmatch(folded_text))
