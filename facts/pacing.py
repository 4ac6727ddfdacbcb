"""How a source's budget becomes a threshold, and when its checks are due at the latest.

Units are those of ``facts.worth``: days, seconds of the source's time, seconds a day.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from facts.worth import Terms, worth_after

SOLVE_TICKS = 10  # ticks between two solutions of a threshold
SAMPLE = 1_000  # checks that a threshold is solved over, where there are more
SWEEP = 0.005  # of all rows are reckoned again at every tick
MOVE = 1.5  # a threshold that moved by more than this reckons every row again
FLOOR = 10.0  # nothing waits longer than this many times what one check of everything takes
SPREAD = 0.1  # of that wait, over which checks that were learned together spread
PRECISION = 1.005  # of a threshold, as a ratio

_GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a source's checks may come, in days: in whole ticks, and within two bounds."""

    tick: float
    shortest: float
    longest: float

    def interval(self, terms: Terms, threshold: float) -> float:
        """The days between two checks at a threshold, as whole ticks make them."""
        wait = max(min(worth_after(terms, threshold), self.longest), self.shortest)
        return max(1, math.floor(wait / self.tick + 0.5)) * self.tick

    def due_after(self, terms: Terms, threshold: float, *, key: int) -> float:
        """The days after its last check that a check is due: when worth its cost, or at the latest.

        ``key`` spreads checks that were learned together, so that they do not all reach their
        longest wait at once.
        """
        latest = self.longest * (1 - SPREAD * (key * _GOLDEN % 1))
        return max(min(worth_after(terms, threshold), latest), self.shortest)


def longest_wait(total_cost: float, budget: float) -> float:
    """The days that no check waits longer than: ten times what one check of everything takes.

    It takes at most a tenth of the budget, and finds what a wrong rate would hide for ever.
    """
    return FLOOR * total_cost / budget


def paced(budget: float, slack: float, *, within: float) -> float:
    """The seconds a day to aim at: the budget, and ``slack`` seconds worked off ``within`` days.

    Slack is what was saved less what is overdue. It takes back the error of a threshold that is
    solved over a sample, and of costs that were learned wrong. At least a tenth of the budget.
    """
    return max(budget + slack / within, budget / 10)


def spent(checks: Sequence[Terms], threshold: float, pace: Pace) -> float:
    """The seconds a day that checks at a threshold cost."""
    return sum(check.cost / pace.interval(check, threshold) for check in checks)


def threshold_for(
    checks: Sequence[Terms], budget: float, pace: Pace, *, near: float = 0.0
) -> float:
    """The threshold at which ``checks`` spend ``budget``, or a little less.

    ``near`` is the one in force, where the search starts. 0 where the budget pays for a check of
    everything as often as it may be; ``inf`` where it pays for none but the latest ones.
    """
    if spent(checks, 0.0, pace) <= budget:
        return 0.0
    if spent(checks, math.inf, pace) >= budget:
        return math.inf
    low = high = near if 0 < near < math.inf else 1.0
    while spent(checks, high, pace) > budget:
        low, high = high, high * 4
    while spent(checks, low, pace) <= budget:
        low, high = low / 4, low
    while high > low * PRECISION:
        middle = math.sqrt(low * high)
        if spent(checks, middle, pace) > budget:
            low = middle
        else:
            high = middle
    return high


def moved(threshold: float, applied: float) -> bool:
    """Whether a threshold is too far from the one that rows were last reckoned with."""
    return max(threshold, applied) > MOVE * min(threshold, applied)


def backoff(failures: int, *, most: float) -> float:
    """The minutes to wait after so many failures in a row: one, two, four, up to ``most``."""
    return min(2.0 ** min(failures - 1, 30), most)
