"""Probing one table: from its layout to what was found at each of its refs.

At most 2 + columns + hops statements: one pass, one look at a sample, then hops that no constraint
vouches for and vocabularies that nothing rules out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from facts.guard.values import SHARED_BY
from facts.probing import asking, statements, values, vocabularies
from facts.probing.asking import SMALL, Diversity
from facts.probing.codes import TIMED_OUT
from facts.probing.errors import Unreadable
from facts.probing.layout import Column, Layout, Relation
from facts.probing.reader import Reader
from facts.probing.statements import Part
from facts.refs import Ref

_AT_ONCE = 700  # columns in one pass; a result has 1,600 at most
_HOPELESS = TIMED_OUT | {"55P03"}  # asking for less of the table would fail as well


@dataclass(frozen=True, slots=True)
class Found:
    """What was found at a ref: a value, or the code of why it could not be read."""

    value: Any = None
    failure: str = ""


@dataclass(slots=True)
class Probed:
    """What one probe of a table found.

    ``refused`` are columns that turned out unreadable; with them known, a probe ``again`` finds
    the vocabularies of the others too. ``failure`` is the table's own.
    """

    found: dict[Ref, Found] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    failure: str = ""
    again: bool = False
    is_sampled: bool = False


def refs_of(layout: Layout) -> dict[str, list[Ref]]:
    """The refs that a probe of the table answers, by kind."""
    return {
        "label": [label_ref(layout)],
        "fill": [fill_ref(layout, column) for column in layout.shown],
        "hop": [hop_ref(layout, relation) for relation in layout.relations if relation.label],
        "vocabulary": [vocabulary_ref(layout, column) for column in layout.shown],
    }


def label_ref(layout: Layout) -> Ref:
    """``data:label:Order``"""
    return Ref.of("data", "label", layout.label)


def fill_ref(layout: Layout, column: Column) -> Ref:
    """``data:fill:Order|promisedAt``"""
    return Ref.of("data", "fill", layout.label, column.property)


def hop_ref(layout: Layout, relation: Relation) -> Ref:
    """``data:hop:Order|SHIPPED_BY|Carrier``"""
    return Ref.of("data", "hop", layout.label, relation.verb, relation.label)


def vocabulary_ref(layout: Layout, column: Column) -> Ref:
    """``data:vocabulary:Order|status``"""
    return Ref.of("data", "vocabulary", layout.label, column.property)


def probe(reader: Reader, layout: Layout, *, row_limit: int) -> Probed:
    """Read the table's figures and words. Raises SourceTrouble; then nothing was found at all."""
    probing = _Probe(reader, layout, row_limit)
    try:
        probing.count()
    except Unreadable as unreadable:
        failed = Found(failure=unreadable.code)
        refs = (ref for some in refs_of(layout).values() for ref in some)
        return Probed(dict.fromkeys(refs, failed), failure=unreadable.code)
    probing.follow()
    if not probing.probed.again:
        probing.read_words()
    return probing.probed


