"""What PostgreSQL's catalogue knows beyond other databases': rights, parts of tables, estimates."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, text

from facts.probing.codes import DENIED
from facts.probing.layout import Layout, Relation

# One row a table or view that the role may see. Children of a partitioned or inherited table are
# counted in their parent, and an extension's tables are the extension's. A table that was never
# analysed says -1 rows; its size in pages of some 100 rows stands in.
_RELATIONS = text(
    """
    WITH RECURSIVE tree AS (
        SELECT oid AS root, oid AS member FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
        UNION ALL
        SELECT tree.root, inhrelid FROM tree JOIN pg_inherits ON inhparent = tree.member
    ),
    estimate AS (
        SELECT tree.root,
            sum(CASE WHEN reltuples >= 0 THEN reltuples ELSE relpages * 100 END)::bigint AS rows,
            bool_or(reltuples < 0 AND relkind = 'r') AS is_guess,
            count(*) > 1 AS has_children
        FROM tree JOIN pg_class ON oid = tree.member
        GROUP BY tree.root
    )
    SELECT nspname AS schema, relname AS name, pg_class.oid, relkind::text AS kind,
        rows, is_guess, has_children,
        row_security_active(pg_class.oid) AS row_security
    FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    JOIN estimate ON root = pg_class.oid
    WHERE has_schema_privilege(relnamespace, 'USAGE')
        AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = pg_class.oid)
        AND NOT EXISTS (
            SELECT FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
        )
    """
)

# Sizes take a lock on each table, which somebody's ALTER may hold, so they are asked apart.
_SIZES = text(
    """
    SELECT root.oid, (sum(pg_relation_size(part.oid)) / 100)::bigint AS rows
    FROM unnest(CAST(:roots AS oid[])) AS root(oid)
    JOIN LATERAL (
        WITH RECURSIVE tree AS (
            SELECT root.oid
            UNION ALL
            SELECT inhrelid FROM tree JOIN pg_inherits ON inhparent = tree.oid
        )
        SELECT oid FROM tree
    ) AS part ON true
    GROUP BY root.oid
    """
)

_DENIED = text(
    """
    SELECT attrelid AS oid, attname AS name
    FROM pg_attribute
    WHERE attrelid = ANY(:oids) AND attnum > 0 AND NOT attisdropped
        AND NOT has_column_privilege(attrelid, attnum, 'SELECT')
    """
)

# The only things taken from the statistics: shares and numbers of values, never a value.
_HINTS = text(
    """
    SELECT schemaname AS schema, tablename AS name, attname AS column, null_frac, n_distinct
    FROM pg_stats
    WHERE schemaname <> ALL ('{pg_catalog,information_schema}')
    ORDER BY inherited  -- last, and so in force: what is known of a parent with its children
    """
)

# A foreign key vouches for its rows if it was validated, is enforced, and nobody switched its
# triggers off. It says nothing of the rows of inheritance children.
_FOREIGN_KEYS = text(
    """
    SELECT conrelid AS oid, conname AS name, nspname AS schema, target.relname AS table,
        array(
            SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS key(attnum, place)
            JOIN pg_attribute USING (attnum) WHERE attrelid = conrelid ORDER BY place
        ) AS columns,
        array(
            SELECT attname::text FROM unnest(confkey) WITH ORDINALITY AS key(attnum, place)
            JOIN pg_attribute USING (attnum) WHERE attrelid = confrelid ORDER BY place
        ) AS key,
        convalidated AND NOT EXISTS (
            SELECT FROM pg_trigger WHERE tgconstraint = pg_constraint.oid AND tgenabled = 'D'
        ) AS vouches
    FROM pg_constraint
    JOIN pg_class AS target ON target.oid = confrelid
    JOIN pg_namespace ON pg_namespace.oid = target.relnamespace
    WHERE contype = 'f' AND conrelid = ANY(:oids)
    ORDER BY conname
    """
)


def filled_in(connection: Connection, layouts: Sequence[Layout]) -> list[Layout]:
    """The tables and views among ``layouts`` that stand for themselves, with what is known here."""
    relations = {(row.schema, row.name): row for row in connection.execute(_RELATIONS)}
    by_oid = {row.oid: place for place, row in relations.items()}
    denied: dict[tuple[str, str], dict[str, str]] = {}
    for row in connection.execute(_DENIED, {"oids": list(by_oid)}):
        denied.setdefault(by_oid[row.oid], {})[row.name] = DENIED
    foreign: dict[int, list[Any]] = {}
    for row in connection.execute(_FOREIGN_KEYS, {"oids": list(by_oid)}):
        foreign.setdefault(row.oid, []).append(row)
    hints = {(row.schema, row.name, row.column): row for row in connection.execute(_HINTS)}
    sizes = _sizes(connection, [row.oid for row in relations.values() if row.is_guess])
    hidden = {place for place, row in relations.items() if row.row_security}
    filled = []
    for layout in layouts:
        known = relations.get(layout.place)
        if known is None:
            continue
        is_table = known.kind in ("r", "p")
        filled.append(
            replace(
                layout.refusing(denied.get(layout.place, {})),
                is_view=not is_table,
                rows=sizes.get(known.oid, known.rows) if known.kind in ("r", "p", "m") else None,
                row_security=known.row_security,
                sampling="system" if known.kind in ("r", "p", "m") else "first",
                relations=_relations(foreign.get(known.oid, ()), known, hidden),
            )
        )
    return [_hinted(layout, hints) for layout in filled]


def _relations(
    foreign: Iterable[Any], known: Any, hidden: Collection[tuple[str, str]]
) -> tuple[Relation, ...]:
    """A table's foreign keys, one of those that say the same."""
    has_children = known.kind == "r" and known.has_children
    relations: dict[str, Relation] = {}
    for row in foreign:
        is_hidden = (row.schema, row.table) in hidden
        relation = Relation(
            columns=tuple(row.columns),
            schema=row.schema,
            table=row.table,
            key=tuple(row.key),
            constraint=row.name,
            enforced=row.vouches and not has_children and not is_hidden,
        )
        said = relations.setdefault(relation.place, relation)
        if relation.enforced and not said.enforced:
            relations[relation.place] = relation
    return tuple(relations[place] for place in sorted(relations))


def _sizes(connection: Connection, roots: list[int]) -> dict[int, int]:
    if not roots:
        return {}
    rows = connection.execute(_SIZES, {"roots": roots})
    return {row.oid: row.rows for row in rows}


def _hinted(layout: Layout, hints: dict[tuple[str, str, str], Any]) -> Layout:
    columns = []
    for column in layout.columns:
        hint = hints.get((*layout.place, column.name))
        if hint is None:
            columns.append(column)
        else:
            columns.append(
                replace(column, distinct=hint.n_distinct, null_share=round(hint.null_frac, 4))
            )
    return replace(layout, columns=tuple(columns))
