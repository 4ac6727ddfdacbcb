"""Constants of questions and of queries, and where they lie among a property's values. Pure.

Both are read to the same Constant, and placed by the same rule, so that a question and a query
that spell one value differently meet. What compares otherwise than it looks is refused: a date
with a time for a column of dates (cut to the day), a zone (ignored by one kind of column and not
by the other), a text for a column of floats.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 a time without a zone, as columns hold it
_DAY = 86_400_000_000  # microseconds
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_TIME = re.compile(_DATE.pattern + r"[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_RELATIVE = re.compile(r"([+-]?\d{1,6})(s|min|h|d|w|mo|y)")
_EXACT_AS_TEXT = 1 << 24  # below this every kind of number reads a whole number alike
_DIGITS = 15  # that every double keeps apart
_EXPONENT = 40  # beyond, a number is written out to no end

# An interval's unit: which scale it is on, and how many of that scale's steps it is. A month is
# no number of days, and a day no number of seconds (clocks change).
UNITS = {
    "s": ("seconds", 1),
    "second": ("seconds", 1),
    "min": ("seconds", 60),
    "minute": ("seconds", 60),
    "h": ("seconds", 3600),
    "hour": ("seconds", 3600),
    "d": ("days", 1),
    "day": ("days", 1),
    "w": ("days", 7),
    "week": ("days", 7),
    "mo": ("months", 1),
    "month": ("months", 1),
    "y": ("months", 12),
    "year": ("months", 12),
}

ABSOLUTE = ""  # the axis of values that stay where they are

Point = int | Decimal | str


class Unplaced(Exception):
    """The constant has no place among the property's values that can be proven."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A value as written; ``kind`` is number, text, boolean, null, date, timestamp or relative.

    A date is in days, a timestamp in microseconds since 1970, both without a zone. A relative one
    is (``now`` or ``today``, scale, steps).
    """

    kind: str
    value: Any = None


NULL = Constant("null")


def constant_of(value: Any) -> Constant:
    """The constant that a question's JSON value says. Raises Unplaced."""
    if isinstance(value, bool):
        return Constant("boolean", value)
    if isinstance(value, int | float):
        return Constant("number", Decimal(repr(value)))
    if isinstance(value, str):
        return Constant("text", value)
    if isinstance(value, Mapping):
        found = _RELATIVE.fullmatch(value["rel"])
        if value["rel"] == "now":
            return relative(value.get("from", "now"), "d", 0)
        if found:
            return relative(value.get("from", "now"), found[2], int(found[1]))
    raise Unplaced


def relative(start: str, unit: str, steps: int) -> Constant:
    """So many units after now or today. Nothing after it is the same on every scale."""
    scale, size = UNITS[unit]
    return Constant("relative", (start, scale if steps else "none", steps * size))


def dated(text: str) -> Constant:
    """A text cast to a date. Raises Unplaced."""
    return Constant("date", _days(text))


def timed(text: str) -> Constant:
    """A text cast to a timestamp without a zone. Raises Unplaced."""
    return Constant("timestamp", _microseconds(text))


def place(type_: str, constant: Constant) -> tuple[str, Point]:
    """The axis and the point on it, for a property of ``type_``. Raises Unplaced."""
    return _PLACES.get(type_, _other)(constant)


def apart(type_: str, one: Point, other: Point) -> bool:
    """Whether two different points surely are two values in the database too.

    A column's collation may ignore case or trailing spaces.
    """
    if type_ == "text":
        return _blurred(one) != _blurred(other)
    return type_ != "other"


def _blurred(point: Point) -> str:
    """A text as the most forgiving collation sees it: without case, accents and spacing."""
    letters = unicodedata.normalize("NFKD", str(point).casefold())
    return "".join(one for one in letters if not unicodedata.combining(one) and not one.isspace())


def _integer(constant: Constant) -> tuple[str, Point]:
    if constant.kind == "number":
        if not -_EXPONENT < constant.value.adjusted() < _EXPONENT:
            raise Unplaced
        return ABSOLUTE, constant.value
    if constant.kind == "text" and _WHOLE.fullmatch(constant.value):
        return ABSOLUTE, Decimal(constant.value)
    raise Unplaced


def _number(constant: Constant) -> tuple[str, Point]:
    if constant.kind == "number":
        if len(constant.value.normalize().as_tuple().digits) > _DIGITS:
            raise Unplaced
        return _integer(constant)
    axis, point = _integer(constant)
    if abs(Decimal(point)) >= _EXACT_AS_TEXT:
        raise Unplaced
    return axis, point


def _loose_number(constant: Constant) -> tuple[str, Point]:
    """Where types are advice: a boolean is 0 or 1, and a text is no number."""
    if constant.kind == "boolean":
        return ABSOLUTE, Decimal(int(constant.value))
    if constant.kind == "number":
        return _number(constant)
    raise Unplaced


def _boolean(constant: Constant) -> tuple[str, Point]:
    if constant.kind == "boolean":
        return ABSOLUTE, int(constant.value)
    if constant.kind == "text" and constant.value in ("true", "false"):
        return ABSOLUTE, int(constant.value == "true")
    raise Unplaced


def _text(constant: Constant) -> tuple[str, Point]:
    if constant.kind != "text" or constant.value.endswith(" "):
        raise Unplaced
    return ABSOLUTE, constant.value


def _uuid(constant: Constant) -> tuple[str, Point]:
    if constant.kind != "text" or not _UUID.fullmatch(constant.value):
        raise Unplaced
    return ABSOLUTE, str(UUID(constant.value))


def _timestamp(constant: Constant) -> tuple[str, Point]:
    if constant.kind == "text":
        return ABSOLUTE, _microseconds(constant.value)
    if constant.kind == "date":
        return ABSOLUTE, constant.value * _DAY
    if constant.kind == "timestamp":
        return ABSOLUTE, constant.value
    return _relative(constant)


def _date(constant: Constant) -> tuple[str, Point]:
    if constant.kind == "text":
        return ABSOLUTE, _days(constant.value)
    if constant.kind == "date":
        return ABSOLUTE, constant.value
    if constant.kind == "timestamp":
        days, rest = divmod(constant.value, _DAY)
        return ABSOLUTE, days + Decimal("0.5") if rest else days  # some time on that day
    return _relative(constant)


def _relative(constant: Constant) -> tuple[str, Point]:
    if constant.kind != "relative":
        raise Unplaced
    start, scale, steps = constant.value
    return f"{start}:{scale}", steps


def _other(constant: Constant) -> tuple[str, Point]:
    return _text(constant)


def _days(text: str) -> int:
    found = _DATE.fullmatch(text)
    if not found:
        raise Unplaced
    try:
        return date(*map(int, found.groups())).toordinal() - _EPOCH.toordinal()
    except ValueError:
        raise Unplaced from None


def _microseconds(text: str) -> int:
    found = _TIME.fullmatch(text)
    if not found:
        return _days(text) * _DAY
    year, month, day, hour, minute, second, part = found.groups()
    micro = int((part or "").ljust(6, "0"))
    try:
        moment = datetime(  # noqa: DTZ001 a time without a zone, as columns hold it
            int(year), int(month), int(day), int(hour), int(minute), int(second or 0), micro
        )
    except ValueError:
        raise Unplaced from None
    passed = moment - _EPOCH
    return passed.days * _DAY + passed.seconds * 1_000_000 + passed.microseconds


_PLACES = {
    "integer": _integer,
    "number": _number,
    "loose-number": _loose_number,
    "boolean": _boolean,
    "text": _text,
    "uuid": _uuid,
    "timestamp": _timestamp,
    "date": _date,
}
