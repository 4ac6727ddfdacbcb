"""A query's shape: its structure without a single literal. Pure.

The query is parsed, never matched as text. Literals, booleans in comparisons, signs, parameters
and the numbers of LIMIT become ``?``; a list of literals becomes one ``?``; an interval is one
value with its unit; comments and hints go. What names structure stays: types, the keys of JSON
paths, parts and formats of dates, ordinals of GROUP BY and ORDER BY, IS NULL.

What can't be parsed wholly has no shape: the parser keeps such a text as it stands, literals and
all.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from facts.errors import KenError

LONGEST = 100_000  # characters of a query

# The parser warns with the text it could not read, and that text holds values.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL + 1)

_KEPT_STATEMENTS = (exp.Query, exp.Insert, exp.Update, exp.Delete, exp.Merge)
_VALUES = (
    exp.Literal,
    exp.Boolean,
    exp.National,
    exp.RawString,
    exp.UnicodeString,
    exp.ByteString,
    exp.BitString,
    exp.HexString,
    exp.Heredoc,
    exp.Parameter,
    exp.SessionParameter,
    exp.Placeholder,
)
_PARTS_OF_DATES = frozenset(
    (
        *("microsecond", "microseconds", "millisecond", "milliseconds", "second", "seconds"),
        *("minute", "minutes", "hour", "hours", "day", "days"),
        *("dow", "isodow", "dayofweek", "doy", "dayofyear", "week"),
        *("weeks", "isoweek", "month", "months", "quarter", "quarters"),
        *("year", "years", "isoyear", "decade", "century", "millennium"),
        *("epoch", "julian", "timezone"),
    )
)
_FORMAT_OF_DATES = re.compile(r"(?:%[-#]?[A-Za-z]|[YMDHISTZ]|[ :/,.\-])+")
_LISTS = (exp.In, exp.Array, exp.Tuple, exp.Unnest)


class NotAQuery(KenError):
    """The text can't be parsed wholly as one query. The message never quotes it."""

    code = "not-a-query"


@dataclass(frozen=True, slots=True)
class Shape:
    """A query without its values, and the tables it reads as (schema or "", name) pairs."""

    text: str
    tables: frozenset[tuple[str, str]]


def shape_of(sql: str, dialect: str, *, known: Mapping[str, str] | None = None) -> Shape:
    """The shape of ``sql`` in a dialect that sqlglot knows.

    ``known`` maps the names of the account's tables and columns, folded for case, to themselves:
    with it every other name (an alias, a misspelt column, a value in the wrong quotes) becomes
    ``x1``, ``x2`` and so on in order of appearance. Without it names stay.

    Raises NotAQuery.
    """
    tree = _parsed(sql, dialect)
    tables = frozenset(_tables(tree))
    tree = _stripped(tree)
    if known is not None:
        _rename(tree, known)
    return Shape(text=tree.sql(dialect=dialect, comments=False), tables=tables)


def _parsed(sql: str, dialect: str) -> exp.Expr:
    if len(sql) > LONGEST:
        raise NotAQuery(f"a query has at most {LONGEST} characters")
    try:
        statements = [tree for tree in sqlglot.parse(sql, read=dialect) if tree is not None]
        if len(statements) != 1 or not isinstance(statements[0], _KEPT_STATEMENTS):
            raise NotAQuery("one SELECT, INSERT, UPDATE, DELETE or MERGE is a query")
        if statements[0].find(exp.Command):
            raise NotAQuery("the query has a part that can't be read")
        return normalize_identifiers(statements[0], dialect=dialect)
    except NotAQuery:
        raise
    except (SqlglotError, ValueError, RecursionError):
        raise NotAQuery("the text can't be parsed as a query of its dialect") from None


def _tables(tree: exp.Expr) -> Iterator[tuple[str, str]]:
    temporary = {cte.alias_or_name.casefold() for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        name = table.name.casefold()
        if name and (table.db or name not in temporary):
            yield table.db.casefold(), name


def _stripped(tree: exp.Expr) -> exp.Expr:
    for hint in list(tree.find_all(exp.Hint)):
        hint.pop()
    for node in tree.walk():
        node.comments = None
    tree = tree.transform(_without_value)
    return tree.transform(_one_of_a_list)


def _without_value(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Interval):
        return exp.Var(this="INTERVAL ?")
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return _any_value()
    if isinstance(node, _VALUES) and not _is_structure(node):
        return _any_value()
    return node


def _is_structure(node: exp.Expr) -> bool:
    parent = node.parent
    if isinstance(parent, exp.DataType | exp.DataTypeParam | exp.JSONPathPart | exp.JSONPath):
        return True
    if isinstance(parent, exp.Group | exp.Ordered):
        return isinstance(node, exp.Literal) and not node.is_string
    if isinstance(parent, exp.JSONExtract | exp.JSONExtractScalar | exp.JSONBExtract):
        return node.arg_key == "expression"
    if node.arg_key == "unit":
        return node.name.casefold() in _PARTS_OF_DATES
    return node.arg_key == "format" and _FORMAT_OF_DATES.fullmatch(node.name) is not None


def _one_of_a_list(node: exp.Expr) -> exp.Expr:
    if isinstance(node, _LISTS):
        members = node.expressions
        if len(members) > 1 and all(_is_any_value(member) for member in members):
            node.set("expressions", [_any_value()])
    return node


def _rename(tree: exp.Expr, known: Mapping[str, str]) -> None:
    given: dict[str, str] = {}

    def other(name: str) -> str:
        return given.setdefault(name, f"x{len(given) + 1}")

    for node in tree.dfs():
        folded = node.name.casefold() if isinstance(node.this, str) else ""
        if isinstance(node, exp.Identifier | exp.JSONPathKey):
            if folded not in known:
                node.set("this", other(folded))
                node.set("quoted", False)
        elif isinstance(node, exp.Var):
            if folded not in _PARTS_OF_DATES and not folded.endswith("?"):
                node.set("this", other(folded))
        elif isinstance(node, exp.Anonymous) and folded:
            node.set("this", other(f"{folded}()"))
        elif isinstance(node, exp.DataType) and node.args.get("kind"):
            node.set("kind", other(f"{node.args['kind']} type"))


def _any_value() -> exp.Var:
    return exp.Var(this="?")


def _is_any_value(node: exp.Expr) -> bool:
    return isinstance(node, exp.Var) and node.name == "?"
