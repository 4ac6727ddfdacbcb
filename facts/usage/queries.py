"""Reading a query as it was run from a line of a file or a body. Pure."""

from dataclasses import dataclass
from typing import Any

from sqlglot.dialects.dialect import Dialect

from facts.errors import KenError

FIELDS = ("account", "person", "query", "dialect", "ok")


class BadUsage(KenError):
    """A line that says no query; the message names the field and never quotes it."""

    code = "bad-usage"


@dataclass(frozen=True, slots=True)
class RunQuery:
    """One query as somebody ran it; ``ok`` says whether it succeeded."""

    account: str
    query: str
    dialect: str
    ok: bool


def read(line: Any) -> RunQuery:
    """The query that a decoded JSON line says. Raises BadUsage, naming the first fault."""
    if not isinstance(line, dict):
        raise BadUsage("a line is an object with account, person, query, dialect and ok")
    for name in line:
        if name not in FIELDS:
            raise BadUsage(f"a line has no other fields than {', '.join(FIELDS)}")
    for name in ("account", "query", "dialect"):
        if not isinstance(line.get(name), str) or not line[name].strip():
            raise BadUsage(f"{name} is a text and must be there")
    if len(line["account"]) > 200:
        raise BadUsage("account is an id of up to 200 characters")
    if not isinstance(line.get("person", ""), str | None):
        raise BadUsage("person is an id or left out")
    if not isinstance(line.get("ok", True), bool):
        raise BadUsage("ok is true or false")
    dialect = line["dialect"].casefold()
    if Dialect.get(dialect) is None:
        raise BadUsage("dialect is one that sqlglot knows, such as postgres, sqlite or mysql")
    return RunQuery(line["account"], line["query"], dialect, line.get("ok", True))
