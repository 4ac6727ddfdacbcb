"""What the queue runs. Every task is safe to run twice, at once too.

What a task raises is kept by the queue and logged, so it says a code and nothing of a message.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone

from facts import heartbeat, scheduling
from facts.errors import KenError


class TaskFailed(KenError):
    """A task ended with an error; the message is its code."""

    code = "task-failed"


def tick() -> None:
    """Beat, keep the due times true, queue what is due. Run every minute by the one Schedule."""
    with _told_by_code():
        now = timezone.now()
        heartbeat.beat(heartbeat.QUEUE, now=now)
        ticked = scheduling.tick(now=now)
        scheduling.queue_work(now=now)
    ticked.demand_success()


def probe() -> None:
    """Make what is due of sources, for a while."""
    with _told_by_code():
        scheduling.probe_due(scheduling.Worked(), seconds=scheduling.working_seconds())


def rebuild() -> None:
    """Build what is due of derivations, for a while."""
    with _told_by_code():
        scheduling.rebuild_due(scheduling.Worked(), seconds=scheduling.working_seconds())


@contextmanager
def _told_by_code() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001  a driver's message quotes data
        raise TaskFailed(type(error).__name__) from None
