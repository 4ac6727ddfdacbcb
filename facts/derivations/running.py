"""Runs of targets of one derivation: read, compare, build where the inputs are others, write, end.

What many targets need is read, written and ended for all of them at once. A wish that comes while
a run is at it finds ``asked`` moved on when the run ends, and the target stays due. A run that ends
in the middle, its process killed, leaves its targets due as well.
"""

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from django.db import IntegrityError, InterfaceError, OperationalError

from facts.derivations.ahead import read_ahead
from facts.derivations.declaring import named
from facts.derivations.demand import count_demand, rests_on
from facts.derivations.dependencies import add_reads
from facts.derivations.ending import write
from facts.derivations.under_way import Outcome, TargetRun, begun
from facts.errors import UnknownDerivation, UnsettledInputs
from facts.giving_way import gave_way
from facts.models import Check

ROUNDS = 5  # of reading, each for what the one before was the first to read


def run(check: Check, *, now: datetime) -> Outcome:
    """Settle one target and give its lease back. Safe to run twice, at once too.

    Raises OperationalError or InterfaceError where the database itself is in trouble: the target
    stays as it was, and its lease returns it.
    """
    outcomes, recount = run_uncounted([check], now=now)
    count_demand(recount, now=now)
    return outcomes[check.pk]


def run_uncounted(
    checks: Sequence[Check], *, now: datetime, ends: float | None = None
) -> tuple[dict[int, Outcome], set[int]]:
    """Settle targets of one derivation as ``run`` does, in their order.

    After ``ends``, a time of the monotonic clock, none is begun but the first; one that was not
    come to is not in the outcomes, which are by the target's key. The demand of the checks that are
    answered beside them is left to the caller to count.
    """
    keys = [check.pk for check in checks]
    try:
        derivation = named(checks[0].derivation)
    except UnknownDerivation:
        Check.objects.filter(pk__in=keys).update(due_at=None, lease_until=None)
        return dict.fromkeys(keys, Outcome.GONE), set()
    runs = begun(checks, derivation, now=now)
    gone = set(keys) - {run.check.pk for run in runs}
    try:
        done = _each(_read(runs, ends), TargetRun.build, ends)
        write(done, now=now)
    except OperationalError as trouble:
        if not gave_way(trouble):
            raise
        Check.objects.filter(pk__in=keys).update(lease_until=None)
        return dict.fromkeys(keys, Outcome.LOST), set()
    outcomes = {run.check.pk: run.outcome for run in done if run.outcome is not None}
    below = {check for run in done for check in run.below}
    below |= rests_on([run.check.pk for run in done if run.moves_demand])
    return outcomes | dict.fromkeys(gone, Outcome.GONE), below


def _read(runs: list[TargetRun], ends: float | None) -> list[TargetRun]:
    """Read inputs while there were Dependency rows for all they are read from.

    Half the time is for reading, so that what was read is built as well. Returns what was read.
    """
    begins = time.monotonic()
    halfway = None if ends is None else begins + (ends - begins) / 2
    runs = waiting = _read_once(runs, halfway)
    for _round in range(1, ROUNDS):
        waiting = [run for run in waiting if run.outcome is None and run.new_reads]
        if not waiting:
            return runs
        _note_reads(waiting)
        _read_once(waiting, None)
    for run in waiting:
        if run.new_reads:
            name = run.derivation.name
            run.fail(UnsettledInputs(f"{name} reads something else each time it reads"))
    return runs


def _read_once(runs: list[TargetRun], ends: float | None) -> list[TargetRun]:
    ahead = read_ahead({run.check: run.known for run in runs})
    return _each(runs, partial(TargetRun.read, ahead=ahead), ends)


def _note_reads(runs: list[TargetRun]) -> None:
    """Make Dependency rows of what runs read for the first time; one retired meanwhile fails."""
    try:
        add_reads({run.check: run.new_reads for run in runs})
    except IntegrityError as error:
        if len(runs) == 1:
            runs[0].fail(error)
        else:
            for run in runs:
                _note_reads([run])
        return
    for run in runs:
        run.known |= run.reading.reads
        run.reads_others = True


def _each(
    runs: list[TargetRun], act: Callable[[TargetRun], None], ends: float | None
) -> list[TargetRun]:
    """Do ``act`` with runs until time is up, with the first in any case; returns those done.

    Whatever a room's code raises is that target's failure.
    """
    done: list[TargetRun] = []
    for run in runs:
        if done and ends is not None and time.monotonic() >= ends:
            break
        done.append(run)
        if run.outcome is None:
            try:
                act(run)
            except (OperationalError, InterfaceError):
                raise
            except Exception as error:  # noqa: BLE001  somebody else's code
                run.fail(error)
    return done
