"""Learning a database within a test, and reading what came of it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Engine, event

from facts.models import Account
from facts.probing import connect
from tests.facts.probing.conftest import Lesson, lesson_of

FOUR = "generate_series(1, 4)"  # enough rows for a word to be kept


def learned(url: str, **options: Any) -> Lesson:
    """What acme knows after connecting ``url``."""
    connect("acme", url, **options)
    return lesson_of(Account.objects.get(external_id="acme"))


def learned_postgres(url: str, script: str, **options: Any) -> Lesson:
    """What acme knows after connecting a PostgreSQL database that ``script`` has filled."""
    run(url, script)
    return learned(url, **options)


def learned_sqlite(file: Path, script: str, **options: Any) -> Lesson:
    """What acme knows after connecting an SQLite file that ``script`` has filled."""
    with sqlite3.connect(file) as database:
        database.executescript(script)
    database.close()
    return learned(sqlite_url(file), **options)


def sqlite_url(file: Path) -> str:
    """The URL of a file whose name may hold what URLs treat specially."""
    return f"sqlite:///{file}"


def run(url: str, script: str) -> None:
    """Run SQL in a PostgreSQL database."""
    with psycopg.connect(url, autocommit=True) as database:
        database.execute(script)


@contextmanager
def statements() -> Iterator[list[str]]:
    """Every statement that SQLAlchemy sends meanwhile, settings left out."""
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if "set_config(" not in statement:
            sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)
