"""What may be asked of a table, decided before anything is: pure rules over its layout."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from facts import guard
from facts.guard.values import SHARED_BY
from facts.probing.layout import Column, Layout, Relation
from facts.probing.names import words_of
from facts.probing.vocabularies import Owners

SMALL = 50_000  # rows up to which everything is exact and nothing is sampled first
SCREENED_ROWS = 20_000  # of the sample that rules out columns of many values
MANY = 1_000  # different values in that sample; no vocabulary has as many
_TELLING = 100  # values from which on a sample tells whether most of them are seen once

_WORD_TYPES = frozenset(
    {"text", "enum", "boolean", "integer", "number", "date", "time", "timestamp"}
)
_ITEM_TYPES = frozenset({"text", "integer", "boolean"})
_IDENTIFIERS = frozenset({"integer", "number", "uuid"})


@dataclass(frozen=True, slots=True)
class Diversity:
    """In how many rows something is there, and with how many different contents."""

    rows: int
    different: int


def withheld(layout: Layout, column: Column) -> str | None:
    """Why nothing is read of the values of ``column``, as a code; None where a value may be.

    What must not be kept is not even asked for: it never leaves the source.
    """
    owned = bool(layout.is_person or layout.owner or person_relations(layout))
    for name in dict.fromkeys((column.name, column.property)):
        if code := guard.property_rule(layout.label, name, column.type, owned=owned):
            return code
    if column.type == "array":
        if column.item not in _ITEM_TYPES:
            return "type"
    elif column.type not in _WORD_TYPES:
        return "type"
    if (column.name,) in (layout.key, *layout.unique):
        return "key"
    return "reference" if _is_reference(layout, column) else None


def _is_reference(layout: Layout, column: Column) -> bool:
    """Whether its values only point at records: numbers, or anything that points at a person.

    A text that points at a table of statuses is a status.
    """
    relations = [one for one in layout.relations if column.name in one.columns]
    if any(one.is_person for one in relations):
        return True
    if column.type not in _IDENTIFIERS:
        return False
    return bool(relations) or words_of(column.name)[-1:] in (["id"], ["Id"], ["ID"])


def person_relations(layout: Layout) -> list[Relation]:
    """The relations that lead to people."""
    return [one for one in layout.relations if one.is_person]


def is_ruled_out(column: Column, rows: int) -> bool:
    """Whether the catalogue's own guess already says that its values are too many."""
    if column.distinct is None:
        return False
    guess = column.distinct if column.distinct >= 0 else -column.distinct * rows
    return guess > 20 * MANY


def is_many(found: Diversity) -> bool:
    """Whether a sample says that a column's values are no vocabulary, but nearly as many as rows.

    A sample can only miss a word: what is ruled out wrongly is not kept, nothing else.
    """
    return found.different > MANY or (
        found.different >= _TELLING and found.different > found.rows / 2
    )


def owners_of(
    layout: Layout, people: Mapping[tuple[str, ...], Diversity]
) -> Sequence[Owners] | None:
    """By whom values of the table's columns have to be shared; None where nothing may be kept.

    Empty where records belong to nobody, or are people themselves. ``people`` says, by a relation's
    columns, how many people are seen; a relation that is never filled leads to nobody, and one that
    can't be read may lead to anybody. The columns the mapping names come first, else the relation
    to the most people; of the others a value needs as many as there are, up to three.
    """
    if not all(can_follow(layout, columns) for columns in owner_columns(layout)):
        return None
    seen = {
        columns: people[columns].different
        for columns in owner_columns(layout)
        if columns in people and people[columns].rows
    }
    if not seen:
        return None if layout.owner else ()
    first = layout.owner or max(seen, key=lambda columns: (seen[columns], columns))
    if seen.get(first, 0) < SHARED_BY:
        return None
    others = [columns for columns in sorted(seen) if columns != first]
    return (
        Owners(first),
        *(Owners(columns, min(SHARED_BY, seen[columns])) for columns in others),
    )


def owner_columns(layout: Layout) -> list[tuple[str, ...]]:
    """The sets of columns that say whom a record belongs to, the mapping's first."""
    if layout.is_person and not layout.owner:
        return []
    sets = [layout.owner] if layout.owner else []
    sets += [one.columns for one in person_relations(layout)]
    return list(dict.fromkeys(sets))


def share_to_read(rows: int | None, row_limit: int) -> float:
    """How much of a table is read: all of it up to ``row_limit`` rows, else some 50,000 rows.

    Rounded to one figure, so that a table's growth does not change the sample with every row.
    """
    if rows is None or rows <= row_limit:
        return 1.0
    return one_figure(SMALL / rows)


def one_figure(share: float) -> float:
    """``share`` to one significant figure, at most 1."""
    return min(1.0, float(f"{share:.0e}"))


def readable(layout: Layout) -> list[Column]:
    """The columns that there are facts of and that the role may read."""
    return [column for column in layout.shown if not column.refused]


def can_follow(layout: Layout, columns: Iterable[str]) -> bool:
    """Whether all of ``columns`` are there and may be read."""
    there = {column.name for column in layout.columns if not column.refused}
    return there.issuperset(columns)
