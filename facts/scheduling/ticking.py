"""One tick: what keeps the due times true, whoever works them off."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import connection
from django_q.models import Task

from facts import derivations, lapses, replies
from facts.errors import KenError
from facts.ledgers import Spending
from facts.scheduling import claiming, solving, spending

_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('ken tick', 0))"
_UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('ken tick', 0))"
LAPSED_BATCH, LAPSED_BATCHES = 1_000, 10  # facts, a tick
TASKS_KEPT = timedelta(days=1)

logger = logging.getLogger(__name__)


class TickFailed(KenError):
    """Steps of a tick failed; the others were done. The message is their codes."""

    code = "tick-failed"


@dataclass(slots=True)
class Ticked:
    """What a tick did: how many of what, by its step; and the steps that failed, by a code."""

    done: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    was_under_way: bool = False  # another process is at it; nothing was done

    def demand_success(self) -> None:
        """Raise TickFailed where a step failed."""
        if self.failed:
            raise TickFailed(", ".join(f"{step}: {code}" for step, code in self.failed.items()))


def tick(*, now: datetime) -> Ticked:
    """Return what was lost, notice what lapsed, solve thresholds, sweep, and clear up.

    A step that fails is logged and does not stop the others. Safe to run twice, at once too: the
    second finds the first under way.
    """
    ticked = Ticked()
    with alone() as is_alone:
        ticked.was_under_way = not is_alone
        if is_alone:
            for name, step in STEPS.items():
                try:
                    ticked.done[name] = step(now)
                except Exception as error:  # noqa: BLE001  one step's fault must not stop the tick
                    ticked.failed[name] = type(error).__name__
                    logger.error("the tick's step %s failed with %s", name, type(error).__name__)
    return ticked


def _forget_old(now: datetime) -> int:
    """Forget what the queue has done, what hours cost and what was replied, past their horizons."""
    tasks: int = Task.objects.filter(stopped__lt=now - TASKS_KEPT).delete()[0]
    hours = Spending.objects.filter(hour__lt=now - spending.KEPT).delete()[0]
    return tasks + hours + replies.prune(now=now)


def _ask_for_lapsed(now: datetime) -> int:
    """Ask for what lapsed, some batches of it: what was learned together lapses together."""
    lapsed = 0
    for _batch in range(LAPSED_BATCHES):
        some = lapses.ask_for_lapsed(now=now, limit=LAPSED_BATCH)
        lapsed += some
        if some < LAPSED_BATCH:
            break
    return lapsed


STEPS: dict[str, Callable[[datetime], int]] = {
    "returned": lambda now: claiming.return_expired(now=now),
    "lapsed": _ask_for_lapsed,
    "outdated": lambda now: derivations.sweep(now=now),
    "ledgers": lambda now: spending.mend_ledgers(now=now),
    "solved": lambda now: solving.solve(now=now),
    "swept": lambda now: solving.sweep(now=now),
    "forgotten": _forget_old,
}


def also(name: str, step: Callable[[datetime], int]) -> None:
    """Add a room's own step, which answers how many it did. Called from its ``ready()``."""
    STEPS[name] = step


@contextmanager
def alone() -> Iterator[bool]:
    """Whether no other process ticks; none does while the block runs. Lost with the connection."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK)
        row = cursor.fetchone()
        is_alone = bool(row and row[0])
        try:
            yield is_alone
        finally:
            if is_alone:
                cursor.execute(_UNLOCK)
