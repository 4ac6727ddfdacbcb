"""What the queue is given to do, so that however many workers there are work off what is due.

A task says no more than "work off what is due": what that is is claimed when it runs, so nothing
waits in the queue under a lease, and a task that runs twice finds nothing the second time.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

from facts.models import Check
from facts.scheduling.due import TICK

PROBE, REBUILD = "facts.tasks.probe", "facts.tasks.rebuild"


def working_seconds() -> float:
    """For how long a task begins something new: a tenth of a lease, half a minute."""
    return float(settings.LEASE_SECONDS) / 10


def most_seconds() -> int:
    """After how long a task is ended, whatever it does.

    What it claimed last, a tenth of a lease after it began, is then still leased.
    """
    return max(1, int(settings.LEASE_SECONDS * 0.8))


def queue_work(*, now: datetime) -> int:
    """Queue tasks for what is due, unless enough wait already. Returns how many.

    Within a transaction that is rolled back nothing is queued.
    """
    workers: int = Conf.WORKERS
    if OrmQ.objects.filter(lock__lte=now).count() > 2 * workers:
        return 0
    due = Check.objects.filter(due_at__lte=now + TICK / 2, lease_until=None)
    probes = due.filter(source__isnull=False)[:workers].count()
    rebuilds = due.filter(kind=Check.Kind.DERIVATION)[:1].count()
    for task in [PROBE] * probes + [REBUILD] * rebuilds:
        async_task(task, q_options={"timeout": most_seconds(), "ack_failure": True})
    return probes + rebuilds


def mend_clock(*, now: datetime) -> None:
    """Undo what a clock that jumped back does to the queue: waits for a time that is far ahead.

    The schedule's next run and the queue's locks are moments; one further ahead than any should be
    becomes now. Two statements that find nothing as long as the clock is well.
    """
    retry = timedelta(seconds=Conf.RETRY)
    with transaction.atomic():
        Schedule.objects.filter(next_run__gt=now + 2 * TICK).update(next_run=now)
        OrmQ.objects.filter(lock__gt=now + retry + TICK).update(lock=now)
