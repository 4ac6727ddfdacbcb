"""The database that the demo's companies keep: beside Ken's own, on the same server.

Each company's is a schema with a role of its own, which may read it and nothing else. So the demo
is a source as any other is, and what a role may not read shows as it would.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import date, datetime

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.crypto import salted_hmac
from psycopg import Cursor
from psycopg import Error as PostgreSQLError
from psycopg.sql import SQL, Composable, Identifier, Literal
from sqlalchemy import URL

from facts.errors import KenError
from readiness.demo import schema as schemas
from readiness.demo import trade
from readiness.demo.company import Company
from readiness.demo.stories import Shop

Execute = Cursor[tuple[object, ...]]


class NoRoom(KenError):
    """The demo's database can't be made on this server."""

    code = "no-room"


def name() -> str:
    """What the database is called: as Ken's own, and ``_demo``."""
    return f"{connection.settings_dict['NAME']}_demo"


def role_of(shop: Shop) -> str:
    """The role that reads a company's schema."""
    return f"{name()}_{shop.schema}"


def url_of(shop: Shop) -> str:
    """The URL that a company's database is connected by."""
    host, port = connection.settings_dict["HOST"], connection.settings_dict["PORT"]
    at_socket = host.startswith("/")
    return URL.create(
        "postgresql",
        username=role_of(shop),
        password=None if settings.EMBEDDED else _password_of(shop),
        host=None if at_socket else host or None,
        port=int(port) if port and not at_socket else None,
        database=name(),
        query={"host": host, **({"port": str(port)} if port else {})} if at_socket else {},
    ).render_as_string(hide_password=False)


def ensure(*, now: datetime) -> date:
    """Make the database unless it is there; the day it was made on, the companies' last.

    Raises NoRoom.
    """
    try:
        with _cursor(str(connection.settings_dict["NAME"])) as cursor:
            cursor.execute("SELECT FROM pg_database WHERE datname = %s", [name()])
            if cursor.fetchone() is None:
                cursor.execute(SQL("CREATE DATABASE {}").format(Identifier(name())))
        with _cursor(name()) as cursor:
            cursor.execute("CREATE TABLE IF NOT EXISTS public.demo (made_on date PRIMARY KEY)")
            cursor.execute("REVOKE ALL ON SCHEMA public FROM public")
            cursor.execute(
                "INSERT INTO public.demo SELECT %s WHERE NOT EXISTS (SELECT FROM public.demo)",
                [now.date()],
            )
            cursor.execute("SELECT made_on FROM public.demo")
            return _single(cursor)
    except (DatabaseError, PostgreSQLError):
        raise NoRoom(
            "the demo needs a database and roles of its own beside Ken's: let Ken's user make them "
            "(CREATEDB, CREATEROLE), or leave DATABASE_URL out"
        ) from None


def bring(shop: Shop, *, made_on: date, until: date, refused: Collection[str]) -> None:
    """Make a company's schema what it was at the end of the day ``until``, and all readable there.

    All at once or not at all. Rows that are there stay; those that have come since are put to
    them. ``refused`` are the tables that its role may not read then.
    """
    with _cursor(name(), in_one=True) as cursor:
        _ensure_reader(cursor, shop)
        since = _ensure_schema(cursor, shop)
        if since is None or since < until:
            _fill(cursor, shop, made_on=made_on, since=since, until=until)
        _grant(cursor, shop, refused)


def close(shop: Shop) -> None:
    """Let a company's role log in no more: to Ken its database is gone."""
    with _cursor(name()) as cursor:
        cursor.execute(SQL("ALTER ROLE {} NOLOGIN").format(Identifier(role_of(shop))))


def drop(shops: Collection[Shop]) -> None:
    """Leave nothing of the database and its roles."""
    with _cursor(str(connection.settings_dict["NAME"])) as cursor:
        cursor.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name())))
        for shop in shops:
            cursor.execute(SQL("DROP ROLE IF EXISTS {}").format(Identifier(role_of(shop))))


def _ensure_reader(cursor: Execute, shop: Shop) -> None:
    role = Identifier(role_of(shop))
    cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role_of(shop)])
    if cursor.fetchone() is None:
        cursor.execute(SQL("CREATE ROLE {}").format(role))
    cursor.execute(
        SQL("ALTER ROLE {} LOGIN CONNECTION LIMIT 4 PASSWORD {}").format(
            role, Literal(_password_of(shop))
        )
    )
    cursor.execute(
        SQL("ALTER ROLE {} IN DATABASE {} SET search_path = {}").format(
            role, Identifier(name()), Identifier(shop.schema)
        )
    )


