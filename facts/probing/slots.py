"""How many probes read a source at once, whatever process they run in.

A slot is an advisory lock in our own database, so one that is lost with its process is free again.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from facts.models import Source

_NAME = "ken source {source} slot {slot}"


@contextmanager
def slot_of(source: Source, *, wait: bool) -> Iterator[bool]:
    """One of the source's slots while the block runs, and whether there was one.

    With ``wait`` the answer is always yes, after a while. A query; a second one to give it back.
    """
    slot = _free_slot(source)
    if slot is None and wait:
        slot = _NAME.format(source=source.pk, slot=0)
        _ask("SELECT pg_advisory_lock(hashtextextended(%s, 0)) IS NOT NULL", slot)
    try:
        yield slot is not None
    finally:
        if slot is not None:
            _ask("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", slot)


def _free_slot(source: Source) -> str | None:
    for number in range(source.concurrency):
        slot = _NAME.format(source=source.pk, slot=number)
        if _ask("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", slot):
            return slot
    return None


def _ask(query: str, slot: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(query, [slot])
        row = cursor.fetchone()
    return bool(row and row[0])
