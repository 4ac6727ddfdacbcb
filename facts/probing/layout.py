"""How a table lies in its source: what was reflected, and what it is called here.

A layout is plain data, kept with the table between two looks at the catalogue, so that a probe
asks the source for figures only.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Column:
    """A column. ``property`` is what it is called here, empty until it is named."""

    name: str
    type: str  # a word of the guard's
    property: str = ""
    item: str = ""  # of an array: the word for what it holds
    length: int | None = None  # the longest text it can hold, where it says so
    plain: bool = False  # text that compares byte by byte as it is
    is_hidden: bool = False  # by the mapping: counted by where it says whose a record is, not told
    refused: str = ""  # why it can't be read, as a code
    distinct: float | None = None  # the catalogue's guess: of values, negative as a share of rows
    null_share: float | None = None  # the catalogue's guess


@dataclass(frozen=True, slots=True)
class Relation:
    """A way from this table's ``columns`` to another's ``key``: a foreign key, or the mapping's."""

    columns: tuple[str, ...]
    schema: str
    table: str
    key: tuple[str, ...]
    constraint: str = ""  # its name, where a constraint declares it
    enforced: bool = False  # whether a row with all columns filled reaches a row for certain
    verb: str = ""
    label: str = ""  # the target's, empty for one that is no label
    is_person: bool = False  # whether the target's records stand for people

    @property
    def place(self) -> str:
        """What tells it from the table's other relations, whatever anything is called here."""
        return repr((self.columns, self.schema, self.table, self.key))


@dataclass(frozen=True, slots=True)
class Layout:
    """A table of a source, or a view that the mapping makes one of."""

    schema: str
    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    relations: tuple[Relation, ...] = ()
    label: str = ""
    is_view: bool = False
    is_person: bool = False  # whether its records stand for people
    owner: tuple[str, ...] = ()  # the columns that say whose a record is, if the mapping does
    rows: int | None = None  # the catalogue's estimate
    row_security: bool = False  # whether the role sees some rows only
    sampling: str = "first"  # how a part of it is read: system, rowid or first
    rowid: str = ""  # SQLite's name for the row's number here

    @property
    def place(self) -> tuple[str, str]:
        """Where it lies in its source."""
        return self.schema, self.name

    @property
    def spelled(self) -> str:
        """Where it lies, as people and mapping documents write it."""
        return f"{self.schema}.{self.name}" if self.schema else self.name

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns that there are facts of."""
        return tuple(column for column in self.columns if not column.is_hidden)

    def column(self, name: str) -> Column | None:
        """The column of this name."""
        return next((column for column in self.columns if column.name == name), None)

    def refusing(self, codes: dict[str, str]) -> Self:
        """The layout with the columns that turned out unreadable, and why."""
        columns = tuple(
            replace(column, refused=codes.get(column.name, column.refused))
            for column in self.columns
        )
        return replace(self, columns=columns)

    def as_plain(self) -> dict[str, Any]:
        """The layout as JSON holds it, defaults left out."""
        plain = _without_defaults(self)
        plain["columns"] = [_without_defaults(column) for column in self.columns]
        plain["relations"] = [_without_defaults(relation) for relation in self.relations]
        return plain

    @classmethod
    def of_plain(cls, plain: dict[str, Any]) -> Self:
        """The layout that ``as_plain`` wrote."""
        columns = tuple(Column(**column) for column in plain["columns"])
        relations = tuple(
            Relation(**{**one, "columns": tuple(one["columns"]), "key": tuple(one["key"])})
            for one in plain.get("relations", ())
        )
        tuples = {
            "key": tuple(plain.get("key", ())),
            "owner": tuple(plain.get("owner", ())),
            "unique": tuple(tuple(columns) for columns in plain.get("unique", ())),
        }
        return cls(**{**plain, **tuples, "columns": columns, "relations": relations})


def _without_defaults(part: Any) -> dict[str, Any]:
    blank = {name: spec.default for name, spec in type(part).__dataclass_fields__.items()}
    return {name: value for name, value in asdict(part).items() if value != blank[name]}
