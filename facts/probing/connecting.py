"""Connecting a database: everything is checked before anything is written."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from sqlalchemy import URL

from facts.errors import KenError
from facts.models import Account, Source
from facts.probing import mapping as mappings
from facts.probing.checking import Outcome
from facts.probing.codes import AT_THE_DOOR
from facts.probing.errors import SourceRefused, SourceTrouble, Unreadable
from facts.probing.keys import encrypted
from facts.probing.learning import Done, Learned, Progress, Watch, nobody_notes, read_tables
from facts.probing.reader import Reader
from facts.probing.reflection import Catalogue, reflect
from facts.probing.registering import catalogue_check, register_catalogue
from facts.probing.slots import slot_of
from facts.probing.standing import Standing
from facts.probing.urls import source_url, spelled

LONGEST_ID = 200  # characters of the product's own id of an account
LONGEST_NAME = 100  # characters of a source's name


def connect(
    account_id: str,
    url: str,
    *,
    name: str = "main",
    mapping: Mapping[str, Any] | None = None,
    clock: Callable[[], datetime] = timezone.now,
    progress: Progress | None = None,
    done: Done = nobody_notes,
) -> Learned:
    """Register a database as the account's source ``name``, or find it again, and learn it now.

    The account is made if there is none. Without ``mapping`` a source that is found again keeps its
    own. Raises KenError for a bad name, SourceRefused and BadMapping, and then nothing was written.
    """
    _demand_names(account_id, name)
    if mapping is not None:
        mappings.demand_shape(mapping)
    address = source_url(url)
    encrypted("")  # a missing key is told before anything is connected
    before = Source.objects.filter(account__external_id=account_id, name=name).first()
    watch = Watch(clock, progress, done)
    try:
        with _slot_if(before), Reader(address) as reader:
            learned = _registered(reader, account_id, name, address, mapping, watch)
            with slot_of(learned.source, wait=True):
                read_tables(learned, reader, watch)
            return learned
    except SourceTrouble as trouble:
        said = AT_THE_DOOR.get(trouble.code, f"the source fails: {trouble.code}")
        raise SourceRefused(said) from None


def _registered(  # noqa: PLR0917  one step of connect, with all it was given
    reader: Reader,
    account_id: str,
    name: str,
    address: URL,
    mapping: Mapping[str, Any] | None,
    watch: Watch,
) -> Learned:
    """The source, registered with all its tables, which nothing was read of yet."""
    known = Account.objects.filter(external_id=account_id).first()
    standing = Standing.of_account(known) if known else Standing()
    measured_from = watch.clock()
    catalogue = _reflected(reader)
    if mapping is not None:
        mappings.demand_fit(mapping, catalogue.layouts, catalogue.default_schema)
    with transaction.atomic():
        source, is_new = _source(account_id, name, encrypted(spelled(address)), mapping)
        register_catalogue(
            source,
            catalogue,
            backend=reader.backend,
            standing=standing,
            measured_from=measured_from,
            now=watch.clock(),
        )
        _demand_tables(source, catalogue)
    watch.done(catalogue_check(source), Outcome(seconds=reader.seconds), measured_from)
    return Learned(source, is_new, seconds=reader.seconds)


def _slot_if(source: Source | None) -> AbstractContextManager[object]:
    """A slot of a source that is there already: others may be reading it."""
    return slot_of(source, wait=True) if source else nullcontext()


def _reflected(reader: Reader) -> Catalogue:
    try:
        return reflect(reader)
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
