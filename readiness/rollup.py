"""The one rollup: how ready an account's knowledge is, from its items. Exact, and pure.

An item is a type of record. It weighs half its share of the data and half its share of the use,
and it is covered when it is not failing and proven or believed. Unknown and stale items stay in
the denominator. A failing item among the heaviest forbids ``ready`` whatever the percentage: 92 %
with the orders table unreadable is not ready.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from facts.trust import Trust
from readiness.naming import listed

COVERED = (Trust.PROVEN, Trust.BELIEVED)
NAMES_IN_GAP = 3


class Level(StrEnum):
    """How far an account's knowledge carries, worst first."""

    NOT_READY = "not-ready"
    ALMOST_READY = "almost-ready"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class CutOffs:
    """Where levels begin, in percent, and how many items can veto.

    Placeholders until calibrated against the quality of answers.
    """

    ready: int = 80
    not_ready_below: int = 40
    top: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One type of record, with the two measures that weigh it: any whole numbers from 0 up."""

    name: str
    data: int
    use: int
    trust: Trust
    failing: bool

    @property
    def covered(self) -> bool:
        """Whether the assistant may rely on it."""
        return not self.failing and self.trust in COVERED


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """An item with its weight, a share of the whole, and whether its failing forbids ``ready``."""

    item: Item
    weight: Fraction
    can_veto: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """The level, the exact coverage in percent, the number to show, and what is missing.

    ``shown`` and ``gap`` are None where the level is not-ready, ``gap`` also where nothing is
    missing. ``vetoes`` names the failing items among the heaviest.
    """

    level: Level
    coverage: Fraction
    shown: int | None
    gap: str | None
    vetoes: tuple[str, ...]


def weighed(items: Sequence[Item], *, top: int = 10) -> list[Weighed]:
    """The items by weight, heaviest first, then by name.

    Where nobody has used anything yet the data alone weighs, where there is no data the use alone.
    A tie at the last place that can veto counts as inside. Empty where nothing weighs anything.
    """
    data, use = sum(item.data for item in items), sum(item.use for item in items)
    if not data and not use:
        return []
    weights = [_weight(item, data, use) for item in items]
    heaviest = sorted(weights, reverse=True)
    last_inside = heaviest[min(top, len(heaviest)) - 1]
    found = [
        Weighed(item=item, weight=weight, can_veto=weight >= last_inside)
        for item, weight in zip(items, weights, strict=True)
    ]
    return sorted(found, key=lambda one: (-one.weight, one.item.name))


def rollup(items: Sequence[Item], cut_offs: CutOffs = CutOffs()) -> Readiness:
    """The readiness of an account with these items. No items: not ready."""
    heaviest_first = weighed(items, top=cut_offs.top)
    coverage = 100 * sum((one.weight for one in heaviest_first if one.item.covered), Fraction())
    vetoes = tuple(one.item.name for one in heaviest_first if one.can_veto and one.item.failing)
    level = _level(coverage, bool(vetoes), cut_offs) if heaviest_first else Level.NOT_READY
    not_ready = level == Level.NOT_READY
    return Readiness(
        level=level,
        coverage=coverage,
        shown=None if not_ready else _shown(coverage, cut_offs),
        gap=None if not_ready else _gap(heaviest_first),
        vetoes=vetoes,
    )


def _weight(item: Item, data: int, use: int) -> Fraction:
    if not use:
        return Fraction(item.data, data)
    if not data:
        return Fraction(item.use, use)
    return (Fraction(item.data, data) + Fraction(item.use, use)) / 2


def _level(coverage: Fraction, vetoed: bool, cut_offs: CutOffs) -> Level:
    if coverage < cut_offs.not_ready_below:
        return Level.NOT_READY
    if coverage >= cut_offs.ready and not vetoed:
        return Level.READY
    return Level.ALMOST_READY


def _shown(coverage: Fraction, cut_offs: CutOffs) -> int:
    """Rounded half up, but never across a cut-off and never up to 100."""
    whole = coverage.numerator // coverage.denominator
    rounded = (2 * coverage.numerator + coverage.denominator) // (2 * coverage.denominator)
    crosses = rounded in (cut_offs.ready, cut_offs.not_ready_below, 100)
    return whole if crosses else rounded


def _gap(heaviest_first: Sequence[Weighed]) -> str | None:
    missing = [one.item.name for one in heaviest_first if not one.item.covered]
    return f"Still learning {listed(missing, most=NAMES_IN_GAP)}." if missing else None
