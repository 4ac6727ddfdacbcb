"""Connecting a database, and learning what is in it now."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from facts.errors import Conflict, KenError
from facts.models import Account, Check, Fact, Source
from facts.probing import mapping as mappings
from facts.probing.checking import Outcome, note_trouble, reader_of, run_with
from facts.probing.codes import AT_THE_DOOR
from facts.probing.errors import SourceRefused, SourceTrouble, Unreadable
from facts.probing.keys import encrypted
from facts.probing.reader import Reader
from facts.probing.reflection import Catalogue, reflect
from facts.probing.registering import catalogue_check, register_catalogue
from facts.probing.slots import slot_of
from facts.probing.standing import Standing
from facts.probing.urls import source_url, spelled

LONGEST_ID = 200  # characters of the product's own id of an account
LONGEST_NAME = 100  # characters of a source's name

Clock = Callable[[], datetime]
Progress = Callable[[int, int], None]
"""Called with how many tables were read and how many there are to read."""
Done = Callable[[Check, Outcome, datetime], None]
"""Called with a check that was done, what it came to and when it started: the scheduler's notes."""


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


def nobody_notes(_check: Check, _outcome: Outcome, _now: datetime) -> None:
    """For those who keep no schedule."""


def connect(
    account_id: str,
    url: str,
    *,
    name: str = "main",
    mapping: Mapping[str, Any] | None = None,
    clock: Clock = timezone.now,
    progress: Progress | None = None,
    done: Done = nobody_notes,
) -> Learned:
    """Register a database as the account's source ``name``, or find it again, and learn it now.

    The account is made if there is none. Without ``mapping`` a source that is found again keeps its
    own. Raises SourceRefused and BadMapping, and then nothing was written.
    """
    _demand_names(account_id, name)
    if mapping is not None:
        mappings.demand_shape(mapping)
    address = source_url(url)
    token = encrypted(spelled(address))
    known = Account.objects.filter(external_id=account_id).first()
    before = known.sources.filter(name=name).first() if known else None
    standing = Standing.of_account(known) if known else Standing()
    measured_from = clock()
    try:
        with _slot_if(before), Reader(address) as reader:
            catalogue = _reflected(reader, before)
            if mapping is not None:
                mappings.demand_fit(mapping, catalogue.layouts, catalogue.default_schema)
            with transaction.atomic():
                source, is_new = _source(account_id, name, token, mapping)
                register_catalogue(
                    source,
                    catalogue,
                    backend=reader.backend,
                    standing=standing,
                    measured_from=measured_from,
                    now=clock(),
                )
                _demand_tables(source, catalogue)
            learned = Learned(source, is_new, seconds=reader.seconds)
            check = catalogue_check(source)
            done(check, Outcome(seconds=reader.seconds), measured_from)
            with slot_of(source, wait=True):
                _learn(
                    learned,
                    reader,
                    source.checks.filter(kind=Check.Kind.TABLE),
                    clock=clock,
                    progress=progress,
                    done=done,
                )
            return learned
    except SourceTrouble as trouble:
        raise SourceRefused(
            AT_THE_DOOR.get(trouble.code, f"the source fails: {trouble.code}")
        ) from None


def _slot_if(source: Source | None) -> AbstractContextManager[object]:
    """A slot of a source that is there already: others may be reading it."""
    return slot_of(source, wait=True) if source else nullcontext()


def learn(
    source: Source,
    *,
    seconds: float | None = None,
    clock: Clock = timezone.now,
    progress: Progress | None = None,
    done: Done = nobody_notes,
) -> Learned:
    """Look through the source's catalogue, then read its tables until ``seconds`` are spent.

    The seconds are of the source's time. What was asked for comes first, then what was read longest
    ago.
    """
    learned = Learned(source)
    with slot_of(source, wait=True):
        try:
            with reader_of(source) as reader:
                now, check = clock(), catalogue_check(source)
                outcome = run_with(reader, check, now=now)
                learned.add(check, outcome)
                if not outcome.trouble:
                    done(check, outcome, now)
                    _learn(
                        learned,
                        reader,
                        source.checks.filter(kind=Check.Kind.TABLE),
                        seconds=seconds,
                        clock=clock,
                        progress=progress,
                        done=done,
                    )
        except SourceTrouble as trouble:
            note_trouble(source, trouble.code)
            learned.trouble = trouble.code
    return learned


def _learn(
    learned: Learned,
    reader: Reader,
    checks: Any,
    *,
    seconds: float | None = None,
    clock: Clock,
    progress: Progress | None,
    done: Done,
) -> None:
    waiting = _most_wanted_first(checks)
    for number, check in enumerate(waiting):
        if learned.trouble or (seconds is not None and learned.seconds >= seconds):
            learned.left = len(waiting) - number
            break
        now = clock()
        outcome = run_with(reader, check, now=now)
        learned.add(check, outcome)
        if not outcome.trouble:
            done(check, outcome, now)
        if progress:
            progress(number + 1, len(waiting))


def _most_wanted_first(checks: Any) -> list[Check]:
    asked_for = Fact.objects.open().filter(settled_by=OuterRef("pk"))
    return list(
        checks.select_related("source__account", "table")
        .annotate(is_asked_for=Exists(asked_for))
        .order_by("-is_asked_for", F("last_checked").asc(nulls_first=True), "table__label")
    )


def _reflected(reader: Reader, before: Source | None) -> Catalogue:
    limit = before.row_limit if before else Source._meta.get_field("row_limit").get_default()
    try:
        return reflect(reader, row_limit=limit)
    except Unreadable as unreadable:
        raise SourceRefused(f"the source's catalogue can't be read: {unreadable.code}") from None


def _source(
    account_id: str, name: str, token: str, mapping: Mapping[str, Any] | None
) -> tuple[Source, bool]:
    account, _ = Account.objects.get_or_create(external_id=account_id)
    said = {"encrypted_url": token} | ({} if mapping is None else {"mapping": dict(mapping)})
    return Source.objects.update_or_create(account=account, name=name, defaults=said)


def _demand_tables(source: Source, catalogue: Catalogue) -> None:
    if source.tables.filter(gone_at=None).exists():
        return
    views = sum(layout.is_view for layout in catalogue.layouts)
    hint = f"; of its {views} views a mapping can make types" if views else ""
    raise SourceRefused(f"the database has no tables that this user can see{hint}")


def _demand_names(account_id: str, name: str) -> None:
    for text, what, longest in (
        (account_id, "an account's id", LONGEST_ID),
        (name, "a source's name", LONGEST_NAME),
    ):
        if not text.strip() or len(text) > longest or not text.isprintable():
            raise KenError(f"{what} is a printable text of up to {longest} characters")
