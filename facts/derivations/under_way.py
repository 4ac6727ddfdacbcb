"""Runs under way: what targets were when their runs began, and what becomes of them."""

import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from facts import store
from facts.derivations import writing
from facts.derivations.ahead import Ahead
from facts.derivations.declaring import Built, Derivation, Inputs, Missing, Target
from facts.derivations.dependencies import reads_of
from facts.derivations.hashing import hash_of, parts_of
from facts.derivations.reading import Read, Reading
from facts.derivations.writing import Place
from facts.errors import KenError
from facts.models import Check, Fact

logger = logging.getLogger(__name__)


class Outcome(StrEnum):
    """What became of a run."""

    BUILT = "built"
    CONFIRMED = "confirmed"  # the inputs are those it was built from
    MISSING = "missing"  # not all there yet
    FAILED = "failed"
    LOST = "lost"  # a fact moved meanwhile; the target stays due
    GONE = "gone"  # retired or another's by now, or its derivation is no longer registered


@dataclass(slots=True, eq=False)
class TargetRun:
    """One target's run: what it was when it began, and what it is to be afterwards.

    The inputs are read once: what is hashed is what ``build`` receives, and its hash is stored.
    """

    check: Check
    derivation: Derivation
    now: datetime
    known: set[Read]  # what there are Dependency rows for
    standing: dict[Place, Fact]  # what it built before
    reading: Reading
    wanted: float
    inputs: Inputs | Missing = field(default_factory=dict)
    outcome: Outcome | None = None  # none yet
    parts: dict[str, str] = field(default_factory=dict)
    stamp: writing.Stamp | None = None
    built: Built = field(default_factory=dict)
    new: list[writing.NewPlace] = field(default_factory=list)  # where it builds and built nothing
    lines: list[store.Measurement] = field(default_factory=list)
    reads_others: bool = False  # than it did before
    below: set[int] = field(default_factory=set)  # checks of facts that are read no longer
    still_asked_at: datetime | None = None  # the newest request that the run did not answer

    @property
    def target(self) -> Target:
        return Target(self.check.account, self.check.target)

    @property
    def new_reads(self) -> set[Read]:
        """What it read and nobody who changes it would know of."""
        return self.reading.reads - self.known

    def read(self, ahead: Ahead) -> None:
        """Read the inputs, and how much the target is wanted."""
        self.wanted = float(self.derivation.demand(self.target))
        self.reading = Reading(self.check.account, self.now, ahead=ahead)
        self.inputs = self.derivation.inputs(self.target, self.reading)

    def build(self) -> None:
        """Compare the inputs with those the target was built from, and build where they differ."""
        if isinstance(self.inputs, Missing):
            self.outcome = Outcome.MISSING
            return
        self.parts = parts_of(self.inputs)
        built_from = hash_of(self.parts, version=self.derivation.version)
        self.stamp = writing.Stamp(built_from, self.derivation.version, self.derivation.figures)
        if built_from == self.check.built_from and writing.are_from(built_from, self.standing):
            self.lines = writing.confirming(self.standing, self.stamp)
            self.outcome = Outcome.CONFIRMED
        else:
            self.built = dict(self.derivation.build(self.inputs))
            self.new = [
                writing.NewPlace(self.check.account_id, person, ref.namespace, ref.kind, ref.key)
                for person, ref in self.built
                if (person, ref) not in self.standing
            ]
            self.outcome = Outcome.BUILT

    def fail(self, error: Exception) -> None:
        """Keep the old values, and say by a code why they could not be built."""
        code = error.code if isinstance(error, KenError) else type(error).__name__.strip("_")[:40]
        logger.error(
            "a build failed: target %s of %s by code %s: %s in %s",
            *(self.check.pk, self.derivation.name, self.derivation.version, code, _where(error)),
        )
        self.lines = writing.failing(self.standing, code)
        self.outcome = Outcome.FAILED

    @property
    def moves_demand(self) -> bool:
        """Whether what the target rests on may have another demand than before the run.

        A build may have read a fact that no check had settled before.
        """
        before, after = self.check.wanted + self.check.demand, self.wanted + self.check.demand
        if self.outcome == Outcome.GONE or not (before or after):
            return False
        return before != after or self.reads_others or self.outcome == Outcome.BUILT


def begun(checks: Sequence[Check], derivation: Derivation, *, now: datetime) -> list[TargetRun]:
    """A run for each of ``checks`` that is still there and ours, in three statements.

    What has been asked for is seen before anything is read, so that a wish from then on shows.
    """
    seen = Check.objects.select_related("account").in_bulk([check.pk for check in checks])
    ours = [seen[check.pk] for check in checks if _is_ours(check, seen.get(check.pk))]
    known, standing = reads_of(ours), writing.standing_facts(ours)
    return [
        TargetRun(
            *(check, derivation, now, known[check.pk], standing[check.pk]),
            Reading(check.account, now),
            check.wanted,
        )
        for check in ours
    ]


def _is_ours(claimed: Check, seen: Check | None) -> bool:
    """Whether a claimed target is there, and no other worker's since its lease was lost."""
    if seen is None:
        return False
    return claimed.lease_until is None or claimed.claims == seen.claims


def _where(error: Exception) -> str:
    """The line that raised: all that may be said, for a message quotes data."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].name}, line {frames[-1].lineno}" if frames else "what it reads"
