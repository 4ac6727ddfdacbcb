"""What SQLite's catalogue knows beyond other databases': which tables have a row's number."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError

from facts.probing.layout import Layout

_TABLES = text(
    "SELECT name, type, wr AS without_rowid FROM pragma_table_list WHERE schema = 'main'"
)
_ROWIDS = ("rowid", "_rowid_", "oid")
COUNTED_FROM = 100_000  # rows; numbers with gaps may say far more than there are
_AT_ONCE = 100  # tables in one statement


def filled_in(connection: Connection, layouts: Sequence[Layout]) -> list[Layout]:
    """The tables and views among ``layouts`` that stand for themselves, with what is known here.

    The tables behind a full-text index are the index's. A table has at most as many rows as its
    highest row number says; where that is past ``COUNTED_FROM`` its rows are counted, which SQLite
    does over its smallest index.
    """
    known = {row.name: row for row in connection.execute(_TABLES)}
    filled = []
    for layout in layouts:
        row = known.get(layout.name)
        if row is None or row.type == "shadow":
            continue
        rowid = "" if row.type != "table" or row.without_rowid else _rowid(layout)
        filled.append(replace(layout, rowid=rowid, sampling="rowid" if rowid else "first"))
    highest = _highest(connection, [layout for layout in filled if layout.rowid])
    return [_counted(connection, layout, highest.get(layout.name)) for layout in filled]


def _rowid(layout: Layout) -> str:
    taken = {column.name.lower() for column in layout.columns}
    return next((name for name in _ROWIDS if name not in taken), "")


def _highest(connection: Connection, layouts: Iterable[Layout]) -> dict[str, int]:
    found: dict[str, int] = {}
    remaining = iter(layouts)
    while some := list(islice(remaining, _AT_ONCE)):
        parts: list[Any] = [
            sa.select(
                sa.literal(layout.name).label("name"),
                sa.func.max(sa.column(layout.rowid)).label("highest"),
            ).select_from(sa.table(layout.name))
            for layout in some
        ]
        for row in connection.execute(sa.union_all(*parts)):
            found[row.name] = row.highest or 0
    return found


def _counted(connection: Connection, layout: Layout, highest: int | None) -> Layout:
    if highest is not None and highest <= COUNTED_FROM:
        return replace(layout, rows=highest)
    if layout.is_view:
        return layout
    count = sa.select(sa.func.count()).select_from(sa.table(layout.name))
    try:
        return replace(layout, rows=connection.execute(count).scalar_one())
    except DatabaseError:
        return layout  # the probe will say why it can't be read
