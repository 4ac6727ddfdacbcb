"""What names mean in one SELECT: its sources and the columns they offer. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from facts.answers.predicates import Ref
from facts.answers.schema import Schema, Table
from facts.answers.unreadable import Unreadable, only

# Whose names are told apart by case when they are quoted; the others ignore it.
FOLDING = frozenset(("postgres",))
# Where a column's type is advice: times are texts, and any number may stand anywhere.
LOOSE = frozenset(("sqlite",))
DIALECTS = frozenset(("postgres", "sqlite"))
_DEFAULT_SCHEMAS = {"postgres": "public", "sqlite": "main"}
_LOOSE_TYPES = {
    "integer": "loose-number",
    "number": "loose-number",
    "boolean": "loose-number",
    "timestamp": "text",
    "date": "text",
    "uuid": "text",
}


def type_in(dialect: str, type_: str) -> str:
    """The type that a column of ``type_`` compares as in ``dialect``."""
    return _LOOSE_TYPES.get(type_, type_) if dialect in LOOSE else type_


def is_key_in(dialect: str, property_: str, table: Table) -> bool:
    """Whether a property is of the key and so never NULL, which not every database holds to."""
    return property_ in table.key and dialect not in LOOSE


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """An account's schema in the dialect of one query."""

    schema: Schema
    dialect: str

    def name(self, identifier: exp.Expr) -> str:
        """An identifier as names are compared: folded unless it is quoted."""
        only(identifier, "this", "quoted")
        text = str(identifier.this)
        if self.dialect in FOLDING:
            return text if identifier.args.get("quoted") else text.lower()
        return text.lower()

    def column_name(self, text: str) -> str:
        return text if self.dialect in FOLDING else text.lower()

    def label_of(self, table: exp.Table) -> str:
        """The one label whose records stand in a table. Raises Unreadable."""
        only(table, "this", "db", "alias")
        name, db = self.name(table.this), table.args.get("db")
        schema = self.name(db) if db is not None else ""
        found = [
            label for label, one in self.schema.tables.items() if self._is_named(one, schema, name)
        ]
        if len(found) != 1:
            raise Unreadable("unknown-table")
        return found[0]

    def _is_named(self, table: Table, schema: str, name: str) -> bool:
        at, _, own = self.column_name(table.name).rpartition(".")
        if own != name:
            return False
        default = _DEFAULT_SCHEMAS[self.dialect]
        return schema == at or (not at and schema == default)

    def is_filled(self, label: str, property_: str) -> bool:
        """Whether it is never NULL: it is of the key, where the database holds keys to that."""
        return is_key_in(self.dialect, property_, self.schema.tables[label])

    def type_of(self, label: str, property_: str) -> str:
        return type_in(self.dialect, self.schema.tables[label].columns[property_].type)


@dataclass(slots=True)
class Source:
    """What one item of FROM offers: columns by name; None where one is not a plain column."""

    columns: Mapping[str, Ref | None]


@dataclass(slots=True)
class Scope:
    """The names one SELECT sees; ``outer`` is that around it. ``labels`` are the nodes'."""

    vocabulary: Vocabulary
    labels: list[str]
    outer: "Scope | None" = None
    sources: dict[str, Source] = field(default_factory=dict)

    def add(self, name: str, source: Source) -> None:
        if name in self.sources:
            raise Unreadable("name-twice")
        self.sources[name] = source

    def ref(self, column: exp.Column) -> Ref:
        """What a column is. Raises Unreadable.

        A name without its table is never looked for outside its own SELECT: a column that nobody
        told us of may hide the outer one.
        """
        only(column, "this", "table")
        if isinstance(column.this, exp.Star):
            raise Unreadable("star-in-expression")
        name = self.vocabulary.name(column.this)
        table = column.args.get("table")
        if table is not None:
            found = [self._source(self.vocabulary.name(table)).columns.get(name)]
        else:
            offers = [one.columns for one in self.sources.values() if name in one.columns]
            found = [columns[name] for columns in offers]
        if len(found) != 1 or found[0] is None:
            raise Unreadable("unknown-column")
        return found[0]

    def type_of(self, ref: Ref) -> str:
        return self.vocabulary.type_of(self.labels[ref[0]], ref[1])

    def _source(self, name: str) -> Source:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.sources:
                return scope.sources[name]
            scope = scope.outer
        raise Unreadable("unknown-table")
