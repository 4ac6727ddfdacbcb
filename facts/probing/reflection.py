"""Reading a source's catalogue: its tables, their columns, types and keys, in few statements.

What every kind of database tells is asked through SQLAlchemy's inspector; what only one of them
knows (who may read a column, which tables are parts of others, how many rows there may be) is asked
in ``postgresql`` and ``sqlite`` and filled in. Names only: nothing here reads a row.
"""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Inspector
from sqlalchemy.engine.reflection import ObjectKind
from sqlalchemy.exc import SAWarning

from facts.probing import postgresql, sqlite
from facts.probing.layout import Column, Layout, Relation
from facts.probing.reader import Reader
from facts.probing.type_words import is_plain_text, item_word, word_of


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a source holds, and the schema that its tables are in where none is named."""

    layouts: tuple[Layout, ...]
    default_schema: str


def reflect(reader: Reader) -> Catalogue:
    """The source's tables and views. Raises SourceTrouble, Unreadable."""
    with reader.transaction() as connection, warnings.catch_warnings():
        # A type that SQLAlchemy does not know is a column all the same; we call it "other".
        warnings.simplefilter("ignore", SAWarning)
        inspector = sa.inspect(connection)
        match reader.backend:
            case "postgresql":
                layouts = postgresql.filled_in(connection, _reflected(inspector, "postgresql"))
            case "sqlite":
                layouts = sqlite.filled_in(connection, _reflected(inspector, "sqlite"))
            case backend:
                layouts = _reflected(inspector, backend)
        return Catalogue(tuple(layouts), _default_schema(inspector, reader.backend))


def _default_schema(inspector: Inspector, backend: str) -> str:
    return "" if backend == "sqlite" else inspector.default_schema_name or ""


def _schemas(inspector: Inspector, backend: str) -> list[str]:
    if backend == "sqlite":
        return [""]
    hidden = {"information_schema", "mysql", "performance_schema", "sys", "INFORMATION_SCHEMA"}
    return [
        name
        for name in inspector.get_schema_names()
        if name not in hidden and not name.startswith("pg_")
    ]


def _reflected(inspector: Inspector, backend: str) -> list[Layout]:
    layouts: list[Layout] = []
    for schema in _schemas(inspector, backend):
        at: dict[str, Any] = {"schema": schema or None, "kind": ObjectKind.ANY}
        views = {
            *inspector.get_view_names(schema or None),
            *_materialized(inspector, schema),
        }
        columns = inspector.get_multi_columns(**at)
        keys = inspector.get_multi_pk_constraint(**at)
        # PostgreSQL's are read where their validity is: SQLAlchemy parses them from their wording,
        # which leaves out the schema where the role need not spell it.
        foreign = {} if backend == "postgresql" else inspector.get_multi_foreign_keys(**at)
        unique = inspector.get_multi_unique_constraints(**at)
        indexes = inspector.get_multi_indexes(**at)
        layouts += [
            _layout(
                place,
                columns=columns[place],
                key=keys.get(place),
                foreign=foreign.get(place, ()),
                unique=_unique(unique.get(place, ()), indexes.get(place, ())),
                is_view=place[1] in views,
                backend=backend,
            )
            for place in sorted(columns, key=lambda place: place[1])
        ]
    primary = {layout.place: layout.key for layout in layouts}
    return [replace(layout, relations=_with_keys(layout.relations, primary)) for layout in layouts]


def _materialized(inspector: Inspector, schema: str) -> list[str]:
    try:
        return inspector.get_materialized_view_names(schema or None)
    except NotImplementedError:
        return []


def _layout(
    place: tuple[str | None, str],
    *,
    columns: Iterable[Any],
    key: Any,
    foreign: Iterable[Any],
    unique: tuple[tuple[str, ...], ...],
    is_view: bool,
    backend: str,
) -> Layout:
    relations = {
        relation.place: relation
        for relation in (
            Relation(
                columns=tuple(one["constrained_columns"]),
                schema=one["referred_schema"] or place[0] or "",
                table=one["referred_table"],
                key=tuple(one["referred_columns"] or ()),
                constraint=one["name"] or "",
            )
            for one in foreign
        )
    }
    return Layout(
        schema=place[0] or "",
        name=place[1],
        columns=tuple(_column(column, backend) for column in columns),
        key=tuple((key or {}).get("constrained_columns") or ()),
        unique=unique,
        relations=tuple(relations[place] for place in sorted(relations)),
        is_view=is_view,
    )


def _column(column: Mapping[str, Any], backend: str) -> Column:
    type_ = column["type"]
    word = word_of(type_, backend=backend)
    length = getattr(type_, "length", None)
    return Column(
        name=column["name"],
        type=word,
        item=item_word(type_, backend=backend),
        length=length if word == "text" and isinstance(length, int) else None,
        plain=word == "text" and is_plain_text(type_),
    )


def _unique(constraints: Iterable[Any], indexes: Iterable[Any]) -> tuple[tuple[str, ...], ...]:
    """The sets of columns no two rows agree in, partial and expression indexes left out."""
    found = {tuple(one["column_names"]) for one in constraints}
    for index in indexes:
        partial = any(option.endswith("_where") for option in index.get("dialect_options", {}))
        if index["unique"] and not partial and None not in index["column_names"]:
            found.add(tuple(index["column_names"]))
    return tuple(sorted(found))


def _with_keys(
    relations: Iterable[Relation], primary: Mapping[tuple[str, str], tuple[str, ...]]
) -> tuple[Relation, ...]:
    """Relations with a key; SQLite may leave out that a foreign key means the primary one."""
    whole = (
        relation
        if relation.key
        else replace(relation, key=primary.get((relation.schema, relation.table), ()))
        for relation in relations
    )
    return tuple(one for one in whole if len(one.key) == len(one.columns) > 0)
