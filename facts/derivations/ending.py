"""The end of runs: what they found is written, and their targets settled, in one transaction."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction

from facts import store
from facts.arrays import array
from facts.askers import DEPENDENCY
from facts.derivations import writing
from facts.derivations.declaring import Missing
from facts.derivations.demand import rests_on
from facts.derivations.dependencies import drop_reads
from facts.derivations.sql import END_RUNS, LOCK_AHEAD
from facts.derivations.under_way import Outcome, TargetRun
from facts.giving_way import once_more
from facts.models import Check, Fact

MOMENT = timedelta(microseconds=1)
PATIENCE = timedelta(days=1)  # the longest wait between two tries of a build that fails

_TO_WRITE = (Outcome.BUILT, Outcome.CONFIRMED)


def write(runs: Sequence[TargetRun], *, now: datetime) -> None:
    """Write what runs found and what their targets have become, and say so in their outcomes.

    What can't be written is found by writing each alone, and is that target's failure. One asked
    for since its run began is due again.
    """
    _ask_for_missing(runs, now)
    _find_lines([run for run in runs if run.outcome == Outcome.BUILT], now)
    _write(runs, now)


def _ask_for_missing(runs: Sequence[TargetRun], now: datetime) -> None:
    for run in runs:
        if isinstance(run.inputs, Missing) and run.inputs.refs:
            store.request_many(run.check.account, run.inputs.refs, by=DEPENDENCY, now=now)


def _find_lines(runs: Sequence[TargetRun], now: datetime) -> None:
    """Make measurements of what was built, with where the facts stand that are new to a target."""
    new = [place for run in runs for place in run.new]
    versions, people = writing.versions_at(new, began=now), writing.people_of(new)
    for run in runs:
        assert run.stamp is not None
        try:
            run.lines = writing.building(
                *(run.check.account, run.built, run.standing, run.stamp),
                versions=versions,
                people=people,
            )
        except Exception as error:  # noqa: BLE001  what a build returned is somebody else's
            run.fail(error)


def _write(runs: Sequence[TargetRun], now: datetime) -> None:
    try:
        outcomes = _written(runs, now)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001  one target's fault must not stop the others
        if len(runs) > 1:
            for run in runs:
                _write([run], now)
            return
        runs[0].fail(error)
        outcomes = _written(runs, now)
    for run, outcome in zip(runs, outcomes, strict=True):
        run.outcome = outcome


@once_more
def _written(runs: Sequence[TargetRun], now: datetime) -> list[Outcome]:
    """The outcomes of runs, with what they found written and the targets ended."""
    outcomes = []
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(LOCK_AHEAD, {"targets": [run.check.pk for run in runs]})
        observed = store.observe_all(
            [
                store.Run(run.check.account, run.lines, by=run.derivation.owner, check=run.check)
                for run in runs
            ],
            measured_from=now,
            now=now,
        )
        for run, each in zip(runs, observed, strict=True):
            assert run.outcome is not None
            is_lost = bool(each.conflicts) and run.outcome in _TO_WRITE
            if is_lost:
                lost = {conflict.ref for conflict in each.conflicts}
                writing.ask_for_lost(run.check.account, run.lines, lost, now=now)
            outcomes.append(Outcome.LOST if is_lost else run.outcome)
            run.still_asked_at = _still_asked_at(each.written)
        return _ended(runs, outcomes, now)


def _still_asked_at(facts: Sequence[Fact]) -> datetime | None:
    """The newest request that a run did not answer, as one does not that was made as it began."""
    asked = [fact.requested_at for fact in facts if fact.is_open]
    return max((moment for moment in asked if moment is not None), default=None)


def _ended(runs: Sequence[TargetRun], outcomes: Sequence[Outcome], now: datetime) -> list[Outcome]:
    """Write what targets have become, in two statements where they read what they read before."""
    locked = Check.objects.filter(pk__in=[run.check.pk for run in runs]).order_by("pk")
    rows = {row.pk: row for row in locked.select_for_update(no_key=True)}
    pairs = [
        (run, outcome if run.check.pk in rows else Outcome.GONE)
        for run, outcome in zip(runs, outcomes, strict=True)
    ]
    there = [(run, outcome) for run, outcome in pairs if outcome != Outcome.GONE]
    _drop_old_reads(there)
    columns = [_columns(run, rows[run.check.pk], outcome, now) for run, outcome in there]
    if columns:
        arrays = {name: array([each[name] for each in columns]) for name in columns[0]}
        with connection.cursor() as cursor:
            cursor.execute(END_RUNS, {**arrays, "now": now})
    return [outcome for _run, outcome in pairs]


def _drop_old_reads(ended: Sequence[tuple[TargetRun, Outcome]]) -> None:
    """Forget what targets read no longer; a failed run may have read half of what it reads."""
    old = {
        run: run.known - run.reading.reads for run, outcome in ended if outcome != Outcome.FAILED
    }
    dropping = [run for run, reads in old.items() if reads]
    if dropping:
        below = rests_on([run.check.pk for run in dropping])
        for run in dropping:
            run.below, run.reads_others = below, True
        drop_reads({run.check.pk: old[run] for run in dropping})


def _columns(run: TargetRun, row: Check, outcome: Outcome, now: datetime) -> dict[str, Any]:
    """What a target's row is to be."""
    failures = row.failures + 1 if outcome in (Outcome.FAILED, Outcome.LOST) else 0
    is_asked = row.asked != run.check.asked
    stamp = run.stamp if outcome in _TO_WRITE else None
    return {
        "ids": row.pk,
        "failures": failures,
        "due_at": now if is_asked else _due_again(run, outcome, failures, now),
        "built_from": stamp and stamp.built_from,
        "built_parts": json.dumps(run.parts) if stamp else None,
        "built_by": run.derivation.version,
        "wanted": run.wanted,
        "is_ours": row.claims == run.check.claims,  # else another has it now
    }


def _due_again(run: TargetRun, outcome: Outcome, failures: int, now: datetime) -> datetime | None:
    """When the target is due if nobody asks. What lost its first race is tried again at once."""
    if outcome == Outcome.LOST and failures == 1:
        return now
    if failures:
        return now + min(timedelta(minutes=2 ** min(failures, 20)), PATIENCE)
    after = None if run.still_asked_at is None else run.still_asked_at + MOMENT
    return min((each for each in (run.reading.again_at, after) if each is not None), default=None)
