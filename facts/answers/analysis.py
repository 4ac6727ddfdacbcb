"""What a stored query reads, restricts and gives, found once when its answer is stored. Pure.

The analysis is kept in one form, so that judging it is comparing: two queries that restrict a
property to the same values say so with equal documents, however they spell it.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from facts.answers import domains
from facts.answers.domains import Mixed
from facts.answers.joining import Joined, join
from facts.answers.literals import bind
from facts.answers.pattern import Opaque, Pattern
from facts.answers.predicates import Condition, Ref
from facts.answers.results import Result, result_of
from facts.answers.schema import Schema
from facts.answers.scopes import DIALECTS, Vocabulary
from facts.answers.selects import Reader
from facts.answers.unreadable import Unreadable

FORM = 2  # of the document; another number for every change to what stands in it
LONGEST = 20_000  # characters of a query

# The parser warns with the text it could not read, and that text holds values.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL + 1)


@dataclass(frozen=True, slots=True)
class Analysis:
    """Plain data about one query; ``unreadable`` is a code where nothing can be said of it.

    ``reads`` are the (label, property) and (label, verb, label) whose change outdates it.
    """

    reads: tuple[tuple[str, ...], ...] = ()
    unreadable: str | None = None
    found: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The analysis that ``to_document`` wrote, after a way through jsonb too.

        One of another form, written by an older Ken, is unreadable: the query must be read anew.
        """
        reads = tuple(tuple(read) for read in document["reads"])
        if document.get("form") != FORM:
            return cls(reads, "older-form")
        return cls(reads, document["unreadable"], document["found"])

    def to_document(self) -> dict[str, Any]:
        return {
            "form": FORM,
            "reads": [list(read) for read in self.reads],
            "unreadable": self.unreadable,
            "found": dict(self.found),
        }


def analyse(
    sql: str,
    dialect: str,
    schema: Schema,
    params: Mapping[str, Any] | Sequence[Any] = (),
) -> Analysis:
    """What ``sql`` does, as far as every node of it is understood; else an unreadable analysis.

    ``params`` are the values it was run with: by name, by number from 1, or the one there is.
    """
    pattern = Pattern()
    try:
        vocabulary = Vocabulary(schema, dialect)
        select = bind(_parsed(sql, dialect), params)
        result = result_of(select, Reader(pattern, vocabulary, pattern.said))
        joined = join(pattern, schema)
        found = _document(pattern, joined, result, vocabulary)
    except Unreadable as fault:
        return Analysis(unreadable=fault.code)
    except Mixed:
        return Analysis(unreadable="mixed-values")
    except RecursionError:
        return Analysis(unreadable="too-deep")
    return Analysis(_reads(pattern, result, schema), None, found)


def _parsed(sql: str, dialect: str) -> exp.Expr:
    if dialect not in DIALECTS:
        raise Unreadable("dialect")
    if len(sql) > LONGEST:
        raise Unreadable("too-long")
    try:
        statements = sqlglot.parse(sql, dialect=dialect)
    except (SqlglotError, ValueError):
        raise Unreadable("not-parsed") from None
    queries = [one for one in statements if one is not None and type(one) is not exp.Semicolon]
    if len(queries) != 1:
        raise Unreadable("not-one-statement")
    return queries[0]


def _document(
    pattern: Pattern, joined: Joined, result: Result, vocabulary: Vocabulary
) -> dict[str, Any]:
    kept = sorted({at for at in joined.place.values() if at >= 0} & _needed(pattern, joined))
    index = {at: number for number, at in enumerate(kept)}

    def ref(one: Ref) -> list[Any]:
        at = joined.place[one[0]]
        return [index.get(at, at), one[1]]

    edges = [
        [index[edge.from_], index[edge.to], edge.hop.verb, *_ways(edge.hop)]
        for edge in joined.edges
    ]
    return {
        "dialect": vocabulary.dialect,
        "nodes": [[pattern.labels[at], pattern.nodes[at].joined] for at in kept],
        "edges": edges,
        "domains": [
            [index[at], property_, document, _is_implied((at, property_), document, joined)]
            for (at, property_), document in _domains(pattern, joined, vocabulary).items()
        ],
        "opaque": [_opaque(one, index) for one in joined.opaque],
        "spreads": joined.spreads,
        "columns": [ref(one) for one in result.columns],
        "measures": [[name, None if one is None else ref(one)] for name, one in result.measures],
        "others": len(result.others),
        "groups": None if result.groups is None else [ref(one) for one in result.groups],
        "distinct": None if result.distinct is None else [ref(one) for one in result.distinct],
        "limit": result.limit,
        "skips": result.skips,
        "order": [ref(one) for one in result.order],
        "descending": result.descending,
    }


def _is_implied(ref: Ref, document: Mapping[str, Any], joined: Joined) -> bool:
    """Whether it only says that a property is filled across which a needed record is reached."""
    if document["null"] or document["axes"] or document["atoms"]:
        return False
    return any(
        ref in ((edge.from_, pair[0]), (edge.to, pair[1]))
        for edge in joined.edges
        for pair in edge.hop.on
    )


def _ways(hop: Any) -> tuple[bool, bool]:
    """Whether it leads to at most one record, forward and back."""
    return hop.is_to_one(forward=True), hop.is_to_one(forward=False)


def _needed(pattern: Pattern, joined: Joined) -> set[int]:
    return {joined.place[at] for at, node in enumerate(pattern.nodes) if node.group is None}


def _domains(pattern: Pattern, joined: Joined, vocabulary: Vocabulary) -> dict[Ref, dict[str, Any]]:
    """What each property is restricted to, all conditions together. Raises Mixed."""
    by_ref: dict[Ref, list[Condition]] = {}
    for condition in joined.limited:
        by_ref.setdefault(condition.ref, []).append(condition)
    found = {}
    for (at, property_), conditions in by_ref.items():
        label = pattern.labels[at]
        document = domains.document_of(
            vocabulary.type_of(label, property_),
            [(one.truth.axis, one.truth.true) for one in conditions if one.truth is not None],
            [list(one.atom) for one in conditions if one.atom is not None],
            is_key=vocabulary.is_filled(label, property_),
        )
        if document is not None:
            found[(at, property_)] = document
    return found


def _opaque(said: Opaque, index: Mapping[int, int]) -> dict[str, Any]:
    refs = sorted([index[at], property_] for at, property_ in said.refs)
    absent = said.absent
    if absent is None:
        return {"refs": refs, "absent": None}
    return {"refs": refs, "absent": [absent.label, absent.verb, list(absent.properties)]}


def _reads(pattern: Pattern, result: Result, schema: Schema) -> tuple[tuple[str, ...], ...]:
    """Every column named, each label's key, and every hop."""
    reads = set(pattern.reads)
    for label in pattern.labels:
        table = schema.tables[label]
        reads.update((label, property_) for property_ in table.key or tuple(table.columns)[:1])
    given = [*result.columns, *(ref for _, ref in result.measures if ref), *result.order]
    given += [ref for refs in result.others for ref in refs]
    given += [*(result.groups or ()), *(result.distinct or ())]
    said = [*pattern.said, *(one for group in pattern.groups for one in group.said)]
    given += [ref for one in said for ref in one.refs]
    reads.update((pattern.labels[at], property_) for at, property_ in given)
    return tuple(sorted(reads))
