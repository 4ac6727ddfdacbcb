"""SQLite files as they are found: loose types, row numbers, virtual tables."""

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from facts.models import Account, Table
from facts.probing.errors import Unreadable
from facts.probing.probe import probe
from facts.probing.reader import Reader
from facts.probing.reflection import reflect
from facts.probing.urls import source_url
from tests.facts.probing.layouts import named_alone
from tests.facts.probing.learning import learned_sqlite, sqlite_url

pytestmark = pytest.mark.django_db

FOUR = "(SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)"


def test_names_of_every_kind_are_read(file: Path) -> None:
    lesson = learned_sqlite(
        file,
        f"""
        CREATE TABLE "Order Details/50%"
            ("it's 100%" TEXT, "a:b(c)" INT, [select] TEXT, `x"y` TEXT);
        INSERT INTO "Order Details/50%" SELECT 'half', 3, 'yes', 'no' FROM {FOUR};
        """,
    )
    assert lesson.value("label", "OrderDetails50") == {"count": 4}
    assert lesson.words("OrderDetails50|itS100") == ["half"]
    assert lesson.words("OrderDetails50|aBC") == [3]
    assert lesson.words("OrderDetails50|select") == ["yes"]
    assert lesson.words("OrderDetails50|xY") == ["no"]


def test_a_column_keeps_only_what_its_type_says(file: Path) -> None:
    lesson = learned_sqlite(
        file,
        f"""
        CREATE TABLE things (i INTEGER, d DATE, n NUMERIC, b BOOLEAN, t TEXT, any_, r REAL);
        INSERT INTO things SELECT 'Ann', 'Bob', 'Cid', 'Dot', x'00ff', 'word', 'Eve' FROM {FOUR};
        INSERT INTO things SELECT 5, '2024-05-01', 4.5, 1, 'text', 7, 2.0 FROM {FOUR};
        """,
    )
    kept = {column: lesson.words(f"Thing|{column}") for column in ("i", "d", "n", "b", "t", "r")}
    assert kept == {
        "i": [5],
        "d": ["2024-05-01"],
        "n": [4.5],
        "b": [True],
        "t": ["text"],
        "r": [2.0],
    }
    assert lesson.words("Thing|any") == ["7", "word"]
    for name in ("Ann", "Bob", "Cid", "Dot", "Eve"):
        assert name not in lesson.everything


def test_blank_is_not_filled_in_columns_of_any_type(file: Path) -> None:
    lesson = learned_sqlite(
        file,
        """
        CREATE TABLE notes (t TEXT, i INTEGER, b BLOB, x);
        INSERT INTO notes VALUES ('x', 0, x'20', 1), ('', '', x'', ''), (' ', ' ', x'00', char(9)),
            (NULL, NULL, NULL, NULL), ('ж', -5, x'ff', 'y');
        """,
    )
    assert lesson.value("fill", "Note", "t")["filled"] == 2
    assert lesson.value("fill", "Note", "i")["filled"] == 2
    assert lesson.value("fill", "Note", "b")["filled"] == 4
    assert lesson.value("fill", "Note", "x")["filled"] == 2


def test_what_no_json_can_hold_is_left_out(file: Path) -> None:
    lesson = learned_sqlite(
        file,
        f"""
        CREATE TABLE words (word TEXT);
        INSERT INTO words SELECT 'a' || char(0) || 'b' FROM {FOUR};
        INSERT INTO words SELECT CAST(x'ff41' AS TEXT) FROM {FOUR};
        INSERT INTO words SELECT 'fine' FROM {FOUR};
        """,
    )
    assert lesson.words("Word|word") == ["fine"]
    assert lesson.value("fill", "Word", "word")["filled"] == 12


def test_values_that_differ_in_case_are_two_whatever_the_column_says(file: Path) -> None:
    lesson = learned_sqlite(
        file,
        f"""
        CREATE TABLE words (word TEXT COLLATE NOCASE);
        INSERT INTO words SELECT 'Open' FROM {FOUR}; INSERT INTO words SELECT 'open' FROM {FOUR};
        INSERT INTO words VALUES ('OPEN');
        """,
    )
    assert lesson.words("Word|word") == ["Open", "open"]


def test_orphans_are_told_because_nothing_keeps_them_out(file: Path) -> None:
    lesson = learned_sqlite(
        file,
        """
        CREATE TABLE shops (id INTEGER PRIMARY KEY); INSERT INTO shops VALUES (1);
        CREATE TABLE sales (shop_id INTEGER REFERENCES shops);
        INSERT INTO sales VALUES (1), (7), (NULL), (1);
        CREATE TABLE gone (a REFERENCES nowhere (b));
        """,
    )
    assert lesson.value("hop", "Sale", "SHOP", "Shop") == {
        "reached": 2,
        "count": 4,
        "coverage": 0.5,
    }
    assert not [ref for ref in lesson.values if ref.startswith("data:hop:Gone")]


