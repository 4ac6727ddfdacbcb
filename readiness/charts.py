"""A level over time as a small line chart. Pure: from days to the paths of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from readiness.trend import DayLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Two paths in a box of ``width`` by ``height``, and what they show in words.

    ``numbered`` follows the number, 100 at the top. ``unready`` runs along the bottom on the days
    that were not-ready, which have no number.
    """

    width: int
    height: int
    numbered: str
    unready: str
    words: str


def chart(days: Sequence[DayLevel], *, since: date, until: date, width: int, height: int) -> Chart:
    """The levels from ``since`` to ``until``, each held until the next; none before the first."""
    step = width / ((until - since).days + 1)
    paths: dict[bool, list[str]] = {True: [], False: []}
    ends = [*(day.day for day in days[1:]), until + timedelta(days=1)][: len(days)]
    before: tuple[bool, float] | None = None
    for day, end in zip(days, ends, strict=True):
        has_number = day.number is not None
        left, right = ((moment - since).days * step for moment in (day.day, end))
        y = height - 1 - (height - 2) * (day.number or 0) / 100
        joined = before is not None and before[0] == has_number
        start = f"V{y:.1f}" if joined else f"M{left:.1f} {y:.1f}"
        paths[has_number].append(f"{start}H{right:.1f}")
        before = has_number, y
    return Chart(
        width=width,
        height=height,
        numbered="".join(paths[True]),
        unready="".join(paths[False]),
        words=_words(days, (until - since).days + 1),
    )


def _words(days: Sequence[DayLevel], length: int) -> str:
    if not days:
        return f"No level in the last {length} days"
    first, last = _said(days[0]), _said(days[-1])
    if first == last and len({_said(day) for day in days}) == 1:
        return f"{last} for all that is known of the last {length} days"
    return f"{first} on {days[0].day:%-d %B}, {last} now"


def _said(day: DayLevel) -> str:
    return str(day.level) if day.number is None else f"{day.level} {day.number}%"
