"""Conditions on one property, read from a query's tree to what makes them true. Pure.

What is no such condition raises NotOne: it may still restrict rows, and is then known by the
properties it touches alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from sqlglot import exp

from facts.answers import domains
from facts.answers.constants import NULL, Constant, Unplaced
from facts.answers.domains import Mixed, Truth
from facts.answers.literals import constant_of
from facts.answers.unreadable import only

Ref = tuple[int, str]  # a node of the query's pattern and a property of it

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_OPS: dict[type, str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_ORDERS = {"<": ("lt", True), "<=": ("le", True), ">": ("le", False), ">=": ("lt", False)}


class NotOne(Exception):
    """No condition on one property whose true and false values can be told."""


class Columns(Protocol):
    """What a scope knows of columns."""

    def ref(self, column: exp.Column) -> Ref: ...
    def type_of(self, ref: Ref) -> str: ...


@dataclass(frozen=True, slots=True)
class Condition:
    """What is true of one property: ``truth``, or an ``atom`` that only its spelling tells."""

    ref: Ref
    truth: Truth | None = None
    atom: tuple[bool, str, str] | None = None  # holds or not, what, with which text


def condition_of(node: exp.Expr, scope: Columns, *, holds: bool) -> Condition:
    """What ``node`` being true (or, with ``holds`` false, being false) says of a property.

    Raises NotOne, Unreadable.
    """
    try:
        atom = _atom(node, scope)
        if atom is not None:
            positive, kind, text = atom.atom or (True, "", "")
            return Condition(atom.ref, atom=(positive is holds, kind, text))
        ref, truth = _truth(node, scope)
    except (Mixed, Unplaced):
        raise NotOne from None
    return Condition(ref, truth if holds else truth.negated())


def text_atom(op: str, value: str) -> tuple[bool, str, str] | None:
    """The atom of a condition on a text that is no set: its pattern, or a collation's order."""
    if op == "like":
        return (True, "like", value)
    if op in _ORDERS:
        kind, positive = _ORDERS[op]
        return (positive, kind, value)
    return None


