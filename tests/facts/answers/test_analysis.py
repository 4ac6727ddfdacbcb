"""What is read of a stored query, and what ends the reading."""

from typing import Any

import pytest

from facts.answers.analysis import Analysis, analyse
from facts.answers.schema import columns_digest
from tests.facts.answers.fuzzing.world import SCHEMA


def found(sql: str, params: Any = (), dialect: str = "postgres") -> Analysis:
    return analyse(sql, dialect, SCHEMA, params)


def same(one: str, other: str) -> bool:
    left, right = found(one), found(other)
    assert left.unreadable is right.unreadable is None
    return left == right


def test_an_analysis_reads_and_writes_back() -> None:
    analysis = found("SELECT id FROM orders WHERE status = 'late' AND total > 0.5")

    assert Analysis.from_document(analysis.to_document()) == analysis


def test_an_analysis_of_another_form_is_unreadable() -> None:
    document = found("SELECT id FROM orders").to_document()

    assert Analysis.from_document({**document, "form": 0}).unreadable == "older-form"


def test_it_tells_the_columns_and_hops_it_rests_on() -> None:
    analysis = found(
        "SELECT o.id FROM orders o JOIN carriers c ON c.id = o.carrier_id "
        "WHERE c.name = 'UPS' ORDER BY o.total"
    )

    assert analysis.reads == (
        ("Carrier", "id"),
        ("Carrier", "name"),
        ("Order", "SHIPPED_BY", "Carrier"),
        ("Order", "carrierId"),
        ("Order", "id"),
        ("Order", "total"),
    )
    assert columns_digest(SCHEMA, analysis.reads) == columns_digest(SCHEMA, analysis.reads[::-1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("status = 'late'", "NOT (status <> 'late')"),
        ("priority > 4", "priority >= 5"),
        ("priority IN (1, 2, 3)", "priority BETWEEN 1 AND 3"),
        ("total > 4", "4.0 < total"),
        ("ship_date < '2027-01-01'", "ship_date <= date '2026-12-31'"),
        ("status IS DISTINCT FROM 'late'", "(status = 'late') IS NOT TRUE"),
        ("coalesce(is_test, false) = false", "(is_test IS NOT TRUE)"),
        ("placed_at > now() - interval '2 weeks'", "placed_at > now() - interval '14' day"),
    ],
)
def test_two_spellings_have_one_analysis(one: str, other: str) -> None:
    select = "SELECT id FROM orders WHERE "
    assert same(select + one, select + other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("total > 4", "total >= 5"),
        ("status IS NOT NULL", "status IS NULL"),
        ("is_test IS NOT TRUE", "NOT is_test"),
        ("placed_at < '2027-01-01'", "placed_at <= '2026-12-31'"),
        ("placed_at > now() - interval '1 month'", "placed_at > now() - interval '30 days'"),
        ("placed_at > now() - interval '1 day'", "placed_at > current_date - interval '1 day'"),
        ("status LIKE 'late'", "status ILIKE 'late'"),
        ("status <> 'late'", "status NOT IN ('late', NULL)"),
    ],
)
def test_two_meanings_have_two_analyses(one: str, other: str) -> None:
    select = "SELECT id FROM orders WHERE "
    assert not same(select + one, select + other)


@pytest.mark.parametrize(
    ("sql", "params"),
    [
        ("SELECT id FROM orders WHERE status = :status", {"status": "late"}),
        ("SELECT id FROM orders WHERE status = %(status)s", {"status": "late"}),
        ("SELECT id FROM orders WHERE status = $1", ["late"]),
        ("SELECT id FROM orders WHERE status = ?", ["late"]),
    ],
)
def test_a_parameter_counts_as_its_value(sql: str, params: Any) -> None:
    assert found(sql, params) == found("SELECT id FROM orders WHERE status = 'late'")


@pytest.mark.parametrize(
    ("sql", "params", "code"),
    [
        ("SELECT id FROM orders WHERE status = :status", {}, "parameter"),
        ("SELECT id FROM orders WHERE status = :status", {"status": ["late"]}, "parameter"),
        (
            "SELECT id FROM orders WHERE status = ? AND channel = ?",
            ["late", "web"],
            "parameters-in-order",
        ),
    ],
)
def test_a_parameter_without_a_sure_value_ends_the_reading(
    sql: str, params: Any, code: str
) -> None:
    assert found(sql, params).unreadable == code


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT id FROM orders; DELETE FROM orders", "not-one-statement"),
        ("DELETE FROM orders", "delete"),
        ("SELECT 1", "no-from"),
        ("SELECT id FROM", "not-parsed"),
        ("SELECT id FROM nothing", "unknown-table"),
        ("SELECT id FROM crm.orders", "unknown-table"),
        ("SELECT nothing FROM orders", "unknown-column"),
        ("SELECT id FROM orders FOR UPDATE", "select-locks"),
        ("SELECT id FROM orders TABLESAMPLE SYSTEM (10)", "table-sample"),
        ("SELECT id FROM ONLY orders", "table-only"),
        ("SELECT DISTINCT ON (status) id FROM orders", "distinct-on"),
        ("SELECT id FROM orders GROUP BY id HAVING count(*) > 1", "select-having"),
        ("SELECT id FROM orders UNION SELECT id FROM orders", "union"),
        ("SELECT id, row_number() OVER () FROM orders", "window-in-expression"),
        ("SELECT id FROM orders WHERE random() < 0.5", "rand-in-expression"),
        ("SELECT id FROM orders WHERE priority BETWEEN SYMMETRIC 2 AND 1", "between-symmetric"),
        ("SELECT id FROM orders o (status, id)", "tablealias-columns"),
        ("SELECT id FROM orders NATURAL JOIN carriers", "join-method"),
        ("SELECT o.id FROM orders o JOIN carriers c USING (id)", "join-using"),
        ("SELECT o.id FROM orders o FULL JOIN carriers c ON c.id = o.carrier_id", "join"),
        ("SELECT o.id FROM orders o JOIN carriers c ON c.id = o.customer_id", "unknown-join"),
        ("SELECT o.id FROM orders o, carriers c", "unjoined"),
        ("SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM refunds r)", "unjoined"),
        (
            "SELECT id FROM orders WHERE id IN (SELECT order_id FROM carriers)",
            "unknown-column",
        ),
        (
            "SELECT id FROM orders WHERE carrier_id NOT IN (SELECT id FROM carriers)",
            "in-query",
        ),
        (
            "WITH RECURSIVE w AS (SELECT id FROM orders) SELECT id FROM w",
            "with-recursive",
        ),
        ("SELECT q.id FROM (SELECT id FROM orders LIMIT 5) q", "select-limit"),
    ],
)
def test_what_is_not_understood_ends_the_reading(sql: str, code: str) -> None:
    assert found(sql).unreadable == code


def test_a_dialect_whose_meaning_is_not_known_ends_the_reading() -> None:
    assert found("SELECT id FROM orders", dialect="mysql").unreadable == "dialect"


def test_a_query_nested_too_deeply_ends_the_reading() -> None:
    sql = f"SELECT id FROM orders WHERE {'(' * 4000}status = 'late'{')' * 4000}"

    assert found(sql).unreadable in ("too-deep", "not-parsed")


def test_no_code_holds_a_value() -> None:
    analysis = found("SELECT id FROM orders WHERE frob('hunter2') = 'hunter2'")

    assert analysis.unreadable == "anonymous-in-expression"
