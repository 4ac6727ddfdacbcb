"""Reading the constants of a query's tree. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from sqlglot import exp

from facts.answers.constants import (
    NULL,
    UNITS,
    Constant,
    Unplaced,
    dated,
    relative,
    timed,
)
from facts.answers.unreadable import Unreadable, only

MOST_DIGITS = 18  # of a place or a limit

_INTERVAL = re.compile(r"([+-]?\d{1,6}) ?([a-z]+)")
_WHOLE_TYPES = (exp.DType.INT, exp.DType.BIGINT, exp.DType.SMALLINT)
_TEXT_TYPES = (exp.DType.TEXT, exp.DType.VARCHAR)


def constant_of(node: exp.Expr) -> Constant | None:
    """The constant that ``node`` spells; None where it is none. Raises Unreadable, Unplaced."""
    read = _READERS.get(type(node))
    return None if read is None else read(node)


def bind(tree: exp.Expr, params: Mapping[str, Any] | Sequence[Any]) -> exp.Expr:
    """``tree`` with its parameters' values in their places.

    They are named (``:name``, ``%(name)s``, ``@name``), numbered (``$1``) or one alone (``?``).
    Raises Unreadable where one has no value that a query could spell.
    """
    named = dict(params) if isinstance(params, Mapping) else {}
    listed = [] if isinstance(params, Mapping) else list(params)
    found = list(tree.find_all(exp.Placeholder, exp.Parameter))
    if sum(node.args.get("this") is None for node in found) > 1:
        raise Unreadable("parameters-in-order")  # a tree does not keep the order of its text
    for node in found:
        name = node.name
        if node.args.get("this") is None:
            value = _at(listed, 0)
        elif name in named:
            value = named[name]
        elif name.isdecimal() and len(name) <= MOST_DIGITS:
            value = _at(listed, int(name) - 1)
        else:
            raise Unreadable("parameter")
        node.replace(_spelled(value))
    return tree


def _at(listed: Sequence[Any], place: int) -> Any:
    if 0 <= place < len(listed):
        return listed[place]
    raise Unreadable("parameter")


def _spelled(value: Any) -> exp.Expr:
    if value is None:
        return exp.Null()
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, int | float):
        number = exp.Literal.number(repr(abs(value)))
        return exp.Neg(this=number) if value < 0 else number
    raise Unreadable("parameter")


def _literal(node: exp.Expr) -> Constant:
    only(node, "this", "is_string")
    if node.args.get("is_string"):
        return Constant("text", node.this)
    try:
        return Constant("number", Decimal(node.this))
    except InvalidOperation:
        raise Unplaced from None


def _null(node: exp.Expr) -> Constant:
    only(node)
    return NULL


def _boolean(node: exp.Expr) -> Constant:
    only(node, "this")
    return Constant("boolean", bool(node.this))


def _negative(node: exp.Expr) -> Constant | None:
    only(node, "this")
    found = constant_of(node.this)
    if found is None or found.kind != "number":
        return None
    return Constant("number", -found.value)


def _inside(node: exp.Expr) -> Constant | None:
    only(node, "this")
    return constant_of(node.this)


def _cast(node: exp.Expr) -> Constant | None:
    """A typed literal. What would round, cut or depend on a zone has no place."""
    only(node, "this", "to")
    only(node.args["to"], "this", "nested")
    found = constant_of(node.this)
    if found is None or found is NULL:
        return found
    type_ = node.args["to"].this
    if found.kind == "text" and type_ == exp.DType.DATE:
        return dated(found.value)
    if found.kind == "text" and type_ == exp.DType.TIMESTAMP:
        return timed(found.value)
    if found.kind == "text" and type_ in _TEXT_TYPES and not found.value.endswith(" "):
        return found
    if found.kind == "number" and type_ in _WHOLE_TYPES and found.value % 1 == 0:
        return found
    if found.kind == "number" and type_ == exp.DType.DECIMAL:
        return found
    raise Unplaced


def _now(node: exp.Expr) -> Constant:
    only(node)
    return relative("now", "d", 0)


def _today(node: exp.Expr) -> Constant:
    only(node)
    return relative("today", "d", 0)


def _moved(node: exp.Expr) -> Constant | None:
    """``now() - interval '30 days'``, ``current_date - 30``."""
    only(node, "this", "expression")
    start = constant_of(node.this)
    if start is None or start.kind != "relative" or start.value[2]:
        return None
    steps, unit = _interval(node.expression, start.value[0])
    return relative(start.value[0], unit, -steps if isinstance(node, exp.Sub) else steps)


def _interval(node: exp.Expr, start: str) -> tuple[int, str]:
    if isinstance(node, exp.Interval):
        only(node, "this", "unit")
        unit = node.args.get("unit")
        if unit is not None and not isinstance(unit, exp.Var):
            raise Unplaced
        spelled = f"{node.this.name} {unit.name if unit else ''}".strip()
    elif isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.INTERVAL:
        only(node, "this", "to")
        only(node.args["to"], "this", "nested")
        spelled = node.this.name
    elif isinstance(node, exp.Literal) and not node.is_string and start == "today":
        spelled = f"{node.this} day"
    else:
        raise Unplaced
    found = _INTERVAL.fullmatch(spelled.casefold())
    unit_name = found[2].removesuffix("s") if found else ""
    if not found or unit_name not in UNITS:
        raise Unplaced
    return int(found[1]), unit_name


_READERS: dict[type, Callable[[Any], Constant | None]] = {
    exp.Literal: _literal,
    exp.Null: _null,
    exp.Boolean: _boolean,
    exp.Neg: _negative,
    exp.Paren: _inside,
    exp.Cast: _cast,
    exp.CurrentTimestamp: _now,
    exp.CurrentDate: _today,
    exp.Sub: _moved,
    exp.Add: _moved,
}
