"""The proof: every column of every table is searched for whoever was forgotten.

Tables are taken from the database and not from the models, so that no table escapes for want of a
model. Columns that hold packed data are unpacked first.

A row of another account may hold the same person's id, for ids are the product's own and count
within an account only: there the account's own id is looked for, and the canary.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.sessions.models import Session
from django.db import connection
from django_q.models import OrmQ, Task

from facts.forgetting.sought import Sought, is_telling, mentions, spelled
from facts.forgetting.traces import payload_texts, session_texts, task_texts
from facts.models import Person

CHUNK = 2_000  # rows unpacked at a time
BATCH = 200  # words of one pattern
WORDLESS = {"integer", "bigint", "smallint", "numeric", "double precision", "real", "boolean"}
SCOPE = {"facts_account": "id"}  # the column that says whose a row is, where not account_id


@dataclass(frozen=True, slots=True)
class Left:
    """Rows that hold a word of whoever was forgotten.

    ``telling`` where they can mean nobody else: a short number stands anywhere, the id of a person
    may be another account's person's too, and a word in the rows of another account is likely its
    own.
    """

    table: str
    column: str
    rows: int
    telling: bool


@dataclass(frozen=True, slots=True)
class Searched:
    """What was searched, and what was found there."""

    tables: int
    columns: int
    left: list[Left]

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found that can mean nobody else."""
        return not any(left.telling for left in self.left)


def search(sought: Sought, *, canary: str = "") -> Searched:
    """Look for the forgotten, and for ``canary``, in every column there is: a query a table."""
    tables, telling = _tables(), _telling(sought)
    left = []
    for table, types in tables.items():
        left += _in_table(table, types, sought, telling)
    if canary:
        left += [one for table, types in tables.items() for one in _canaries(table, types, canary)]
    left += _in_packed(telling, canary)
    return Searched(len(tables), sum(map(len, tables.values())), left)


def _tables() -> dict[str, dict[str, str]]:
    """Every table's columns with their types, but for the tables that are parts of others."""
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        found: dict[str, dict[str, str]] = {}
        for table, column, kind in cursor.fetchall():
            found.setdefault(table, {})[column] = kind
    return found


COLUMNS = """
SELECT class.relname, attribute.attname, format_type(attribute.atttypid, NULL)
FROM pg_class AS class
JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid
WHERE class.relkind IN ('r', 'p') AND NOT class.relispartition
    AND class.relnamespace = current_schema()::regnamespace
    AND attribute.attnum > 0 AND NOT attribute.attisdropped
ORDER BY class.relname, attribute.attnum
"""


@dataclass(frozen=True, slots=True)
class _Look:
    """One thing to look for in one column: a condition, and whether a hit tells anything."""

    column: str
    condition: str
    telling: bool


def _telling(sought: Sought) -> set[str]:
    """The words that mean nobody who stays."""
    staying = Person.objects.filter(external_id__in=sought.words)
    shared = set(staying.values_list("external_id", flat=True))
    return {word for word in sought.words if is_telling(word)} - shared


def _in_table(
    table: str, types: dict[str, str], sought: Sought, telling_words: set[str]
) -> list[Left]:
    scope = SCOPE.get(table, "account_id" if "account_id" in types else None)
    own = f"{_quoted(scope)} = %(account)s" if scope else "true"
    looks = []
    if scope and sought.whole:
        looks.append(_Look(scope, own, True))
    if "person_id" in types:
        looks.append(_Look("person_id", "person_id = ANY(%(people)s)", True))
    words = frozenset({sought.account}) if scope and sought.whole else sought.words
    patterns = {
        "telling": _patterns(words & telling_words),
        "silent": _patterns(words - telling_words),
    }
    for column, kind in types.items():
        if kind in WORDLESS:
            continue
        for name in (name for name, found in patterns.items() if found):
            condition = f"{_text(column, kind)} ~ ANY(%({name})s)"
            whose = own if scope and not sought.whole else "true"
            telling = name == "telling" and not (scope and sought.whole)
            looks.append(_Look(column, f"{whose} AND {condition}", telling))
    parameters = {"account": sought.account_key, "people": list(sought.people), **patterns}
    return _counted(table, looks, parameters)


def _canaries(table: str, types: dict[str, str], canary: str) -> list[Left]:
    looks = [
        _Look(
            column,
            " OR ".join(
                f"strpos({_text(column, kind)}, {name}) > 0" for name in ("%(c)s", "%(j)s")
            ),
            True,
        )
        for column, kind in types.items()
    ]
    return _counted(table, looks, {"c": canary, "j": json.dumps(canary)[1:-1]})


def _counted(table: str, looks: list[_Look], parameters: dict[str, Any]) -> list[Left]:
    if not looks:
        return []
    counts = ", ".join(f"count(*) FILTER (WHERE {look.condition})" for look in looks)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {counts} FROM {_quoted(table)}", parameters)  # noqa: S608
        row = cursor.fetchone()
    return [
        Left(table, look.column, rows, look.telling)
        for look, rows in zip(looks, row, strict=True)
        if rows
    ]


def _in_packed(telling: set[str], canary: str) -> list[Left]:
    left = []
    for (model, column), texts_of in PACKED.items():
        rows = 0
        for row in model.objects.iterator(CHUNK):
            texts = texts_of(row)
            planted = canary and any(canary in text for text in texts)
            rows += bool(planted) or mentions(texts, telling)
        if rows:
            left.append(Left(model._meta.db_table, column, rows, True))
    return left


PACKED: dict[tuple[Any, str], Callable[[Any], list[str]]] = {
    (Session, "session_data"): lambda row: session_texts(row.get_decoded()),
    (OrmQ, "payload"): payload_texts,
    (Task, "args"): task_texts,
}


def _patterns(words: Iterable[str]) -> list[str]:
    """The words as regular expressions of PostgreSQL that find them whole, many in each."""
    found = spelled(words)
    return [
        rf"(^|[^[:alnum:]_])({'|'.join(map(re.escape, found[start : start + BATCH]))})"
        r"($|[^[:alnum:]_])"
        for start in range(0, len(found), BATCH)
    ]


def _text(column: str, kind: str) -> str:
    name = _quoted(column)
    return f"encode({name}, 'escape')" if kind == "bytea" else f"{name}::text"


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name).replace("%", "%%")
