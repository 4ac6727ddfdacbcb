import json

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st

from facts.usage.shapes import NotAQuery, shape_of
from tests.conftest import given

KNOWN = {
    name: name for name in ["orders", "customers", "id", "status", "placed_at", "meta", "name"]
}


def folded(text):
    return " ".join(text.split()).casefold()


def test_every_given_shape_holds():
    for case in json.loads(given("cases/shape_cases.json").read_text())["cases"]:
        shape = shape_of(case["sql"], case["dialect"]).text
        assert folded(shape) == folded(case["expected_shape"]), case["trap"]
        assert shape_of(case["same_shape_sql"], case["dialect"]).text == shape, case["trap"]
        assert shape_of(case["different_shape_sql"], case["dialect"]).text != shape, case["trap"]


@pytest.mark.parametrize(
    ("sql", "dialect", "shape"),
    [
        (
            "SELECT TOP 5 id FROM orders WHERE x = -3.5",
            "tsql",
            "SELECT TOP (?) id FROM orders WHERE x = ?",
        ),
        (
            "SELECT 1 FROM t FETCH FIRST 5 ROWS ONLY",
            "postgres",
            "SELECT ? FROM t FETCH FIRST ? ROWS ONLY",
        ),
        (
            "SELECT a FROM t WHERE b = N'x' OR b = X'ff' OR b = B'10'",
            "postgres",
            "SELECT a FROM t WHERE b = ? OR b = ? OR b = ?",
        ),
        ("SELECT a FROM t WHERE b IN ('x', 'y', 7)", "postgres", "SELECT a FROM t WHERE b IN (?)"),
        ("SELECT a FROM t WHERE b IN (c, 7)", "postgres", "SELECT a FROM t WHERE b IN (c, ?)"),
        (
            "SELECT a AT TIME ZONE 'Europe/Paris' FROM t",
            "postgres",
            "SELECT a AT TIME ZONE ? FROM t",
        ),
        (
            "SELECT DATE_TRUNC('month', a) FROM t",
            "postgres",
            "SELECT DATE_TRUNC('MONTH', a) FROM t",
        ),
        ("SELECT TO_CHAR(a, 'YYYY-MM') FROM t", "postgres", "SELECT TO_CHAR(a, 'YYYY-MM') FROM t"),
        ("SELECT a::numeric(10, 2) FROM t", "postgres", "SELECT CAST(a AS DECIMAL(10, 2)) FROM t"),
        ("SELECT /*+ INDEX(t 'abc') */ a FROM t", "mysql", "SELECT a FROM t"),
    ],
)
def test_literals_go_and_structure_stays(sql, dialect, shape):
    assert shape_of(sql, dialect).text == shape


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT DATE_TRUNC('zebra', id) FROM orders",  # no part of a date
        "SELECT TO_CHAR(placed_at, 'zebra') FROM orders",  # no format
        "SELECT EXTRACT(zebra FROM placed_at) FROM orders",
        "SELECT id AS zebra FROM orders",
        'SELECT id FROM orders WHERE status = "zebra"',  # a value in the wrong quotes
        "SELECT zebra(id) FROM orders",
        "SELECT id::zebra FROM orders",
        "WITH zebra AS (SELECT 1) SELECT * FROM zebra",
        "SELECT meta->>'zebra' FROM orders",
        "SELECT id FROM orders -- zebra",
        "SELECT id FROM orders WHERE status = :zebra",
        "SELECT id FROM orders WHERE status ~ 'zebra' COLLATE zebra",
        "SELECT id FROM zebra.orders TABLESAMPLE zebra (5)",
        "INSERT INTO orders (id) VALUES ('zebra') RETURNING zebra",
        "SELECT id FROM orders FOR UPDATE OF zebra",
        "SELECT XMLELEMENT(NAME zebra, 'zebra')",
        "SELECT id FROM orders WINDOW zebra AS (PARTITION BY id)",
        "SELECT JSON_OBJECT('zebra': id) FROM orders",
    ],
)
def test_beside_known_names_no_word_of_the_query_stays(sql):
    assert "zebra" not in shape_of(sql, "postgres", known=KNOWN).text.casefold()


def test_known_names_stay_and_others_are_told_apart():
    sql = "SELECT o.id, c.name AS best FROM orders o JOIN customers c ON o.id = c.name"

    assert shape_of(sql, "postgres", known=KNOWN).text == (
        "SELECT x1.id, x2.name AS x3 FROM orders AS x1 JOIN customers AS x2 ON x1.id = x2.name"
    )


def test_the_tables_a_query_touches_are_told_without_its_temporary_ones():
    sql = """
        WITH late AS (SELECT * FROM shop.Orders) SELECT * FROM late
        JOIN customers USING (id) WHERE EXISTS (SELECT 1 FROM carriers)
    """
    assert shape_of(sql, "postgres").tables == {
        ("shop", "orders"),
        ("", "customers"),
        ("", "carriers"),
    }


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "late",
        "SELECT 'unclosed FROM t",
        "SELECT 1; SELECT 2",
        "SET role = 'zebra'",
        "COPY t FROM 'zebra'",
        "CREATE TABLE t (a int DEFAULT 5)",
        "EXPLAIN SELECT 1",
        "SELECT " + "(" * 5_000,
        "x" * 100_001,
    ],
)
def test_what_is_not_wholly_one_query_is_refused_without_quoting_it(sql, caplog):
    with pytest.raises(NotAQuery) as refusal:
        shape_of(sql, "postgres")

    assert "zebra" not in str(refusal.value)
    assert not caplog.records


@given_any(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20),
        min_size=1,
        max_size=5,
    ),
    st.integers(10_000, 10**12),
)
def test_no_literal_however_it_is_spelt_comes_through(texts, number):
    quoted = ", ".join("'" + ("zq" + text + "qz").replace("'", "''") + "'" for text in texts)
    sql = (
        f"SELECT id FROM orders WHERE status IN ({quoted}) "
        f"AND id BETWEEN -{number} AND {number} LIMIT {number}"
    )

    shape = shape_of(sql, "postgres", known=KNOWN)

    assert shape.text == "SELECT id FROM orders WHERE status IN (?) AND id BETWEEN ? AND ? LIMIT ?"
