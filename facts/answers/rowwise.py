"""Conditions that can't be told as sets, known by the properties they touch. Pure."""

from sqlglot import exp

from facts.answers.predicates import Columns, Ref
from facts.answers.unreadable import Unreadable

# Whatever these say, they say it of one row and always alike: no chance, no count, no other rows.
_ROWWISE = (
    *(exp.And, exp.Or, exp.Not, exp.Paren, exp.Is, exp.In, exp.Between, exp.Like, exp.ILike),
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Abs, exp.Round),
    *(exp.Case, exp.If, exp.Coalesce, exp.Nullif, exp.Greatest, exp.Least),
    *(exp.Lower, exp.Upper, exp.Trim, exp.Length, exp.Concat, exp.DPipe, exp.Substring),
    *(exp.Cast, exp.DataType, exp.DataTypeParam, exp.Extract, exp.TimestampTrunc, exp.Interval),
    *(exp.CurrentTimestamp, exp.CurrentDate, exp.Literal, exp.Null, exp.Boolean, exp.Var),
    *(exp.Column, exp.Identifier, exp.RegexpLike, exp.Tuple, exp.Ceil, exp.Floor),
)


def rowwise_refs(node: exp.Expr, scope: Columns) -> frozenset[Ref]:
    """The properties that an expression over one row touches. Raises Unreadable for any other."""
    for part in node.walk():
        if type(part) not in _ROWWISE:
            raise Unreadable(f"{part.key}-in-expression")
    return frozenset(scope.ref(column) for column in node.find_all(exp.Column))
