"""How often answers were right at each height of a figure: the table, and a diagram of text."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from readiness.calibrating import Given

BINS = 10
Z = 1.6449  # of the normal distribution: nine in ten lie within
WIDTH = 40  # characters of a whole bar


@dataclass(frozen=True, slots=True)
class Bin:
    """The outcomes whose figure lies in [low, high), the last bin's end included."""

    low: float
    high: float
    count: int
    right: int

    @property
    def share(self) -> float | None:
        """The share that was right; None where there is no outcome, which is not 0."""
        return self.right / self.count if self.count else None

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of all such answers lies, nine times in ten (Wilson 1927)."""
        if not self.count:
            return 0.0, 1.0
        n, share = self.count, self.right / self.count
        middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
        return max(middle - half, 0.0), min(middle + half, 1.0)

    def as_plain(self) -> dict[str, Any]:
        """The bin as JSON holds it."""
        low, high = self.interval
        return {
            "from": self.low,
            "to": self.high,
            "count": self.count,
            "right": self.right,
            "share": self.share,
            "share_from": round(low, 4),
            "share_to": round(high, 4),
        }


def bins(given: Iterable[Given], *, top: float) -> list[Bin]:
    """Ten bins of equal width from 0 to ``top``, empty ones too."""
    counts, rights = [0] * BINS, [0] * BINS
    for one in given:
        place = min(max(int(BINS * one.figure / top), 0), BINS - 1)
        counts[place] += 1
        rights[place] += one.right
    return [
        Bin(top * place / BINS, top * (place + 1) / BINS, counts[place], rights[place])
        for place in range(BINS)
    ]


def diagram(found: Iterable[Bin], *, digits: int) -> list[str]:
    """A line a bin: its range, how many, the share that was right and where it lies.

    A bar is filled up to the share, and ``·`` shows how far the interval reaches.
    """
    lines = []
    for one in found:
        span = f"{one.low:>6.{digits}f} – {one.high:<6.{digits}f} {one.count:>7}"
        if one.share is None:
            lines.append(f"{span}       –")
            continue
        low, high = (round(WIDTH * end) for end in one.interval)
        filled = round(WIDTH * one.share)
        bar = "".join(
            "█" if at < min(filled, low) else "▒" if at < filled else "·" if at < high else " "
            for at in range(WIDTH)
        )
        lines.append(f"{span} {one.share:>7.1%} |{bar}|")
    return lines
