"""Doing a check: reading what it is about, and writing down what was found.

What the scheduler calls. A check's facts are all settled by one run; the run reads their versions
before it starts, and a fact that moved meanwhile is told as a conflict and not tried again.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from facts import store
from facts.errors import Conflict, KenError
from facts.models import Check, Source
from facts.probing.codes import MOVED
from facts.probing.errors import SourceRefused, SourceTrouble, Unreadable
from facts.probing.keys import decrypted, rotated
from facts.probing.layout import Layout
from facts.probing.probe import Probed, probe, refs_of
from facts.probing.reader import Reader
from facts.probing.reflection import reflect
from facts.probing.registering import register_catalogue
from facts.probing.slots import slot_of
from facts.probing.standing import OBSERVER, Standing
from facts.probing.urls import stored_url
from facts.refs import Ref
from facts.store import Measurement

CHECK_SECONDS = 45.0  # that a check may take; workers are stopped after a minute


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check came to, and what it cost the source.

    ``trouble`` is the source's and says nothing about facts: they stand as they stood, requests
    stay open. ``failure`` is that of the table itself, written to its facts. ``is_busy`` says that
    the source is being read as often as it may be at once, and nothing was done.
    """

    seconds: float = 0.0  # of the source's time
    statements: int = 0
    changed: bool = False  # whether any fact says something else than before
    trouble: str = ""
    failure: str = ""
    refused: dict[str, str] = field(default_factory=dict)  # columns that can't be read, and why
    is_sampled: bool = False
    is_busy: bool = False
    facts: int = 0  # that were written
    conflicts: list[Conflict] = field(default_factory=list)


def run_check(check: Check, *, now: datetime, wait: bool = False) -> Outcome:
    """Read what ``check`` is about and write down what was found.

    With ``wait``, a source that is being read as often as it may be is waited for.
    """
    source = _source_of(check)
    with slot_of(source, wait=wait) as is_free:
        if not is_free:
            return Outcome(is_busy=True)
        try:
            with reader_of(source) as reader:
                return run_with(reader, check, now=now)
        except SourceTrouble as trouble:
            note_trouble(source, trouble.code)
            return Outcome(trouble=trouble.code)


def run_with(reader: Reader, check: Check, *, now: datetime) -> Outcome:
    """Do ``check`` over a connection to its source. Raises nothing of the source's."""
    source = _source_of(check)
    seconds, statements = reader.seconds, reader.statements
    reader.allow(CHECK_SECONDS)
    try:
        outcome = (
            _read_catalogue(reader, source, now=now)
            if check.kind == Check.Kind.CATALOGUE
            else _read_table(reader, source, check, now=now)
        )
        if source.failure:
            note_trouble(source, "")
    except SourceTrouble as trouble:
        note_trouble(source, trouble.code)
        outcome = Outcome(trouble=trouble.code)
    return replace(
        outcome,
        seconds=reader.seconds - seconds,
        statements=reader.statements - statements,
    )


def reader_of(source: Source) -> Reader:
    """A reader of the source, not connected yet. Raises SourceTrouble where no key opens it."""
    try:
        return Reader(stored_url(decrypted(source.encrypted_url)))
    except SourceRefused:
        raise SourceTrouble("lost-key") from None


def tried(source: Source) -> str:
    """Whether the source can be reached: empty, or the code of the trouble, which is noted."""
    with slot_of(source, wait=False) as is_free:
        if not is_free:  # it is being read at this moment
            return ""
        try:
            with reader_of(source):
                code = ""
        except SourceTrouble as trouble:
            code = trouble.code
    note_trouble(source, code)
    return code


def note_trouble(source: Source, code: str) -> None:
    """Note that the source can't be reached, or with no code that it can be again."""
    source.failure = code
    source.save(update_fields=["failure"])


def _read_catalogue(reader: Reader, source: Source, *, now: datetime) -> Outcome:
    standing = Standing.of_account(source.account)
    try:
        catalogue = reflect(reader)
    except Unreadable as unreadable:
        return Outcome(failure=unreadable.code)
    registered = register_catalogue(
        source,
        catalogue,
        backend=reader.backend,
        standing=standing,
        measured_from=now,
        now=now,
    )
    _rotate_key(source)
    return Outcome(
        changed=registered.changed,
        facts=len(registered.layouts),
        conflicts=registered.conflicts,
    )


def _read_table(reader: Reader, source: Source, check: Check, *, now: datetime) -> Outcome:
    table = check.table
    if table is None or table.gone_at is not None:
        return Outcome()
    layout = Layout.of_plain(table.structure)
    refs = [ref for some in refs_of(layout).values() for ref in some]
    standing = Standing.at(source.account, refs)
    probed = probe(reader, layout, row_limit=source.row_limit)
    if probed.refused:
        layout = layout.refusing(probed.refused)
        table.structure = layout.as_plain()
        table.save(update_fields=["structure"])
    if probed.again:
        probed = probe(reader, layout, row_limit=source.row_limit)
    refused = {column.name: column.refused for column in layout.shown if column.refused}
    if MOVED & {probed.failure, *refused.values()}:
        Check.objects.filter(source=source, kind=Check.Kind.CATALOGUE).update(due_at=now)
    observed = store.observe_many(
        source.account,
        _measurements(probed, standing),
        by=OBSERVER,
        measured_from=now,
        now=now,
        check=check,
    )
    return Outcome(
        changed=standing.is_changed(observed.written),
        failure=probed.failure,
        refused={} if probed.failure else refused,
        is_sampled=probed.is_sampled,
        facts=len(observed.written),
        conflicts=observed.conflicts,
    )


def _measurements(probed: Probed, standing: Standing) -> list[Measurement]:
    return [
        Measurement(
            ref=ref,
            version=standing[ref].version,
            outcome="failed" if found.failure else "confirmed",
            value=found.value,
            failure=found.failure,
            figures=_figures(ref, found.value),
        )
        for ref, found in probed.found.items()
    ]


def _figures(ref: Ref, value: Any) -> dict[str, float] | None:
    """The number in ``value`` whose history shows a trend."""
    name = {"label": "count", "fill": "fill", "hop": "coverage"}.get(ref.kind, "")
    number = (value or {}).get(name)
    return None if number is None else {name: number}


def _rotate_key(source: Source) -> None:
    token = rotated(source.encrypted_url)
    if token != source.encrypted_url:
        source.encrypted_url = token
        source.save(update_fields=["encrypted_url"])


def _source_of(check: Check) -> Source:
    if check.source is None:
        raise KenError(f"{check} reads no source")
    return check.source
