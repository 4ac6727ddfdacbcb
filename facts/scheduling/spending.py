"""What checks really cost, charged to their sources; and sources that do not answer."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from facts import pacing
from facts.errors import BadBudget
from facts.ledgers import Ledger, Spending
from facts.models import Source
from facts.scheduling.claiming import lock

PATIENCE = 60.0  # minutes; the longest wait before a source that does not answer is tried again
KEPT = timedelta(days=90)  # of the hours' records


def make_ledger(instance: Source, created: bool, raw: bool, **_: Any) -> None:
    """Give a source that was just made its ledger."""
    if created and not raw:
        Ledger.objects.get_or_create(source=instance, defaults={"account_id": instance.account_id})


def mend_ledgers(*, now: datetime) -> int:
    """Give every source that has none its ledger, and try those again that a clock left waiting.

    Returns how many there were.
    """
    too_far = now + timedelta(minutes=PATIENCE)
    waiting = Ledger.objects.filter(retry_at__gt=too_far).update(retry_at=now)
    missing = list(Source.objects.filter(ledger=None))
    Ledger.objects.bulk_create(
        (Ledger(account_id=source.account_id, source=source) for source in missing),
        ignore_conflicts=True,
    )
    return len(missing) + waiting


def spend(source: Source, *, seconds: float, expected: float, failed: bool, now: datetime) -> None:
    """Record what a check took, and correct the credit that ``expected`` was taken from."""
    with transaction.atomic():
        lock([source.pk])
        Ledger.objects.filter(source=source).update(credit=F("credit") + expected - seconds)
        hour = now.replace(minute=0, second=0, microsecond=0)
        Spending.objects.bulk_create(
            [Spending(account_id=source.account_id, source=source, hour=hour)],
            ignore_conflicts=True,
        )
        Spending.objects.filter(source=source, hour=hour).update(
            seconds=F("seconds") + seconds,
            checks=F("checks") + 1,
            failures=F("failures") + int(failed),
        )


def note_trouble(source: Source, *, now: datetime) -> None:
    """A source did not answer: leave it alone, twice as long each time, then let one check try.

    Several checks that were under way when it went down are one failure.
    """
    with transaction.atomic():
        for ledger in lock([source.pk]):
            if ledger.retry_at is not None and now < ledger.retry_at:
                continue
            ledger.failures += 1
            wait = pacing.backoff(ledger.failures, most=PATIENCE)
            ledger.retry_at = now + timedelta(minutes=wait)
            ledger.save(update_fields=["failures", "retry_at"])


def note_answer(source: Source) -> None:
    """A source answered: nothing holds it back any more."""
    Ledger.objects.filter(source=source, failures__gt=0).update(failures=0, retry_at=None)


def set_budget(source: Source, *, seconds_per_hour: float, concurrency: int | None = None) -> None:
    """Say how many seconds of its time an hour may cost the source, and how many checks at once.

    What was saved stays, up to an hour of the new budget, and the threshold is solved again at the
    next tick. Raises BadBudget.
    """
    if not 0 < seconds_per_hour < float("inf"):
        raise BadBudget(f"a budget is a number of seconds above 0, not {seconds_per_hour:g}")
    if concurrency is not None and concurrency < 1:
        raise BadBudget(f"at least 1 check at once may read a source, not {concurrency}")
    with transaction.atomic():
        source.seconds_per_hour = seconds_per_hour
        if concurrency is not None:
            source.concurrency = concurrency
        source.save(update_fields=["seconds_per_hour", "concurrency"])
        Ledger.objects.filter(source=source).update(solved_at=None)
