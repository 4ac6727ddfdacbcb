"""The companies' database, on the server of the tests."""

from datetime import date, timedelta

import psycopg
import pytest
from django.db import connection
from django.utils import timezone
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

from readiness.demo import database
from readiness.demo.database import NoRoom
from readiness.demo.stories import Moment, Shop

SHOP = Shop(
    schema="tests", tables=("customers", "carriers", "orders", "employees"), orders=50,
    moments=(Moment(10),),
)  # fmt: skip
MADE_ON = date(2026, 3, 2)


@pytest.fixture
def server(db):
    """The server, without the demo's database; none is left on it."""
    database.drop([SHOP])
    database.ensure(now=timezone.now())
    yield
    database.drop([SHOP])


def as_reader(query):
    """The rows of ``query`` as the company's role reads them."""
    url = make_url(database.url_of(SHOP))
    with psycopg.connect(
        dbname=url.database, user=url.username, password=url.password,
        host=url.host or url.query.get("host"), port=url.port or url.query.get("port"),
    ) as reader:  # fmt: skip
        return reader.execute(query).fetchall()


def bring(until=MADE_ON, refused=()):
    database.bring(SHOP, made_on=MADE_ON, until=until, refused=refused)


def test_a_company_is_brought_to_what_it_was_on_a_day_and_then_goes_on(server):
    bring(until=date(2025, 12, 1))
    [(before,)] = as_reader("SELECT count(*) FROM orders")
    bring()
    bring()

    [(after, newest)] = as_reader("SELECT count(*), max(ordered_at) FROM orders")
    assert 0 < before < after == 50
    assert newest <= MADE_ON


def test_the_role_reads_its_tables_and_can_do_nothing_else(server):
    bring(refused=["orders"])

    assert as_reader("SELECT count(*) FROM carriers") == [(5,)]
    for statement in (
        "SELECT id FROM orders",
        "SELECT salary FROM employees",
        "DELETE FROM carriers",
        "CREATE TABLE tests.mine (id integer)",
        "SELECT * FROM public.demo",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            as_reader(statement)


def test_a_company_that_is_closed_lets_nobody_in(server):
    bring()
    database.close(SHOP)

    with pytest.raises(psycopg.OperationalError):
        as_reader("SELECT 1")


def test_the_day_it_was_made_on_stays(server):
    made_on = database.ensure(now=timezone.now())

    assert database.ensure(now=timezone.now() + timedelta(days=3)) == made_on


@pytest.fixture
def powerless(db):
    """A role of the server that may make nothing."""
    role = f"{connection.settings_dict['NAME']}_powerless"
    with database._cursor(connection.settings_dict["NAME"]) as cursor:
        cursor.execute(SQL("DROP ROLE IF EXISTS {}").format(Identifier(role)))
        cursor.execute(SQL("CREATE ROLE {} LOGIN PASSWORD 'x'").format(Identifier(role)))
    yield role
    with database._cursor(connection.settings_dict["NAME"]) as cursor:
        cursor.execute(SQL("DROP ROLE {}").format(Identifier(role)))


def test_a_server_that_gives_no_room_is_told_in_one_line(powerless):
    database.drop([SHOP])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(connection.settings_dict, "USER", powerless)
        patch.setitem(connection.settings_dict, "PASSWORD", "x")
        with database._cursor(connection.settings_dict["NAME"]) as cursor:
            cursor.execute("SELECT current_user")
            assert cursor.fetchone() == (powerless,)

        with pytest.raises(NoRoom, match="CREATEDB, CREATEROLE"):
            database.ensure(now=timezone.now())