def test_virtual_tables_and_tables_without_row_numbers_are_read(file: Path) -> None:
    lesson = learned_sqlite(
        file,
        f"""
        CREATE TABLE keyed (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;
        INSERT INTO keyed SELECT n, 'x' FROM {FOUR};
        CREATE TABLE rows (rowid TEXT, oid TEXT, _rowid_ TEXT);
        INSERT INTO rows SELECT 'r', 'o', 'x' FROM {FOUR};
        CREATE VIRTUAL TABLE pages USING fts5(body); INSERT INTO pages SELECT 'a b' FROM {FOUR};
        CREATE VIEW seen AS SELECT v FROM keyed;
        """,
    )
    labels = {ref.removeprefix("data:label:") for ref in lesson.values if "data:label:" in ref}
    assert labels == {"Keyed", "Row", "Page"}
    assert lesson.words("Row|rowid") == ["r"]
    assert lesson.failures == {}


def test_a_column_that_fails_spoils_no_other(file: Path) -> None:
    lesson = learned_sqlite(
        file,
        f"""
        CREATE TABLE orders (status TEXT, payload TEXT, shop_id INTEGER);
        INSERT INTO orders SELECT 'open', 'private words', 1 FROM {FOUR};
        CREATE TABLE shops (id INTEGER PRIMARY KEY); INSERT INTO shops VALUES (1);
        CREATE VIEW sales AS
            SELECT status, shop_id, json_extract(payload, '$.total') AS total FROM orders;
        """,
        mapping={
            "tables": {
                "orders": {"hide": True},
                "sales": {"columns": {"status": {"type": "text"}}},
            },
            "hops": [{"from": "sales", "columns": "shop_id", "to": "shops", "verb": "AT"}],
        },
    )
    assert lesson.failures == {
        "data:fill:Sale|total": "sqlite-error",
        "data:vocabulary:Sale|total": "sqlite-error",
    }
    assert lesson.value("label", "Sale") == {"count": 4}
    assert lesson.words("Sale|status") == ["open"]
    assert lesson.value("hop", "Sale", "AT", "Shop")["reached"] == 4
    assert "private words" not in lesson.everything


def test_545_tables_are_learned(file: Path) -> None:
    script = ";".join(f"CREATE TABLE t{number} (a TEXT)" for number in range(545))
    lesson = learned_sqlite(file, f"BEGIN; {script}; INSERT INTO t7 VALUES ('x'); COMMIT")
    counts = [value["count"] for ref, value in lesson.values.items() if "data:label:" in ref]
    assert (len(counts), sum(counts)) == (545, 1)
    assert Table.objects.filter(account=Account.objects.get()).count() == 545


def test_a_large_table_is_sampled_and_the_value_says_so(file: Path) -> None:
    script = """
        CREATE TABLE events
            (id INTEGER PRIMARY KEY, kind TEXT, note TEXT, shop INT REFERENCES shops);
        WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 60000)
        INSERT INTO events
            SELECT n * 1000, iif(n % 2, 'odd', 'even'), iif(n % 4, '', 'x'), 1 FROM n;
        CREATE TABLE shops (id INTEGER PRIMARY KEY); INSERT INTO shops VALUES (1);
        """
    with sqlite3.connect(file) as database:
        database.executescript(script)
    database.close()
    with Reader(source_url(sqlite_url(file))) as reader:
        catalogue = reflect(reader)
        (layout,) = (one for one in catalogue.layouts if one.name == "events")
        assert layout.rows == 60_000
        found = probe(reader, named_alone(layout), row_limit=30_000).found
    values = {str(ref): one.value for ref, one in found.items()}
    share = 0.8  # some 50,000 of 60,000 rows
    assert values["data:label:Event"]["sampled"] == share
    assert values["data:label:Event"]["count"] == pytest.approx(60_000, rel=0.02)
    fill = values["data:fill:Event|note"]
    assert fill["sampled"] == share
    assert fill["count"] == pytest.approx(48_000, rel=0.02)
    assert fill["fill"] == pytest.approx(0.25, abs=0.01)
    kinds = values["data:vocabulary:Event|kind"]
    assert kinds["sampled"] == share
    assert {entry["value"] for entry in kinds["values"]} == {"odd", "even"}
    assert sum(entry["records"] for entry in kinds["values"]) == fill["count"]


def test_the_file_is_opened_for_reading_only(file: Path) -> None:
    learned_sqlite(file, "CREATE TABLE a (b)")
    with Reader(source_url(sqlite_url(file))) as reader:
        with pytest.raises(Unreadable):
            reader.rows(sa.text("INSERT INTO a VALUES (1)"))
        assert reader.rows(sa.text("SELECT count(*) FROM a"))[0][0] == 0


def test_a_statement_that_takes_too_long_is_interrupted(file: Path) -> None:
    learned_sqlite(file, "CREATE TABLE a (b)")
    endless = (
        "WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n"
    )
    with Reader(source_url(sqlite_url(file)), statement_seconds=0.05) as reader:
        with pytest.raises(Unreadable) as refusal:
            reader.rows(sa.text(endless))
        assert refusal.value.code == "timeout"
        assert reader.rows(sa.text("SELECT 1"))[0][0] == 1
