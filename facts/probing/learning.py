"""Learning what is in a source now: its catalogue, then its tables."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from facts.errors import Conflict
from facts.models import Check, Fact, Source
from facts.probing.checking import Outcome, note_trouble, reader_of, run_with
from facts.probing.errors import SourceTrouble
from facts.probing.reader import Reader
from facts.probing.registering import catalogue_check
from facts.probing.slots import slot_of

Progress = Callable[[int, int], None]
"""Called with how many tables were read and how many there are to read."""
Done = Callable[[Check, Outcome, datetime], None]
"""Called with a check that was done, what it came to and when it started: the scheduler's notes."""


def nobody_notes(_check: Check, _outcome: Outcome, _now: datetime) -> None:
    """For those who keep no schedule."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What goes along while tables are read: the time, who sees the progress, who takes notes."""

    clock: Callable[[], datetime] = timezone.now
    progress: Progress | None = None
    done: Done = nobody_notes


@dataclass(slots=True)
class Learned:
    """What learning a source came to."""

    source: Source
    is_new: bool = False
    tables: int = 0  # that were read
    left: int = 0  # that the time did not suffice for
    facts: int = 0  # that were written
    changed: int = 0  # tables that something new was found in
    seconds: float = 0.0  # of the source's time
    statements: int = 0
    trouble: str = ""
    failures: dict[str, str] = field(default_factory=dict)  # what can't be read, and why
    sampled: list[str] = field(default_factory=list)  # labels
    row_security: list[str] = field(default_factory=list)  # labels of which some rows are seen
    conflicts: list[Conflict] = field(default_factory=list)

    def add(self, check: Check, outcome: Outcome) -> None:
        """Count what one check came to."""
        self.seconds += outcome.seconds
        self.statements += outcome.statements
        self.facts += outcome.facts
        self.conflicts += outcome.conflicts
        self.trouble = outcome.trouble
        name = str(check.table or "the catalogue")
        if outcome.failure:
            self.failures[name] = outcome.failure
        for column, code in outcome.refused.items():
            self.failures[f"{name}.{column}"] = code
        if check.table is None or outcome.trouble:
            return
        self.tables += 1
        self.changed += outcome.changed
        if outcome.is_sampled:
            self.sampled.append(name)
        if check.table.structure.get("row_security"):
            self.row_security.append(name)


def learn(
    source: Source,
    *,
    seconds: float | None = None,
    clock: Callable[[], datetime] = timezone.now,
    progress: Progress | None = None,
    done: Done = nobody_notes,
) -> Learned:
    """Look through the source's catalogue, then read its tables until ``seconds`` are spent.

    The seconds are of the source's time. What was asked for comes first, then what was read longest
    ago. Raises nothing of the source's: its trouble is what was learned.
    """
    learned, watch = Learned(source), Watch(clock, progress, done)
    with slot_of(source, wait=True):
        try:
            with reader_of(source) as reader:
                now, check = clock(), catalogue_check(source)
                outcome = run_with(reader, check, now=now)
                learned.add(check, outcome)
                if not outcome.trouble:
                    done(check, outcome, now)
                    read_tables(learned, reader, watch, seconds=seconds)
        except SourceTrouble as trouble:
            note_trouble(source, trouble.code)
            learned.trouble = trouble.code
    return learned


def read_tables(
    learned: Learned, reader: Reader, watch: Watch, *, seconds: float | None = None
) -> None:
    """Read the source's tables until all are read, ``seconds`` are spent or the source is gone."""
    checks = _most_wanted_first(learned.source)
    learned.left = len(checks)
    for check in checks:
        if seconds is not None and learned.seconds >= seconds:
            break
        now = watch.clock()
        outcome = run_with(reader, check, now=now)
        learned.add(check, outcome)
        if outcome.trouble:
            break
        learned.left -= 1
        watch.done(check, outcome, now)
        if watch.progress:
            watch.progress(len(checks) - learned.left, len(checks))


def _most_wanted_first(source: Source) -> list[Check]:
    asked_for = Fact.objects.open().filter(settled_by=OuterRef("pk"))
    return list(
        source.checks.filter(kind=Check.Kind.TABLE)
        .select_related("source__account", "table")
        .annotate(is_asked_for=Exists(asked_for))
        .order_by("-is_asked_for", F("last_checked").asc(nulls_first=True), "table__label")
    )
