"""What a query gives: columns of records, or counts and sums of them, and how it cuts. Pure."""

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from facts.answers.literals import MOST_DIGITS
from facts.answers.predicates import Ref
from facts.answers.rowwise import rowwise_refs
from facts.answers.scopes import Scope
from facts.answers.selects import Reader, plain, starred
from facts.answers.unreadable import Unreadable, only

READ = ("group", "order", "limit", "offset", "distinct")  # of a SELECT, beside what Reader reads
_MEASURES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


@dataclass(slots=True)
class Result:
    """Columns of records, or ``measures``: (name, property or None) each.

    Rows that are alike in ``distinct`` are one row; ``order`` is what ORDER BY names.
    """

    columns: list[Ref] = field(default_factory=list)
    measures: list[tuple[str, Ref | None]] = field(default_factory=list)
    others: list[frozenset[Ref]] = field(default_factory=list)
    groups: list[Ref] | None = None
    distinct: list[Ref] | None = None
    limit: int | None = None
    skips: bool = False
    order: list[Ref] = field(default_factory=list)
    descending: list[bool] = field(default_factory=list)  # of each of ``order``


def result_of(select: exp.Expr, reader: Reader) -> Result:
    """Read the SELECT whole, its FROM and WHERE into the reader's pattern. Raises Unreadable."""
    _, scope = reader.scope_of(select, *READ)
    result = Result()
    for given in select.expressions:
        _give(given, scope, result)
    if not result.columns and not result.measures and not result.others:
        raise Unreadable("nothing-given")
    group, distinct = select.args.get("group"), select.args.get("distinct")
    if group is not None:
        only(group, "expressions")
        result.groups = [_grouped(one, select, scope) for one in group.expressions]
    if distinct is not None:
        only(distinct)
        if not result.measures and group is None:
            touched = [ref for refs in result.others for ref in sorted(refs)]
            result.distinct = result.columns + touched
    if result.groups is not None and not result.measures:
        result.distinct, result.groups = result.groups, None
    _cut(select, result)
    _order(select, scope, result)
    return result


def _give(given: exp.Expr, scope: Scope, result: Result) -> None:
    star = starred(given, scope)
    if star is not None:
        for source in star:
            for ref in source.columns.values():
                if ref is None:
                    raise Unreadable("unknown-column")
                result.columns.append(ref)
        return
    node = plain(given)
    if isinstance(node, exp.Column):
        result.columns.append(scope.ref(node))
    elif isinstance(node, _MEASURES):
        result.measures.append(_measure(node, scope))
    else:
        result.others.append(rowwise_refs(node, scope))


def _measure(node: exp.Expr, scope: Scope) -> tuple[str, Ref | None]:
    """A count of rows, or a measure of one plain property; others are told apart by no name."""
    only(node, "this", "big_int")
    name, inner = node.key, node.this
    if isinstance(inner, exp.Distinct):
        only(inner, "expressions")
        if len(inner.expressions) != 1:
            raise Unreadable("distinct-of-several")
        name, inner = f"{name}-distinct", inner.expressions[0]
    if isinstance(inner, exp.Column) and not isinstance(inner.this, exp.Star):
        return name, scope.ref(inner)
    if name == "count" and isinstance(inner, exp.Star | exp.Literal):
        only(inner, "this", "is_string")
        return name, None
    raise Unreadable("measure")


def _grouped(node: exp.Expr, select: exp.Expr, scope: Scope) -> Ref:
    """A property to group by: its own name, its place, or else what a column is given as."""
    if isinstance(node, exp.Literal):
        node = _at(node, select)
    if not isinstance(node, exp.Column):
        raise Unreadable("group")
    return scope.ref(node)


def _at(place: exp.Literal, select: exp.Expr) -> exp.Expr:
    """What is given at a place, counted from 1."""
    if place.is_string or not _is_whole(place):
        raise Unreadable("place")
    given = select.expressions
    if not 1 <= int(place.this) <= len(given) or any(one.is_star for one in given):
        raise Unreadable("place")
    return plain(given[int(place.this) - 1])


def _cut(select: exp.Expr, result: Result) -> None:
    limit, offset = select.args.get("limit"), select.args.get("offset")
    if limit is not None:
        if not isinstance(limit, exp.Limit):
            raise Unreadable("limit")
        only(limit, "expression")
        result.limit = _count(limit.expression)
    if offset is not None:
        only(offset, "expression")
        result.skips = _count(offset.expression) > 0


def _count(node: Any) -> int:
    if isinstance(node, exp.Literal) and not node.is_string and _is_whole(node):
        return int(node.this)
    raise Unreadable("limit")


def _is_whole(node: exp.Literal) -> bool:
    return str(node.this).isdecimal() and len(node.this) <= MOST_DIGITS


def _order(select: exp.Expr, scope: Scope, result: Result) -> None:
    """Order changes no rows; where the result is cut it says which are kept."""
    order = select.args.get("order")
    if order is None:
        return
    only(order, "expressions")
    name = scope.vocabulary.name
    aliases = (one for one in select.expressions if isinstance(one, exp.Alias))
    given = {name(one.args["alias"]): plain(one) for one in aliases}
    for ordered in order.expressions:
        only(ordered, "this", "desc", "nulls_first")
        node = ordered.this
        if isinstance(node, exp.Literal):
            node = _at(node, select)
        elif isinstance(node, exp.Column) and not node.table and name(node.this) in given:
            node = given[name(node.this)]
        if isinstance(node, _MEASURES):
            _measure(node, scope)
            continue
        refs = sorted(rowwise_refs(node, scope))
        result.order += refs
        result.descending += [bool(ordered.args.get("desc"))] * len(refs)
