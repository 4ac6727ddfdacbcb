"""The statements a probe runs, built without a connection: what is read of a table, and how.

Each reads the columns it needs and no other, returns figures (and, for vocabularies, values that
are shared), and costs what ``tests/benchmarks/probe.py`` shows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, FromClause, Select, func

from facts.probing.layout import Column, Layout, Relation

WHITESPACE = " \t\n\r\v\f"
SEED = 7  # of a sample: the same rows every time, while the table stays as it is
FIRST_ROWS = 50_000  # of a view, where no better sample of it can be had

_PRIME = 1_000_003  # scatters SQLite's row numbers, so that a sample is no run of neighbours
_FACTOR = 7919


@dataclass(frozen=True, slots=True)
class Part:
    """How much of a table is read: all of it, or ``share`` of it, by the layout's sampling."""

    share: float = 1.0

    def of(self, layout: Layout, columns: Iterable[str]) -> FromClause:
        """The rows to read, with ``columns``, under a name that no table's can be mistaken for."""
        names = list(dict.fromkeys(columns))
        table = table_of(layout.schema, layout.name, names)
        if self.share >= 1:
            return table.alias("source")
        if layout.sampling == "system":
            return table.tablesample(
                func.system(round(100 * self.share, 8)),
                name="source",
                seed=sa.literal_column(str(SEED)),
            )
        chosen = sa.select(*table.c)
        if layout.sampling == "rowid":
            number: ColumnElement[Any] = sa.literal_column(layout.rowid)
            scattered = (number % _PRIME + _PRIME) % _PRIME * _FACTOR % _PRIME
            chosen = chosen.where(scattered < int(_PRIME * self.share))
        else:
            chosen = chosen.limit(FIRST_ROWS)
        return chosen.subquery("source")


def table_of(schema: str, name: str, columns: Iterable[str]) -> sa.TableClause:
    """A table by its place, for statements only."""
    return sa.table(name, *(sa.column(column) for column in columns), schema=schema or None)


def one_pass(
    layout: Layout,
    part: Part,
    columns: Sequence[Column],
    together: Sequence[tuple[str, ...]] = (),
    *,
    backend: str,
) -> Select[Any]:
    """Count the rows, the filled ones of each of ``columns``, and those where each set is there.

    A set of ``together`` is there where all of its columns are. Filled is neither null nor blank.
    """
    names = [column.name for column in columns]
    rows = part.of(layout, [*names, *(name for group in together for name in group)])
    counts = [func.count(filled(rows.c[column.name], column, backend)) for column in columns]
    counts += [func.count(_all_there([rows.c[name] for name in group])) for group in together]
    numbered = [count.label(f"n{number}") for number, count in enumerate(counts)]
    wanted: list[Any] = [func.count().label("rows"), *numbered]
    return sa.select(*wanted).select_from(rows)


def filled(value: ColumnElement[Any], column: Column, backend: str) -> ColumnElement[Any]:
    """An expression that is null where ``value`` is null or blank, and only there.

    Most texts start with something to see, which comparing bytes decides for a fraction of what
    trimming costs; most others are empty, which comparing lengths decides. In SQLite any column
    may hold a text.
    """
    if backend == "sqlite" and column.type != "binary":
        seen = value.collate("BINARY") >= sa.literal_column("'!'")
        return sa.case((seen, 1), (func.trim(value, WHITESPACE) != "", 1))
    if column.type != "text":
        return value
    if backend == "postgresql":
        text = value if column.plain else sa.cast(value, sa.Text)
        seen = text.op("~>=~", is_comparison=True)(sa.literal_column("'!'"))
        trimmed = func.btrim(text, sa.literal_column(r"E' \t\n\r\v\f'"))
        empty: ColumnElement[str] = sa.literal_column("''")
        return sa.or_(seen, sa.case((sa.and_(text != empty, trimmed != empty), sa.true())))
    return sa.case((func.char_length(func.trim(value)) > 0, 1))


def hop(layout: Layout, part: Part, relation: Relation) -> Select[Any]:
    """In how many rows ``relation`` reaches a row of its table: a semi-join."""
    rows = part.of(layout, relation.columns)
    target = table_of(relation.schema, relation.table, relation.key).alias("target")
    meets = [
        target.c[key] == rows.c[name]
        for name, key in zip(relation.columns, relation.key, strict=True)
    ]
    reached: Select[Any] = (
        sa.select(sa.literal_column("1")).select_from(target).where(*meets).correlate(rows)
    )
    return sa.select(func.count().label("reached")).select_from(rows).where(reached.exists())


def diversity(layout: Layout, part: Part, groups: Sequence[tuple[str, ...]]) -> Select[Any]:
    """In how many rows each set of columns is there, and with how many different contents."""
    rows = part.of(layout, [name for group in groups for name in group])
    counts: list[ColumnElement[Any]] = []
    for number, group in enumerate(groups):
        columns = [rows.c[name] for name in group]
        there = _all_there(columns)
        one = columns[0] if len(columns) == 1 else joined(columns)
        counts.append(func.count(there).label(f"n{number}"))
        counts.append(func.count(sa.distinct(one)).label(f"d{number}"))
    return sa.select(*counts).select_from(rows)


def _all_there(columns: Sequence[ColumnElement[Any]]) -> ColumnElement[Any]:
    if len(columns) == 1:
        return columns[0]
    return sa.case((sa.and_(*(column.is_not(None) for column in columns)), 1))


def joined(columns: Sequence[ColumnElement[Any]]) -> ColumnElement[Any]:
    """Several columns as one text, null where one of them is."""
    joined: ColumnElement[Any] = sa.cast(columns[0], sa.String)
    for column in columns[1:]:
        joined = joined + sa.literal("\x1f") + sa.cast(column, sa.String)
    return joined
