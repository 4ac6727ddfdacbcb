"""Making a claimed check, and writing down what it says about the next one."""

import logging
import time
from datetime import datetime, timedelta

from django.db import transaction

from facts import pacing, worth
from facts.giving_way import once_more
from facts.models import Check
from facts.probing import Outcome, run_check
from facts.scheduling.claiming import PATIENCE, give_back, lock, still_ours
from facts.scheduling.due import DAY
from facts.scheduling.reckoning import reckon
from facts.scheduling.spending import note_answer, note_trouble, spend

LEAST_COST = 0.01  # seconds; connecting takes something too
NEWS = 0.3  # the share that the newest check has in a learned cost

logger = logging.getLogger(__name__)


def make(check: Check, *, now: datetime) -> Outcome | None:
    """Make a claimed check and give its lease back.

    None where it raised, which is a fault of ours: the check waits longer each time, and the log
    says which and where by code, never with a message that may quote data.
    """
    started = time.monotonic()
    try:
        outcome = once_more(run_check)(check, now=now)
    except SystemExit:  # the task's time is up
        seconds = time.monotonic() - started
        note_made(check, Outcome(seconds=seconds, failure="timeout"), now)
        raise
    except Exception as error:  # noqa: BLE001  one check's fault must not stop the others
        logger.error("check %s failed with %s", check.pk, type(error).__name__)
        note_made(check, Outcome(seconds=time.monotonic() - started, failure="internal"), now)
        return None
    except BaseException:
        give_back([check])
        raise
    if outcome.is_busy:
        give_back([check])
    else:
        note_made(check, outcome, now)
    return outcome


def note_made(check: Check, outcome: Outcome, now: datetime) -> None:
    """Write down what a check came to: cost, change rate, due time; and give a lease back.

    ``now`` is when it started. A check that was made without a claim is noted all the same. One
    that lost its lease meanwhile only pays: whoever has it now says the rest.
    """
    with transaction.atomic():
        source = check.source
        assert source is not None
        lock([source.pk])
        row = still_ours(check)
        expected = check.cost if row is not None else 0.0
        if row is None and check.lease_until is None:
            row = Check.objects.select_for_update(no_key=True).filter(pk=check.pk).first()
        if outcome.trouble:
            note_trouble(source, now=now)
        else:
            note_answer(source)
        failed = bool(outcome.trouble or outcome.failure)
        spend(source, seconds=outcome.seconds, expected=expected, failed=failed, now=now)
        if row is not None:
            _learn(row, outcome, now)
            row.save(update_fields=_LEARNED)
            reckon([row.pk], now=now)


_LEARNED = ("a", "b", "cost", "last_checked", "failures", "due_at", "due_because", "lease_until")


def _learn(row: Check, outcome: Outcome, now: datetime) -> None:
    row.lease_until = None
    if outcome.trouble:  # says nothing about the check, which stays due
        return
    seconds = max(outcome.seconds, LEAST_COST)
    news = 1.0 if row.last_checked is None else NEWS
    row.cost = (1 - news) * row.cost + news * seconds
    if outcome.failure:
        row.failures += 1
        wait = pacing.backoff(row.failures, most=PATIENCE)
        row.due_at, row.due_because = now + timedelta(minutes=wait), Check.Reason.RETRY
        return
    if row.last_checked is not None:
        days = (now - row.last_checked) / DAY
        row.a, row.b = worth.learned(row.a, row.b, days, changed=outcome.changed)
    row.failures = 0
    row.last_checked = now
    row.due_because = Check.Reason.WORTH
