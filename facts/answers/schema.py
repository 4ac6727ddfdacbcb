"""What an answer's query may read: an account's labels, their columns and hops. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from facts import canonical

# The words for types, the probe's and shorter ones, by what they compare as.
TYPES = {
    "int": "integer",
    "integer": "integer",
    "number": "number",
    "numeric": "number",
    "text": "text",
    "enum": "text",
    "bool": "boolean",
    "boolean": "boolean",
    "timestamp": "timestamp",
    "date": "date",
    "uuid": "uuid",
}


@dataclass(frozen=True, slots=True)
class Column:
    """Where a property stands; ``type`` is one of TYPES's values, or ``other``."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Table:
    """Where a label's records stand. ``name`` may say its schema: ``sales.orders``."""

    name: str
    key: tuple[str, ...]  # the properties of the primary key
    columns: Mapping[str, Column]  # by property


@dataclass(frozen=True, slots=True)
class Hop:
    """A relation ``from_ VERB to``: equal values of properties, pair by pair.

    ``many`` says on which side several records may meet one of the other: ``from`` for a foreign
    key, ``to``, ``both`` or ``none``.
    """

    from_: str
    verb: str
    to: str
    on: tuple[tuple[str, str], ...]  # (property of from_, property of to)
    many: str

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.from_, self.verb, self.to)

    def is_to_one(self, *, forward: bool) -> bool:
        """Whether a record meets at most one across this hop, going ``forward`` or back."""
        return self.many in (("from", "none") if forward else ("to", "none"))


@dataclass(frozen=True)
class Schema:
    """Labels and hops of one account."""

    tables: Mapping[str, Table]
    hops: tuple[Hop, ...]

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The schema that a JSON document says.

        ``{"labels": {label: {"table", "pk", "columns": {property: [column, type]}}},
        "hops": [{"from", "verb", "to", "on": [column, column], "many"}]}``.

        ``pk`` and the two sides of ``on`` are a column's name, or lists of them for composite keys.
        A hop whose columns are not all known is left out: nothing can be proven by it. Of several
        over the same columns one is kept: they are one relation.
        """
        tables = {label: _table(found) for label, found in document["labels"].items()}
        hops = (_hop(found, tables) for found in document.get("hops", ()))
        different = {(hop.from_, hop.to, hop.on): hop for hop in hops if hop is not None}
        return cls(tables, tuple(different.values()))

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[tuple[Hop, bool, str], ...]]:
        """By label: each hop from or to it, whether it goes forward, and the other label."""
        found: dict[str, list[tuple[Hop, bool, str]]] = {label: [] for label in self.tables}
        for hop in self.hops:
            found[hop.from_].append((hop, True, hop.to))
            if hop.from_ != hop.to:
                found[hop.to].append((hop, False, hop.from_))
        return {label: tuple(hops) for label, hops in found.items()}

    def path(self, start: str, end: str) -> tuple[tuple[Hop, bool], ...] | None:
        """The one shortest way from a label to another; None where there is none, or several."""
        ways: list[tuple[str, tuple[tuple[Hop, bool], ...]]] = [(start, ())]
        seen = {start}
        while ways:
            arrived = [way for label, way in ways if label == end]
            if arrived:
                return arrived[0] if len(arrived) == 1 else None
            ways = [
                (other, (*way, (hop, forward)))
                for label, way in ways
                for hop, forward, other in self.neighbours.get(label, ())
                if other not in seen
            ]
            seen |= {label for label, _ in ways}
        return None


def columns_digest(schema: Schema, reads: Iterable[Iterable[str]]) -> str:
    """The digest of the columns and hops that ``reads`` names, as ``schema`` has them now.

    A read is (label, property) or (label, verb, label). What the schema lacks counts as missing,
    so that a column or a hop that goes makes another digest, and so does another type or key.
    """
    found: dict[str, Any] = {}
    hops = {hop.key: hop for hop in schema.hops}
    for read in map(tuple, reads):
        name = "|".join(part.replace("%", "%25").replace("|", "%7C") for part in read)
        if len(read) == 3:
            hop = hops.get(read)
            found[name] = None if hop is None else [[list(pair) for pair in hop.on], hop.many]
        else:
            found[name] = _column_form(schema.tables.get(read[0]), read[1])
    return canonical.digest(found)


def _column_form(table: Table | None, property_: str) -> list[Any] | None:
    if table is None or property_ not in table.columns:
        return None
    column = table.columns[property_]
    return [table.name, list(table.key), column.name, column.type]


def _table(document: Mapping[str, Any]) -> Table:
    columns = {
        property_: Column(column, TYPES.get(type_, "other"))
        for property_, (column, type_) in document["columns"].items()
    }
    properties = {column.name: property_ for property_, column in columns.items()}
    key = _names(document.get("pk") or ())
    known = all(name in properties for name in key)
    return Table(
        document["table"], tuple(properties[name] for name in key) if known else (), columns
    )


def _hop(document: Mapping[str, Any], tables: Mapping[str, Table]) -> Hop | None:
    sides = (document["from"], document["to"])
    names = [_names(side) for side in document["on"]]
    if not all(side in tables for side in sides) or len(names[0]) != len(names[1]):
        return None
    pairs = []
    for pair in zip(*names, strict=True):
        found = [_property(tables[side], name) for side, name in zip(sides, pair, strict=True)]
        if None in found:
            return None
        pairs.append((str(found[0]), str(found[1])))
    return Hop(sides[0], document["verb"], sides[1], tuple(pairs), document["many"])


def _property(table: Table, name: str) -> str | None:
    found = (property_ for property_, column in table.columns.items() if column.name == name)
    return next(found, None)


def _names(side: str | Iterable[str]) -> tuple[str, ...]:
    return (side,) if isinstance(side, str) else tuple(side)
