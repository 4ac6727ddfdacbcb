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
_LITERALS = (exp.Literal, exp.Placeholder, exp.Parameter)


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
    if _compares_secrets(query, dialect):
        raise BadAnswer("the query compares a credential with a value; none is kept")


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


def _compares_secrets(query: str, dialect: str) -> bool:
    """Whether a column named as a credential stands beside a literal."""
    try:
        tree = parse_one(query, dialect=dialect)
    except (SqlglotError, RecursionError):
        return False  # the analysis refuses what it can't read
    for column in tree.find_all(exp.Column):
        if _is_secret("", column.name):
            beside = column.find_ancestor(exp.Predicate, exp.Select)
            if isinstance(beside, exp.Predicate) and beside.find(*_LITERALS):
                return True
    return False


def _is_secret(label: str, name: str) -> bool:
    return bool(name) and guard.property_rule(label, name, "text") == "credential"
