"""The statement that reads vocabularies: values that are shared, with how many records share them.

A value leaves the source only if three records share it and, where records belong to people, three
people do. On PostgreSQL the columns of a table are grouped together in one scan, each in its own
grouping set; elsewhere one statement reads one column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, FromClause, Select, func

from facts.guard.values import LONGEST, SHARED_BY
from facts.probing.layout import Column, Layout
from facts.probing.statements import Part, joined

MOST_WORDS = 200  # of a vocabulary; the rest is counted as "more"
TOGETHER = 16  # columns grouped in one statement
_LONGEST_BYTES = 4 * LONGEST
_BUCKETS = 62  # bits of a bigint that may be set without touching its sign
_AS_TEXT = ("date", "time", "timestamp", "enum")


@dataclass(frozen=True, slots=True)
class Owners:
    """The columns that say whom a record belongs to, and how many people a value must be of.

    ``needed`` is three, or all there are where a lesser relation reaches fewer (two clerks say
    nothing about either, if both are there).
    """

    columns: tuple[str, ...]
    needed: int = SHARED_BY


def words(
    layout: Layout,
    part: Part,
    columns: Sequence[Column],
    owners: Sequence[Owners],
    *,
    exact: bool,
    backend: str,
) -> Select[Any]:
    """Rows of (``which``, ``value0``.., ``records``, ``owners``, ``few``, ``shared``).

    ``which`` is the column's place in ``columns``; its value stands in ``value<which>``, null where
    too few people share it. ``owners`` counts people by the first of the relations given,
    ``few`` the column's values that too few people share, ``shared`` those that may be seen.

    Counting people exactly costs several passes. Where it need not be ``exact`` they are counted
    in ``_BUCKETS`` buckets, which may fall short and never exceeds: a word may be missed so (one in
    twenty of those with exactly three owners), and none is let out.
    """
    people = [name for one in owners for name in one.columns]
    source = part.of(layout, [*(column.name for column in columns), *people])
    wanted = [
        _word(source.c[column.name], column, backend).label(f"value{number}")
        for number, column in enumerate(columns)
    ]
    persons = [
        _person([source.c[name] for name in one.columns], layout, one, exact).label(f"person{rank}")
        for rank, one in enumerate(owners)
    ]
    rows = sa.select(*wanted, *persons).select_from(source)
    if len(columns) == 1:
        rows = rows.where(source.c[columns[0].name].is_not(None))
    groups = _grouped(rows.subquery("rows"), len(columns), owners, exact=exact)
    return _seen(groups.subquery("groups"), columns, owners, exact=exact, backend=backend)


def _grouped(rows: FromClause, width: int, owners: Sequence[Owners], *, exact: bool) -> Select[Any]:
    values = [rows.c[f"value{number}"] for number in range(width)]
    counted = [
        (
            func.count(sa.distinct(rows.c[f"person{rank}"]))
            if exact
            else func.coalesce(func.bit_or(rows.c[f"person{rank}"]), 0)
        ).label(f"people{rank}")
        for rank in range(len(owners))
    ]
    which: ColumnElement[Any] = sa.literal_column("0")
    grouping: list[ColumnElement[Any]] = list(values)
    if width > 1:
        which = func.grouping(*values)
        grouping = [func.grouping_sets(*(sa.tuple_(value) for value in values))]
    return (
        sa.select(which.label("which"), *values, func.count().label("records"), *counted)
        .group_by(*grouping)
        .having(func.count() >= SHARED_BY)
    )


def _seen(
    groups: FromClause,
    columns: Sequence[Column],
    owners: Sequence[Owners],
    *,
    exact: bool,
    backend: str,
) -> Select[Any]:
    values = [groups.c[f"value{number}"] for number in range(len(columns))]
    enough = sa.and_(
        sa.true(),
        *(
            _is_enough(groups.c[f"people{rank}"], one.needed, exact=exact)
            for rank, one in enumerate(owners)
        ),
    )
    which = groups.c.which
    there = sa.or_(*(value.is_not(None) for value in values))
    order = [sa.case((enough, 0), else_=1), groups.c.records.desc(), *values]
    ranked = (
        sa.select(
            which,
            *(
                sa.case((enough, _sent(value, column, backend))).label(value.name)
                for value, column in zip(values, columns, strict=True)
            ),
            groups.c.records,
            (groups.c.people0 if owners else sa.null()).label("owners"),
            func.sum(sa.case((enough, 0), else_=1)).over(partition_by=groups.c.which).label("few"),
            func.sum(sa.case((enough, 1), else_=0))
            .over(partition_by=groups.c.which)
            .label("shared"),
            func.row_number().over(partition_by=groups.c.which, order_by=order).label("place"),
        )
        .where(there)
        .subquery("ranked")
    )
    return sa.select(*(column for column in ranked.c if column.name != "place")).where(
        ranked.c.place <= MOST_WORDS
    )


def _word(value: ColumnElement[Any], column: Column, backend: str) -> ColumnElement[Any]:
    """``value``, or null where it is longer than any word: long texts are not even grouped."""
    if column.type == "array" or column.type not in ("text", "enum"):
        return value
    if backend == "sqlite":
        value = value.collate("BINARY")
        return sa.case((func.length(value) <= LONGEST, value))
    if backend != "postgresql" or column.type == "enum":
        return value
    text = value if column.plain else sa.cast(value, sa.Text)
    if column.length is None or column.length > LONGEST:
        text = sa.case((func.octet_length(text) <= _LONGEST_BYTES, text))
    return text.collate("C")


def _sent(value: ColumnElement[Any], column: Column, backend: str) -> ColumnElement[Any]:
    """The value as it is sent: dates in the server's ISO form, which knows every date there is."""
    if backend == "postgresql" and column.type in _AS_TEXT:
        return sa.cast(value, sa.Text)
    return value


def _person(
    columns: Sequence[ColumnElement[Any]], layout: Layout, owners: Owners, exact: bool
) -> ColumnElement[Any]:
    """Who a record belongs to: as one value, or as a bit among ``_BUCKETS``."""
    one = columns[0] if len(columns) == 1 else joined(columns)
    if exact:
        return one
    column = layout.column(owners.columns[0])
    is_integer = len(columns) == 1 and column is not None and column.type == "integer"
    scattered = (
        func.hashint8(sa.cast(one, sa.BigInteger))
        if is_integer
        else func.hashtext(sa.cast(one, sa.Text))
    )
    bucket = func.mod(scattered.bitwise_and(sa.literal_column("2147483647")), _BUCKETS)
    return sa.literal_column("1::bigint").bitwise_lshift(bucket)


def _is_enough(people: ColumnElement[Any], needed: int, *, exact: bool) -> ColumnElement[Any]:
    """Whether ``people`` are ``needed`` or more. In buckets, each step clears the lowest bit."""
    if exact:
        return people >= needed
    for _ in range(needed - 1):
        people = people.bitwise_and(people - 1)
    return people != 0


def which_column(which: int, width: int) -> int:
    """Which of ``width`` columns a row is of: GROUPING() has a bit for every other one."""
    if width == 1:
        return 0
    return width - (~which & ((1 << width) - 1)).bit_length()


def people(counted: int, *, exact: bool) -> int:
    """How many people there are at least."""
    return counted if exact else counted.bit_count()
