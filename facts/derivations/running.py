"""One run of one target: read, compare, build where the inputs are others, write, settle.

The inputs are read once: what is hashed is what ``build`` receives, and its hash is what is stored.
A wish that comes while a run is at it finds ``asked`` moved on when the run ends, and the target
stays due. A run that ends in the middle, its process killed, leaves the target due as well.
"""

import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import InterfaceError, OperationalError, transaction

from facts import store
from facts.askers import DEPENDENCY
from facts.derivations import writing
from facts.derivations.declaring import Derivation, Inputs, Missing, Target, named
from facts.derivations.demand import count_demand, rests_on
from facts.derivations.dependencies import Read, add_reads, drop_reads, reads_of
from facts.derivations.hashing import hash_of, parts_of
from facts.derivations.reading import Reading
from facts.errors import KenError, UnknownDerivation, UnsettledInputs
from facts.models import Check

logger = logging.getLogger(__name__)

_ROLLED_BACK = ("40001", "40P01")  # the database chose this run to give way to another
ROUNDS = 5  # of reading, each for what the one before was the first to read
PATIENCE = timedelta(days=1)  # the longest wait between two tries of a build that fails


_WRITTEN = (
    *("failures", "due_at", "built_from", "built_parts", "built_by", "wanted", "weight"),
    *("last_checked", "lease_until"),
)


class Outcome(StrEnum):
    """What became of a run."""

    BUILT = "built"
    CONFIRMED = "confirmed"  # the inputs are those it was built from
    MISSING = "missing"  # not all there yet
    FAILED = "failed"
    LOST = "lost"  # a fact moved meanwhile; the target stays due
    GONE = "gone"  # retired meanwhile, or its derivation is no longer registered


@dataclass(slots=True)
class _Run:
    """A run under way: what the target was when it began, and what it is to be afterwards."""

    check: Check
    derivation: Derivation
    now: datetime
    known: set[Read]  # what there are Dependency rows for
    reading: Reading
    wanted: float
    stamp: writing.Stamp | None = None  # what the target is built from once it is written
    parts: dict[str, str] = field(default_factory=dict)
    reads_others: bool = False  # than it did before
    below: set[int] = field(default_factory=set)  # checks of facts that are read no longer

    @property
    def target(self) -> Target:
        return Target(self.check.account, self.check.target)


def run(check: Check, *, now: datetime) -> Outcome:
    """Settle one target and give its lease back. Safe to run twice, at once too.

    Raises OperationalError or InterfaceError where the database itself is in trouble: the target
    stays as it was, and its lease returns it.
    """
    outcome, recount = run_uncounted(check, now=now)
    count_demand(recount, now=now)
    return outcome


def run_uncounted(check: Check, *, now: datetime) -> tuple[Outcome, set[int]]:
    """As ``run``, and leaves it to the caller to count the demand of the checks it answers."""
    try:
        seen = Check.objects.select_related("account").get(pk=check.pk)
        derivation = named(seen.derivation)
    except Check.DoesNotExist:
        return Outcome.GONE, set()
    except UnknownDerivation:
        Check.objects.filter(pk=check.pk).update(due_at=None, lease_until=None)
        return Outcome.GONE, set()
    this = _Run(seen, derivation, now, reads_of(seen), Reading(seen.account, now), seen.wanted)
    try:
        outcome = _settled(this)
    except (OperationalError, InterfaceError) as trouble:
        if getattr(trouble.__cause__, "sqlstate", None) not in _ROLLED_BACK:
            raise
        Check.objects.filter(pk=seen.pk).update(lease_until=None)
        return Outcome.LOST, set()
    except Exception as error:  # noqa: BLE001  whatever a room's code raises is this target's failure
        outcome = _failed(this, error)
    return outcome, this.below | rests_on([seen.pk]) if _moves_demand(this, outcome) else set()


def _moves_demand(this: _Run, outcome: Outcome) -> bool:
    """Whether what the target rests on may have another demand than before the run.

    A build may have read a fact that no check had settled before.
    """
    before, after = this.check.wanted + this.check.demand, this.wanted + this.check.demand
    if outcome == Outcome.GONE or not (before or after):
        return False
    return before != after or this.reads_others or outcome == Outcome.BUILT