def _truth(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    read = _TRUTHS.get(type(node))
    if read is None:
        raise NotOne
    return read(node, scope)


def _operand(node: exp.Expr, scope: Columns, *, for_equality: bool = False) -> Ref:
    """A column as it is, in parentheses or cast to what compares alike."""
    while isinstance(node, exp.Paren):
        only(node, "this")
        node = node.this
    if isinstance(node, exp.Column):
        return scope.ref(node)
    if not isinstance(node, exp.Cast):
        raise NotOne
    only(node, "this", "to")
    only(node.args["to"], "this", "nested")
    ref = _operand(node.this, scope)
    type_ = scope.type_of(ref)
    if node.args["to"].this not in _ALIKE.get(type_, ()) or (type_ == "text" and not for_equality):
        raise NotOne
    return ref


# Casts that neither round nor cut. As texts, padded ones and enumerations are equal to the same
# constants as before (those that end in a space have no place), but ordered otherwise.
_ALIKE: dict[str, tuple[exp.DType, ...]] = {
    "integer": (exp.DType.BIGINT, exp.DType.DECIMAL),
    "date": (exp.DType.DATE, exp.DType.TIMESTAMP),
    "text": (exp.DType.TEXT, exp.DType.VARCHAR),
}


def _constant(node: exp.Expr) -> Constant:
    found = constant_of(node)
    if found is None:
        raise NotOne
    return found


def _sides(node: exp.Expr, scope: Columns) -> tuple[Ref, str, Constant]:
    """The column, the operator as if the column came first, and the constant."""
    only(node, "this", "expression")
    op = _OPS[type(node)]
    left, right = node.this, node.expression
    if constant_of(right) is None:
        left, right, op = right, left, _FLIPPED[op]
    ref = _operand(left, scope, for_equality=op in ("=", "!="))
    return ref, op, _constant(right)


def _compare(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    if isinstance(node.expression, exp.Any):
        return _equal_any(node, scope)
    if isinstance(node.this, exp.Coalesce):
        return _compare_defaulted(node, scope)
    ref, op, constant = _sides(node, scope)
    return ref, domains.compare(scope.type_of(ref), op, constant)


def _compare_defaulted(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    """``COALESCE(property, constant) op constant``."""
    only(node, "this", "expression")
    only(node.this, "this", "expressions")
    ref = _operand(node.this.this, scope)
    if len(node.this.expressions) != 1:
        raise NotOne
    default = _constant(node.this.expressions[0])
    type_ = scope.type_of(ref)
    truth = domains.compare(type_, _OPS[type(node)], _constant(node.expression))
    return ref, truth if default is NULL else truth.defaulting_to(default)


def _and(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    return _joined(node, scope, Truth.both)


def _or(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    return _joined(node, scope, Truth.either)


def _joined(
    node: exp.Expr, scope: Columns, join: Callable[[Truth, Truth], Truth]
) -> tuple[Ref, Truth]:
    only(node, "this", "expression")
    left, one = _truth(node.this, scope)
    right, other = _truth(node.expression, scope)
    if left != right:
        raise NotOne
    return left, join(one, other)


def _not(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    only(node, "this")
    ref, truth = _truth(node.this, scope)
    return ref, truth.negated()


def _paren(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    only(node, "this")
    return _truth(node.this, scope)


def _column(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    """A column of booleans as a condition."""
    ref = scope.ref(node)  # type: ignore[arg-type]
    if scope.type_of(ref) != "boolean":
        raise NotOne
    return ref, domains.compare("boolean", "=", Constant("boolean", True))


def _is(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    """IS NULL, IS TRUE and IS FALSE, of a column or of a condition in parentheses."""
    only(node, "this", "expression", "negate")
    constant = _constant(node.expression)
    if not isinstance(node.this, exp.Column | exp.Paren):
        raise NotOne  # how tightly IS binds differs from parser to parser
    if constant is NULL:
        ref, truth = _is_null(node.this, scope)
    elif constant.kind == "boolean":
        ref, truth = _truth(node.this, scope)
        truth = (truth if constant.value else truth.negated()).known()
    else:
        raise NotOne
    return ref, truth.negated() if node.args.get("negate") else truth


def _is_null(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    """A condition is NULL where it is neither true nor false."""
    try:
        ref = _operand(node, scope)
        return ref, domains.is_null(scope.type_of(ref))
    except NotOne:
        ref, truth = _truth(node, scope)
        said = truth.true.union(truth.false)
        return ref, Truth(truth.type, truth.axis, said.complement(), said)


def _same(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    only(node, "this", "expression")
    ref = _operand(node.this, scope, for_equality=True)
    constant, type_ = _constant(node.expression), scope.type_of(ref)
    if constant.kind == "boolean" and type_ != "boolean":
        raise NotOne  # SQLite reads it as IS TRUE, which any number but 0 is
    return ref, domains.same(type_, constant)


def _not_same(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    ref, truth = _same(node, scope)
    return ref, truth.negated()


def _in(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    only(node, "this", "expressions")
    ref = _operand(node.this, scope, for_equality=True)
    if not node.expressions:
        raise NotOne
    constants = [_constant(one) for one in node.expressions]
    return ref, domains.one_of(scope.type_of(ref), constants)


def _equal_any(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    """``property = ANY(ARRAY[...])``."""
    only(node, "this", "expression")
    only(node.expression, "this")
    array = node.expression.this
    while isinstance(array, exp.Paren):
        only(array, "this")
        array = array.this
    if not isinstance(node, exp.EQ) or not isinstance(array, exp.Array) or not array.expressions:
        raise NotOne
    only(array, "expressions")
    ref = _operand(node.this, scope, for_equality=True)
    return ref, domains.one_of(scope.type_of(ref), [_constant(one) for one in array.expressions])


def _between(node: exp.Expr, scope: Columns) -> tuple[Ref, Truth]:
    only(node, "this", "low", "high")
    ref = _operand(node.this, scope)
    low, high = _constant(node.args["low"]), _constant(node.args["high"])
    return ref, domains.between(scope.type_of(ref), low, high)


def _atom(node: exp.Expr, scope: Columns) -> Condition | None:
    """A pattern or an order of texts with nothing around but parentheses and NOT."""
    if isinstance(node, exp.Paren | exp.Not):
        only(node, "this")
        inner = _atom(node.this, scope)
        if inner is None or inner.atom is None or isinstance(node, exp.Paren):
            return inner
        positive, kind, text = inner.atom
        return Condition(inner.ref, atom=(not positive, kind, text))
    if isinstance(node, exp.Like | exp.ILike):
        return _like(node, scope)
    if type(node) in _OPS and _OPS[type(node)] in _ORDERS:
        ref, op, constant = _sides(node, scope)
        if scope.type_of(ref) == "text" and constant.kind == "text":
            return Condition(ref, atom=text_atom(op, constant.value))
    return None


def _like(node: exp.Expr, scope: Columns) -> Condition:
    only(node, "this", "expression", "negate")
    ref, constant = _operand(node.this, scope), _constant(node.expression)
    if constant.kind != "text" or scope.type_of(ref) != "text":
        raise NotOne
    kind = "like" if isinstance(node, exp.Like) else "ilike"
    return Condition(ref, atom=(not node.args.get("negate"), kind, constant.value))


_Reader = Callable[[Any, Columns], tuple[Ref, Truth]]
_TRUTHS: dict[type, _Reader] = {
    **dict.fromkeys(_OPS, _compare),
    exp.And: _and,
    exp.Or: _or,
    exp.Not: _not,
    exp.Paren: _paren,
    exp.Column: _column,
    exp.Is: _is,
    exp.NullSafeEQ: _same,
    exp.NullSafeNEQ: _not_same,
    exp.In: _in,
    exp.Between: _between,
}
