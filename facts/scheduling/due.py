"""When a check is due, and why: the earliest of its reasons. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from facts.pacing import Pace
from facts.worth import Terms, doubted, worth_after

TICK = timedelta(minutes=1)
SHORTEST = timedelta(hours=1)  # between two checks that nobody's question makes urgent
DAY = timedelta(days=1)

WORTH, FLOOR, LAPSE, ASKED = "worth", "floor", "lapse", "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """What the due time of a check follows from."""

    key: int
    weight: float
    cost: float  # seconds
    a: float
    b: float  # days
    threshold: float
    longest_wait: float  # days
    last_checked: datetime
    lapses_at: datetime | None = None  # when the trust of a fact lapses, or has
    asked_at: datetime | None = None  # when somebody asked for a fact that was never measured

    @property
    def terms(self) -> Terms:
        """What the worth of the check is judged by."""
        return Terms(self.weight, self.cost, *doubted(self.a, self.b))


def pace(longest_wait: float) -> Pace:
    """The bounds on a source's intervals, in days."""
    return Pace(tick=TICK / DAY, shortest=SHORTEST / DAY, longest=longest_wait)


def due(stakes: Stakes, *, now: datetime) -> tuple[datetime, str]:
    """When the check is due, and the reason that says so first.

    A last check in the future, as a clock that jumped back leaves it, counts as just made. Trust
    that lapses, or a question for what was never measured, brings the check forward, but not to
    less than an hour after the last one: what that could not measure, the next hardly can.
    """
    last = min(stakes.last_checked, now)
    wait = pace(stakes.longest_wait).due_after(stakes.terms, stakes.threshold, key=stakes.key)
    is_worth = worth_after(stakes.terms, stakes.threshold) <= max(wait, SHORTEST / DAY)
    reasons = [(last + timedelta(days=wait), WORTH if is_worth else FLOOR)]
    for at, reason in ((stakes.lapses_at, LAPSE), (stakes.asked_at, ASKED)):
        if at is not None:
            reasons.append((max(at, last + SHORTEST), reason))
    return min(reasons, key=lambda each: each[0])
