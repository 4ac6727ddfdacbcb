"""What a role may see of a PostgreSQL database: some rows, some columns."""

from contextlib import suppress

import psycopg
import pytest

from facts.models import Fact
from tests.facts.probing.databases import url_of
from tests.facts.probing.learning import FOUR, learned, run


@pytest.fixture
def reader(scratch: str) -> str:
    """A role that owns nothing and may do nothing; its URL."""
    with psycopg.connect(scratch, autocommit=True) as database:
        name = database.info.dbname
        # The role is the server's, and other tests may be making it this moment.
        with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
            database.execute("CREATE ROLE ken_reader LOGIN PASSWORD 'ken'")
    return url_of(name, user="ken_reader")


def test_row_level_security_is_said_and_counts_are_as_the_role_sees_them(
    scratch: str, reader: str
) -> None:
    run(
        scratch,
        f"""
        CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops SELECT * FROM {FOUR};
        CREATE TABLE sales (shop_id int REFERENCES shops, status text);
        INSERT INTO sales SELECT n, 'open' FROM {FOUR} AS n;
        ALTER TABLE shops ENABLE ROW LEVEL SECURITY;
        CREATE POLICY few ON shops FOR SELECT USING (id <= 2);
        GRANT USAGE ON SCHEMA public TO ken_reader; GRANT SELECT ON shops, sales TO ken_reader;
        """,
    )
    lesson = learned(reader)
    assert lesson.counts() == {"Shop": 2, "Sale": 4}
    assert lesson.value("properties", "Shop")["row_security"] is True
    assert "row_security" not in lesson.value("properties", "Sale")
    assert lesson.value("hop", "Sale", "SHOP", "Shop")["reached"] == 2


def test_a_refused_column_is_not_a_refused_table(scratch: str, reader: str) -> None:
    run(
        scratch,
        f"""
        CREATE TABLE staff (id int PRIMARY KEY, team text, salary int, boss int
            REFERENCES staff);
        INSERT INTO staff SELECT n, 'north', 10000 + n FROM {FOUR} AS n;
        CREATE TABLE payroll (id int); CREATE SCHEMA hidden; CREATE TABLE hidden.notes (a int);
        GRANT USAGE ON SCHEMA public TO ken_reader;
        GRANT SELECT (id, team) ON staff TO ken_reader;
        """,
    )
    lesson = learned(reader)
    assert lesson.counts() == {"Staff": 4}
    assert lesson.words("Staff|team") == ["north"]
    assert lesson.failures == {
        "data:fill:Staff|salary": "42501",
        "data:vocabulary:Staff|salary": "42501",
        "data:fill:Staff|boss": "42501",
        "data:vocabulary:Staff|boss": "42501",
        "data:hop:Staff|BOSS|Staff": "42501",
        "data:label:Payroll": "42501",
        "data:fill:Payroll|id": "42501",
        "data:vocabulary:Payroll|id": "42501",
    }
    assert not Fact.objects.filter(key__contains="Note").exists()