def _ensure_schema(cursor: Execute, shop: Shop) -> date | None:
    """Until when the schema is filled; None for one that was made now."""
    own, role = Identifier(shop.schema), Identifier(role_of(shop))
    cursor.execute("CREATE TABLE IF NOT EXISTS public.filled (schema text PRIMARY KEY, until date)")
    cursor.execute("SELECT until FROM public.filled WHERE schema = %s", [shop.schema])
    if row := cursor.fetchone():
        return date.fromisoformat(str(row[0]))
    cursor.execute(SQL("CREATE SCHEMA {}").format(own))
    cursor.execute(SQL("GRANT USAGE ON SCHEMA {} TO {}").format(own, role))
    cursor.execute(SQL("SET LOCAL search_path = {}").format(own))
    for table in _ordered(shop):
        columns = SQL(schemas.TABLES[table])  # ours, all of it
        cursor.execute(SQL("CREATE TABLE {} ({})").format(Identifier(table), columns))
    for hop in schemas.hops_among(shop.tables):
        if hop.is_declared:
            cursor.execute(
                SQL("ALTER TABLE {} ADD FOREIGN KEY ({}) REFERENCES {}").format(
                    Identifier(hop.table), Identifier(hop.column), Identifier(hop.to)
                )
            )
    return None


def _fill(cursor: Execute, shop: Shop, *, made_on: date, since: date | None, until: date) -> None:
    company = Company(
        seed=shop.schema,
        today=made_on,
        orders=shop.orders,
        reorder_level_filled=shop.reorder_level_filled,
        freight_filled=shop.freight_filled,
    )
    rows = trade.rows_of(company, _ordered(shop))
    cursor.execute(SQL("SET LOCAL search_path = {}").format(Identifier(shop.schema)))
    for table, found in rows.items():
        new = [row.values for row in found if _is_new(row.since, since, until)]
        if new:
            with cursor.copy(SQL("COPY {} FROM STDIN").format(Identifier(table))) as copy:
                for values in new:
                    copy.write_row(values)
    cursor.execute(SQL("ANALYZE {}").format(_listed(shop.tables)))
    cursor.execute(
        "INSERT INTO public.filled VALUES (%s, %s) ON CONFLICT (schema) DO UPDATE SET until = %s",
        [shop.schema, until, until],
    )


def _is_new(there_since: date | None, since: date | None, until: date) -> bool:
    if since is None:
        return there_since is None or there_since <= until
    return there_since is not None and since < there_since <= until


def _grant(cursor: Execute, shop: Shop, refused: Collection[str]) -> None:
    own, role = Identifier(shop.schema), Identifier(role_of(shop))
    cursor.execute(SQL("REVOKE ALL ON ALL TABLES IN SCHEMA {} FROM {}").format(own, role))
    cursor.execute(SQL("SET LOCAL search_path = {}").format(own))
    for table in set(shop.tables) - set(refused):
        closed = schemas.CLOSED_COLUMNS.get(table)
        open_columns = [column for column in schemas.columns_of(table) if column != closed]
        what = SQL("SELECT ({})").format(_listed(open_columns)) if closed else SQL("SELECT")
        cursor.execute(SQL("GRANT {} ON {} TO {}").format(what, Identifier(table), role))


def _ordered(shop: Shop) -> list[str]:
    """The company's tables, each after those it leads to."""
    return [table for table in schemas.TABLES if table in shop.tables]


def _listed(names: Collection[str]) -> Composable:
    return SQL(", ").join(map(Identifier, names))


def _password_of(shop: Shop) -> str:
    return salted_hmac("readiness.demo", role_of(shop), algorithm="sha256").hexdigest()


def _single(cursor: Execute) -> date:
    row = cursor.fetchone()
    assert row is not None
    return date.fromisoformat(str(row[0]))


@contextmanager
def _cursor(database: str, *, in_one: bool = False) -> Iterator[Execute]:
    """A cursor in a database of Ken's server, ``in_one`` transaction or each statement in its own.

    A connection of its own: what is made here stands, whatever becomes of Ken's transaction.
    """
    beside = connection.copy()
    options = {k: v for k, v in connection.settings_dict["OPTIONS"].items() if k != "pool"}
    beside.settings_dict = {**connection.settings_dict, "NAME": database, "OPTIONS": options}
    try:
        beside.set_autocommit(not in_one)
        with beside.cursor() as cursor:
            yield cursor.cursor
        if in_one:
            beside.commit()
    finally:
        beside.close()