def _settled(this: _Run) -> Outcome:
    this.wanted = float(this.derivation.demand(this.target))
    standing = writing.standing_facts(this.check)
    inputs = _read(this)
    if isinstance(inputs, Missing):
        store.request_many(this.check.account, inputs.refs, by=DEPENDENCY, now=this.now)
        return _ended(this, Outcome.MISSING)
    parts = parts_of(inputs)
    built_from = hash_of(parts, version=this.derivation.version)
    stamp = writing.Stamp(built_from, this.derivation.version, this.derivation.figures)
    if built_from == this.check.built_from and writing.are_from(built_from, standing):
        outcome, lines = Outcome.CONFIRMED, writing.confirming(standing, stamp)
    else:
        built = this.derivation.build(inputs)
        outcome = Outcome.BUILT
        lines = writing.building(this.check.account, built, standing, stamp, began=this.now)
    if _lost(this, lines):
        return _ended(this, Outcome.LOST)
    this.stamp, this.parts = stamp, parts
    return _ended(this, outcome)


def _read(this: _Run) -> Inputs | Missing:
    """The inputs, read while there were Dependency rows for all they are read from."""
    for _round in range(ROUNDS):
        this.reading = Reading(this.check.account, this.now)
        inputs = this.derivation.inputs(this.target, this.reading)
        new = this.reading.reads - this.known
        if not new:
            return inputs
        add_reads(this.check, new)
        this.known |= new
        this.reads_others = True
    raise UnsettledInputs(f"{this.derivation.name} reads something else each time it reads")


def _lost(this: _Run, lines: Sequence[store.Measurement]) -> bool:
    """Write ``lines``. True where a fact moved since the run began: it is asked for instead."""
    account, now = this.check.account, this.now
    with transaction.atomic():
        observed = store.observe_many(
            account, lines, by=this.derivation.owner, measured_from=now, now=now, check=this.check
        )
        if observed.conflicts:
            lost = {conflict.ref for conflict in observed.conflicts}
            writing.ask_for_lost(account, lines, lost, now=now)
    return bool(observed.conflicts)


def _failed(this: _Run, error: Exception) -> Outcome:
    """Keep the old values, say by a code why they could not be built, and try again later."""
    code = error.code if isinstance(error, KenError) else type(error).__name__.strip("_")[:40]
    logger.error(
        "a build failed: target %s of %s by code %s: %s in %s",
        *(this.check.pk, this.derivation.name, this.derivation.version, code, _where(error)),
    )
    store.observe_many(
        this.check.account,
        writing.failing(writing.standing_facts(this.check), code),
        by=this.derivation.owner,
        measured_from=this.now,
        now=this.now,
        check=this.check,
    )
    return _ended(this, Outcome.FAILED)


def _where(error: Exception) -> str:
    """The line that raised: all that may be said, for a message quotes data."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.name}, line {frame.lineno}"


def _due_again(this: _Run, row: Check, outcome: Outcome) -> datetime | None:
    """When the target is due if nobody asks. What lost its first race is tried again at once."""
    if outcome == Outcome.LOST and row.failures == 1:
        return this.now
    if row.failures:
        return this.now + min(timedelta(minutes=2 ** min(row.failures, 20)), PATIENCE)
    return this.reading.again_at


def _ended(this: _Run, outcome: Outcome) -> Outcome:
    """Write what the target has become. One asked for since the run began is due again."""
    now = this.now
    with transaction.atomic():
        row = Check.objects.select_for_update(no_key=True).filter(pk=this.check.pk).first()
        if row is None:
            return Outcome.GONE
        row.failures = row.failures + 1 if outcome in (Outcome.FAILED, Outcome.LOST) else 0
        row.due_at = now if row.asked != this.check.asked else _due_again(this, row, outcome)
        old = this.known - this.reading.reads
        if old and outcome != Outcome.FAILED:  # which may have read half of what it reads
            this.below, this.reads_others = rests_on([row.pk]), True
            drop_reads(row, old)
        if this.stamp is not None:
            row.built_from, row.built_parts = this.stamp.built_from, this.parts
        row.wanted, row.weight = this.wanted, 1 + this.wanted + row.demand
        row.built_by, row.last_checked = this.derivation.version, now
        if row.claims == this.check.claims:  # else another has it now
            row.lease_until = None
        row.save(update_fields=_WRITTEN)
    return outcome
