"""Each source's threshold, solved over its own checks so that they spend its own budget."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from facts import pacing
from facts.ledgers import Ledger
from facts.models import Check
from facts.scheduling.claiming import statement
from facts.scheduling.due import DAY, TICK, pace
from facts.scheduling.reckoning import reckon, reckon_all
from facts.worth import Terms, doubted

AT_ONCE = 100  # sources whose thresholds one tick solves; with a thousand checks each, some seconds
HOUR = timedelta(hours=1)

_SAMPLES = statement("samples")


@dataclass(frozen=True, slots=True)
class Sampled:
    """A source's means, and what there is to spend them on."""

    ledger: int
    source: int
    threshold: float
    applied: float
    seconds_per_hour: float
    credit: float
    count: int  # of checks
    cost: float  # of one of each
    overdue: float  # the cost of what is due and waits
    checks: list[list[float]]  # weight, cost, a, b of some

    @property
    def budget(self) -> float:
        """Seconds a day."""
        return self.seconds_per_hour * (DAY / HOUR)

    @property
    def longest_wait(self) -> float:
        """Days."""
        return pacing.longest_wait(self.cost, self.budget)

    def solved(self) -> float:
        """The threshold at which the checks spend the budget and work off what is overdue."""
        aim = pacing.paced(self.budget, self.credit - self.overdue, within=HOUR / DAY)
        terms = [Terms(weight, cost, *doubted(a, b)) for weight, cost, a, b in self.checks]
        share = len(terms) / self.count if self.count else 1.0
        return pacing.threshold_for(
            terms, aim * share, pace(self.longest_wait), near=self.threshold
        )


def solve(*, now: datetime) -> int:
    """Solve the thresholds that are ten ticks old. Returns how many.

    Where one moved too far from what rows were last reckoned with, all of the source's are.
    """
    solved, moved = [], []
    for sampled in _samples(now):
        threshold, applied = sampled.solved(), sampled.applied
        if pacing.moved(threshold, applied):
            applied = threshold
            moved.append(sampled.source)
        solved.append(
            Ledger(
                pk=sampled.ledger,
                threshold=threshold,
                applied=applied,
                longest_wait=sampled.longest_wait,
                solved_at=now,
            )
        )
    Ledger.objects.bulk_update(solved, ["threshold", "applied", "longest_wait", "solved_at"])
    reckon_all(moved, now=now)
    return len(solved)


def sweep(*, now: datetime) -> int:
    """Reckon a slice of all checks again, another with every tick. Returns how many.

    What changes without being written, as use that grows old, comes in this way. The slices are
    ranges of keys, so that one is a walk along the primary key and nothing has to be remembered.
    """
    keys = Check.objects.order_by("pk").values_list("pk", flat=True)
    first, last = keys.first(), keys.last()
    if first is None or last is None:
        return 0
    slices = round(1 / pacing.SWEEP)
    turn = int(now.timestamp() // TICK.total_seconds()) % slices
    width = (last - first) // slices + 1
    start = first + turn * width
    some = list(keys.filter(pk__gte=start, pk__lt=start + width, source__isnull=False))
    reckon(some, now=now)
    return len(some)


def _samples(now: datetime) -> list[Sampled]:
    with connection.cursor() as cursor:
        cursor.execute(
            _SAMPLES,
            {
                "now": now,
                "overdue": now - TICK / 2,
                "solved": now - pacing.SOLVE_TICKS * TICK + TICK / 2,
                "sample": pacing.SAMPLE,
                "limit": AT_ONCE,
            },
        )
        return [Sampled(*row) for row in cursor.fetchall()]
