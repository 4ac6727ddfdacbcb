"""Sets of values: unions of intervals over what is ordered, and lists over what is not. Pure.

An interval lies between two cuts. A cut is a value and whether it is just before it (0) or just
after it (1), so that open and closed ends need no cases: the value 5 alone is (5, 0) to (5, 1).
Whole numbers and days have no values between them, so there every cut is just before one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor
from typing import Any

from facts.answers.constants import Point

Cut = tuple[Any, int]
Bounds = tuple[Cut | None, Cut | None]  # None: without an end on that side

DISCRETE = frozenset(("integer", "date", "boolean"))
LISTED = frozenset(("text", "uuid", "other"))  # equality is all that can be told of them
_TRUTHS: Bounds = ((0, 0), (2, 0))  # false and true, as 0 and 1


@dataclass(frozen=True, slots=True)
class Spans:
    """A union of intervals, in order, that neither touch nor meet."""

    bounds: tuple[Bounds, ...]
    whole: Bounds = (None, None)  # what there is

    def union(self, other: "Spans") -> "Spans":
        return self.complement().intersection(other.complement()).complement()

    def intersection(self, other: "Spans") -> "Spans":
        met = (
            (_later(one[0], two[0]), _earlier(one[1], two[1]))
            for one in self.bounds
            for two in other.bounds
        )
        return Spans(tuple(bounds for bounds in met if _is_span(bounds)), self.whole)

    def complement(self) -> "Spans":
        found, start = [], self.whole[0]
        for low, high in self.bounds:
            if low is not None and (start is None or start < low):
                found.append((start, low))
            start = high
            if high is None:
                return Spans(tuple(found), self.whole)
        rest = (start, self.whole[1])
        return Spans((*found, rest) if _is_span(rest) else tuple(found), self.whole)

    def is_within(self, other: "Spans") -> bool:
        return not self.intersection(other.complement()).bounds

    @property
    def is_empty(self) -> bool:
        return not self.bounds

    @property
    def is_full(self) -> bool:
        return self.bounds == (self.whole,)

    def to_document(self) -> list[Any]:
        return [[_cut_document(low), _cut_document(high)] for low, high in self.bounds]


@dataclass(frozen=True, slots=True)
class Listed:
    """The values of a list, or all but those."""

    values: frozenset[str]
    but: bool

    def union(self, other: "Listed") -> "Listed":
        return self.complement().intersection(other.complement()).complement()

    def intersection(self, other: "Listed") -> "Listed":
        if self.but and other.but:
            return Listed(self.values | other.values, True)
        if self.but or other.but:
            kept, dropped = (other, self) if self.but else (self, other)
            return Listed(kept.values - dropped.values, False)
        return Listed(self.values & other.values, False)

    def complement(self) -> "Listed":
        return Listed(self.values, not self.but)

    def is_within(self, other: "Listed") -> bool:
        return self.intersection(other.complement()).is_empty

    @property
    def is_empty(self) -> bool:
        return not self.values and not self.but

    @property
    def is_full(self) -> bool:
        return not self.values and self.but

    def to_document(self) -> dict[str, Any]:
        return {"but" if self.but else "in": sorted(self.values)}


Values = Any  # Spans or Listed; two that meet are of one property and so of one kind


def everything(type_: str) -> Values:
    """All values of a type."""
    if type_ in LISTED:
        return Listed(frozenset(), True)
    whole = _whole_of(type_)
    return Spans((whole,), whole)


def compared(type_: str, op: str, point: Point, *, discrete: bool) -> Values:
    """The values v for which ``v op point`` holds. A listed type knows ``=`` alone."""
    if type_ in LISTED:
        return Listed(frozenset((str(point),)), False)
    low, high = _OPS[op](point)
    if discrete:
        low, high = _whole(low), _whole(high)
    whole = _whole_of(type_)
    spans = Spans(((low, high),) if _is_span((low, high)) else (), whole)
    return spans.intersection(Spans((whole,), whole))


def any_of(type_: str, points: Iterable[Point], *, discrete: bool) -> Values:
    """The values that equal one of ``points``."""
    if type_ in LISTED:
        return Listed(frozenset(map(str, points)), False)
    merged: list[Bounds] = []
    for point in sorted(set(points)):  # of one type, and never texts
        for low, high in compared(type_, "=", point, discrete=discrete).bounds:
            if merged and merged[-1][1] == low:
                merged[-1] = (merged[-1][0], high)
            else:
                merged.append((low, high))
    return Spans(tuple(merged), _whole_of(type_))


def from_document(document: Any) -> Values:
    """The set that ``to_document`` wrote. What there is at all no longer matters to it."""
    if isinstance(document, dict):
        ((name, values),) = document.items()
        return Listed(frozenset(values), name == "but")
    return Spans(tuple((_cut(low), _cut(high)) for low, high in document))


_OPS: dict[str, Callable[[Point], Bounds]] = {
    "=": lambda point: ((point, 0), (point, 1)),
    "<": lambda point: (None, (point, 0)),
    "<=": lambda point: (None, (point, 1)),
    ">": lambda point: ((point, 1), None),
    ">=": lambda point: ((point, 0), None),
}


def _whole_of(type_: str) -> Bounds:
    return _TRUTHS if type_ == "boolean" else (None, None)


def _whole(cut: Cut | None) -> Cut | None:
    """The same cut among whole numbers: just before the first that is beyond it."""
    if cut is None:
        return None
    return (floor(cut[0]) + 1, 0) if cut[1] else (ceil(cut[0]), 0)


def _later(one: Cut | None, two: Cut | None) -> Cut | None:
    if one is None or two is None:
        return two if one is None else one
    return max(one, two)


def _earlier(one: Cut | None, two: Cut | None) -> Cut | None:
    if one is None or two is None:
        return two if one is None else one
    return min(one, two)


def _is_span(bounds: Bounds) -> bool:
    low, high = bounds
    return low is None or high is None or low < high


def _cut_document(cut: Cut | None) -> list[Any] | None:
    """JSON has no exact fractions: a number that is none is written as text."""
    if cut is None:
        return None
    value, side = cut
    if isinstance(value, Decimal):
        whole = value == value.to_integral_value()
        value = int(value) if whole else format(value.normalize(), "f")
    return [value, side]


def _cut(document: list[Any] | None) -> Cut | None:
    if document is None:
        return None
    value, side = document
    return (Decimal(value) if isinstance(value, str) else value, side)
