"""What of a question and its query may be kept: no credential, no address, no number of somebody.

Questions and queries are what people and programs wrote on purpose, so they may be prose and may
name people; what must not be kept anywhere must not be kept in them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from facts import guard
from facts.answers.asking import Question
from facts.answers.errors import BadAnswer
from facts.guard.values import LONG_NUMBER

LONGEST_QUERY = 10_000  # characters


def demand_keepable(
    question: Question, query: str, dialect: str, params: Mapping[str, Any]
) -> None:
    """Raise BadAnswer, saying where and by which code, unless all of it may be kept."""
    if not query.strip() or len(query) > LONGEST_QUERY:
        raise BadAnswer(f"a query has 1 to {LONGEST_QUERY:,} characters")
    parts = [("the question", question.to_document()), ("the query", query), ("params", params)]
    for where, part in parts:
        for text in _texts(part):
            if reason := guard.text_reason(text):
                raise BadAnswer(f"{where} can't be kept, a part of it looks like: {reason}")
    for constraint in question.constraints:
        if constraint.value is not None and _is_secret(constraint.label, constraint.property or ""):
            raise BadAnswer("the question asks for the value of a credential; none is kept")
    _demand_plain(query, dialect)


def _texts(part: Any) -> Iterator[str]:
    """Every text in plain data, and every number that is long enough to be somebody's."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for key, item in part.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(part, list | tuple):
        for item in part:
            yield from _texts(item)
    elif isinstance(part, int | float) and len(str(part)) >= LONG_NUMBER:
        yield str(part)


def _demand_plain(query: str, dialect: str) -> None:
    """Raise BadAnswer for a query with comments, or one that does more than show a credential.

    A comment is text that nobody reads as a query and every reader of the answer is given. A column
    named as a credential may be shown, counted and asked for being there; whatever else is done
    with it can hold its value.
    """
    try:
        tree = parse_one(query, dialect=dialect)
    except (SqlglotError, RecursionError):
        return  # the analysis refuses what it can't read
    nodes = list(tree.walk())
    if any(node.comments for node in nodes) or tree.find(exp.Hint):
        raise BadAnswer("the query has a comment; a query is kept without")
    secrets = [node for node in nodes if isinstance(node, exp.Column) and _is_secret("", node.name)]
    renames = any(node.columns for node in nodes if isinstance(node, exp.TableAlias))
    if secrets and (renames or not all(_is_plain(column) for column in secrets)):
        raise BadAnswer("the query compares a credential with a value; none is kept")


def _is_plain(column: exp.Column) -> bool:
    """Whether no value can stand beside the column: not here, and not where it is named."""
    parent = column.parent
    if isinstance(parent, exp.Alias) and _is_secret("", parent.alias):
        parent = parent.parent
    if isinstance(parent, exp.Select):
        return parent.parent is None
    if isinstance(parent, exp.Is):
        return isinstance(parent.expression, exp.Null)
    return isinstance(parent, exp.Count)


def _is_secret(label: str, name: str) -> bool:
    return bool(name) and guard.property_rule(label, name, "text") == "credential"