class _Probe:
    """One run over one table; each step builds on the figures of the one before."""

    def __init__(self, reader: Reader, layout: Layout, row_limit: int) -> None:
        self.reader = reader
        self.layout = layout
        self.part = Part(asking.share_to_read(layout.rows, row_limit))
        self.probed = Probed()
        self.rows = 0  # that were read
        self.filled: dict[str, int] = {}  # by column
        self.there: dict[tuple[str, ...], int] = {}  # rows in which all of these columns are

    @property
    def is_large(self) -> bool:
        """Whether columns of many values have to be ruled out, and people counted in buckets.

        People in a sample are as many as there are at least, however exactly they are counted.
        """
        return self.rows > SMALL or self.part.share < 1

    def count(self) -> None:
        """Count rows and fills. Raises Unreadable where the table itself can't be read."""
        columns = asking.readable(self.layout)
        if self.layout.shown and not columns:
            raise Unreadable(self.layout.shown[0].refused)
        try:
            self._count_in_one_pass(columns)
            if not self.rows and self.part.share < 1:
                self.part = Part()  # an empty sample of a table that may not be empty
                self._count_in_one_pass(columns)
        except Unreadable as unreadable:
            if unreadable.code in _HOPELESS:
                raise
            self._count_one_by_one(columns)
        self.probed.is_sampled = self.part.share < 1
        found = self.probed.found
        found[label_ref(self.layout)] = Found(values.label(self.rows, self.part.share))
        for column in self.layout.shown:
            if code := self._code(column):
                found[fill_ref(self.layout, column)] = Found(failure=code)
                found[vocabulary_ref(self.layout, column)] = Found(failure=code)
            else:
                fill = values.fill(self.filled[column.name], self.rows, self.part.share)
                found[fill_ref(self.layout, column)] = Found(fill)

    def follow(self) -> None:
        """Measure the hops."""
        for relation in self.layout.relations:
            if not relation.label:
                continue
            self.probed.found[hop_ref(self.layout, relation)] = self._reached(relation)

    def read_words(self) -> None:
        """Read the vocabularies of the columns that may have one."""
        open_columns = []
        for column in self.layout.shown:
            if self._code(column):
                continue
            code = asking.withheld(self.layout, column)
            if code or self.filled[column.name] < SHARED_BY:
                self._say_words(column, withheld=code)
            elif self.is_large and asking.is_ruled_out(column, round(self.rows / self.part.share)):
                self._say_words(column, withheld="many")
            else:
                open_columns.append(column)
        if open_columns:
            try:
                self._read_words_of(open_columns)
            except Unreadable as unreadable:
                self._fail_words(open_columns, unreadable.code)

    def _count_in_one_pass(self, columns: Sequence[Column]) -> None:
        groups = self._groups()
        for some in _batched(columns, _AT_ONCE) or [[]]:
            row = self._one(
                statements.one_pass(
                    self.layout, self.part, some, groups, backend=self.reader.backend
                )
            )
            self.rows, counts = row[0], iter(row[1:])
            self.filled |= {column.name: next(counts) for column in some}
            self.there |= {group: next(counts) for group in groups}

    def _count_one_by_one(self, columns: Sequence[Column]) -> None:
        """Some column spoils the pass: count the rows alone, then each column by itself."""
        (self.rows,) = self._one(
            statements.one_pass(self.layout, self.part, (), backend=self.reader.backend)
        )
        for column in columns:
            try:
                row = self._one(
                    statements.one_pass(
                        self.layout, self.part, [column], backend=self.reader.backend
                    )
                )
            except Unreadable as unreadable:
                self.probed.refused[column.name] = unreadable.code
            else:
                self.filled[column.name] = row[1]
        self.probed.again = bool(self.filled) and bool(self.probed.refused)

    def _groups(self) -> list[tuple[str, ...]]:
        sets = [one.columns for one in self.layout.relations]
        sets += asking.owner_columns(self.layout)
        return [one for one in dict.fromkeys(sets) if asking.can_follow(self.layout, one)]

    def _reached(self, relation: Relation) -> Found:
        for name in relation.columns:
            column = self.layout.column(name)
            if column and (code := self._code(column)):
                return Found(failure=code)
        there = self.there.get(relation.columns)
        if there is None or (there and not relation.enforced):
            try:
                (there,) = self._one(statements.hop(self.layout, self.part, relation))
            except Unreadable as unreadable:
                return Found(failure=unreadable.code)
        return Found(values.hop(there, self.rows, self.part.share))

    def _read_words_of(self, columns: Sequence[Column]) -> None:
        people_columns = [one for one in asking.owner_columns(self.layout) if self.there.get(one)]
        seen: dict[tuple[str, ...], Diversity] = {}
        if self.is_large or people_columns:
            singles = [(column.name,) for column in columns] if self.is_large else []
            seen = self._diversity(list(dict.fromkeys([*singles, *people_columns])))
        owners = asking.owners_of(
            self.layout, {one: seen[one] for one in people_columns if one in seen}
        )
        wanted = []
        for column in columns:
            if owners is None:
                self._say_words(column, withheld="owners")
            elif (column.name,) in seen and asking.is_many(seen[(column.name,)]):
                self._say_words(column, withheld="many")
            else:
                wanted.append(column)
        together = vocabularies.TOGETHER if self.reader.backend == "postgresql" else 1
        for some in _batched(wanted, together):
            self._read_together(some, owners or ())

    def _diversity(self, groups: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Diversity]:
        part = self.part
        if self.rows > asking.SCREENED_ROWS and self.is_large:
            part = Part(asking.one_figure(part.share * asking.SCREENED_ROWS / self.rows))
        seen: dict[tuple[str, ...], Diversity] = {}
        for some in _batched(groups, _AT_ONCE):
            row = iter(self._one(statements.diversity(self.layout, part, some)))
            seen |= {group: Diversity(next(row), next(row)) for group in some}
        return seen

    def _read_together(
        self, columns: Sequence[Column], owners: Sequence[vocabularies.Owners]
    ) -> None:
        exact = not self.is_large or self.reader.backend != "postgresql"
        statement = vocabularies.words(
            self.layout, self.part, columns, owners, exact=exact, backend=self.reader.backend
        )
        try:
            rows = self.reader.rows(statement)
        except Unreadable as unreadable:
            self._fail_words(columns, unreadable.code)
            return
        lines: dict[int, list[Any]] = {number: [] for number in range(len(columns))}
        for row in rows:
            lines[vocabularies.which_column(row.which, len(columns))].append(row)
        for number, column in enumerate(columns):
            self._say_lines(column, number, lines[number], owned=bool(owners), exact=exact)

    def _say_lines(
        self, column: Column, number: int, lines: Sequence[Any], *, owned: bool, exact: bool
    ) -> None:
        entries = []
        for line in lines:
            value = values.plain(line[number + 1], column.type)
            if value is not None:
                entry = {"value": value, "records": line.records}
                if owned:
                    entry["owners"] = vocabularies.people(line.owners, exact=exact)
                elif self.layout.is_person:
                    entry["owners"] = line.records  # each record is somebody
                entries.append(entry)
        shared = int(lines[0].shared) if lines else 0
        few = int(lines[0].few) if lines else 0
        entries.sort(key=lambda entry: (-entry["records"], str(entry["value"])))
        self._say_words(
            column,
            entries=entries,
            more=max(0, shared - vocabularies.MOST_WORDS),
            few_owners=few,
        )

    def _say_words(self, column: Column, **said: Any) -> None:
        ref = vocabulary_ref(self.layout, column)
        value = values.vocabulary(ref.key, column.type, **said, sampled=self.part.share)
        self.probed.found[ref] = Found(value)

    def _fail_words(self, columns: Sequence[Column], code: str) -> None:
        for column in columns:
            self.probed.found[vocabulary_ref(self.layout, column)] = Found(failure=code)

    def _code(self, column: Column) -> str:
        return column.refused or self.probed.refused.get(column.name, "")

    def _one(self, statement: Any) -> Any:
        return self.reader.rows(statement)[0]


def _batched(things: Sequence[Any], size: int) -> list[list[Any]]:
    def batches() -> Iterator[list[Any]]:
        remaining = iter(things)
        while some := list(islice(remaining, size)):
            yield some

    return list(batches())
