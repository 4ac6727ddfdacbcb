"""What may be answered again, beside the given cases."""

from typing import Any

import pytest

from facts.answers.analysis import analyse
from facts.answers.asking import Constraint
from facts.answers.containment import Decision, judge
from facts.answers.schema import Schema
from tests.facts.answers.fuzzing.world import DOCUMENT, SCHEMA

ROWS = ("Order", None, "rows")
COUNT = ("Order", None, "count")
TWO_REFUNDS = (
    "SELECT o.id FROM orders o WHERE "
    "EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND r.reason = 'lost') AND "
    "EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND r.amount > 5)"
)
LATE = ("Order", "status", "=", "late")


def judged(sql: str, *asked: tuple[Any, ...], schema: Schema = SCHEMA) -> Decision:
    names = ("label", "property", "op", "value")
    constraints = [Constraint.from_document(dict(zip(names, one, strict=False))) for one in asked]
    return judge(constraints, analyse(sql, "postgres", schema), schema)


@pytest.mark.parametrize(
    ("more", "addition"),
    [
        ("priority IS NULL", "Order.priority is null"),
        ("priority IS NOT NULL", "Order.priority is not null"),
        ("priority = 1", "Order.priority = ..."),
        ("priority > 1", "Order.priority >= ..."),
        ("priority IN (1, 4)", "Order.priority in 2 ranges"),
        ("total BETWEEN 1 AND 5", "Order.total between two values"),
        ("channel NOT IN ('web', 'shop')", "Order.channel not in a list of 2"),
        ("channel LIKE 'w%'", "Order.channel like ..."),
        ("(channel = 'web' OR channel IS NULL)", "Order.channel = ... or is null"),
        (
            "placed_at > now() - interval '1 day'",
            "Order.placedAt > ..., counted from now",
        ),
        ("priority < total", "a condition on Order.priority, Order.total"),
        ("carrier_id IN (SELECT id FROM carriers)", "a Carrier by SHIPPED_BY"),
        (
            "NOT EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = orders.id)",
            "no Refund by REFUNDS",
        ),
    ],
)
def test_an_addition_is_said_by_names_and_never_by_values(more: str, addition: str) -> None:
    decision = judged(f"SELECT id FROM orders WHERE status = 'late' AND {more}", ROWS, LATE)

    assert decision == Decision("adds", [addition], "it also restricts what nobody named")


@pytest.mark.parametrize(
    ("sql", "asked", "verdict", "reason"),
    [
        (
            "SELECT id FROM orders WHERE status = 'late' AND priority = NULL",
            [ROWS, LATE],
            "contradicts",
            "it never gives anything",
        ),
        (
            "SELECT channel FROM orders WHERE status = 'late'",
            [ROWS, LATE],
            "leaves-out",
            "it does not say which record a row is",
        ),
        (
            "SELECT o.id FROM orders o JOIN refunds r ON r.order_id = o.id",
            [ROWS, ("Refund", None, "type")],
            "leaves-out",
            "it repeats records",
        ),
        (
            "SELECT o.id FROM orders o LEFT JOIN refunds r ON r.order_id = o.id",
            [ROWS],
            "leaves-out",
            "it repeats records",
        ),
        (
            "SELECT count(carrier_id) FROM orders",
            [COUNT],
            "contradicts",
            "it counts the filled values of a property",
        ),
        (
            "SELECT coalesce(sum(total), 0) FROM orders",
            [("Order", "total", "sum")],
            "leaves-out",
            "the query can't be read: sum-in-expression",
        ),
        (
            "SELECT status, count(*) FROM orders GROUP BY status",
            [COUNT],
            "contradicts",
            "split into other groups than asked",
        ),
        (
            TWO_REFUNDS,
            [ROWS, ("Refund", "reason", "=", "lost"), ("Refund", "amount", ">", 5)],
            "leaves-out",
            "Refund stands in it more than once",
        ),
        ("SELECT id FROM orders", [ROWS, ("Order", "colour", "=", "red")], "leaves-out", None),
        ("SELECT id FROM orders", [ROWS, ("Parcel", None, "type")], "leaves-out", None),
        ("SELECT id FROM carriers", [ROWS], "leaves-out", "it gives no Order"),
        ("SELECT id FROM orders LIMIT 5", [ROWS, ("Order", None, "limit", 5)], "serve", None),
        (
            "SELECT id FROM orders LIMIT 4",
            [ROWS, ("Order", None, "limit", 5)],
            "leaves-out",
            "it cuts at another limit than asked",
        ),
        (
            "SELECT id FROM orders ORDER BY total LIMIT 5",
            [ROWS, ("Order", None, "limit", 5)],
            "adds",
            None,
        ),
        ("SELECT count(*) FROM orders LIMIT 1", [COUNT], "serve", None),
        (
            "SELECT count(DISTINCT o.id) FROM orders o JOIN refunds r ON r.order_id = o.id",
            [COUNT, ("Refund", None, "type")],
            "serve",
            None,
        ),
        (
            "SELECT o.id FROM orders o LEFT JOIN carriers c ON c.id = o.carrier_id",
            [ROWS],
            "serve",
            None,
        ),
        (
            "SELECT o.id FROM orders o JOIN carriers c ON c.id = o.carrier_id",
            [ROWS],
            "adds",
            None,
        ),
    ],
)
def test_a_verdict(sql: str, asked: list[Any], verdict: str, reason: str | None) -> None:
    decision = judged(sql, *asked)

    assert decision.verdict == verdict
    assert reason is None or decision.reason == reason


@pytest.mark.parametrize(
    ("order", "addition"),
    [
        ("id FROM orders ORDER BY total", "the first by Order.total"),
        ("id FROM orders ORDER BY total DESC", "the first by Order.total descending"),
        ("id, total AS status FROM orders ORDER BY STATUS", "the first by Order.total"),
    ],
)
def test_what_is_cut_says_by_what_the_first_are_meant(order: str, addition: str) -> None:
    decision = judged(f"SELECT {order} LIMIT 5", ROWS, ("Order", None, "limit", 5))

    assert addition in decision.additions


def with_hop(verb: str, column: str, to: str = "Carrier") -> Schema:
    hop = {"from": "Order", "verb": verb, "to": to, "on": [column, "id"], "many": "from"}
    return Schema.from_document({**DOCUMENT, "hops": [*DOCUMENT["hops"], hop]})


def test_of_two_ways_to_a_label_neither_is_meant_for_sure() -> None:
    schema = with_hop("RETURNED_BY", "customer_id")
    sql = "SELECT o.id FROM orders o JOIN carriers c ON c.id = o.carrier_id WHERE c.name = 'UPS'"
    ups = ("Carrier", "name", "=", "UPS")

    assert judged(sql, ROWS, ups).verdict == "serve"
    assert judged(sql, ROWS, ups, schema=schema).verdict == "leaves-out"
    assert judged(sql, ROWS, schema=schema).additions == [
        "a Carrier by SHIPPED_BY",
        "Carrier.name = ...",
    ]


def test_two_names_for_one_relation_are_one_way() -> None:
    schema = with_hop("SENT_WITH", "carrier_id")
    sql = "SELECT o.id FROM orders o JOIN carriers c ON c.id = o.carrier_id"

    assert judged(sql, ROWS, ("Carrier", None, "type"), schema=schema).verdict == "serve"


def test_a_record_related_to_its_own_kind_is_not_the_one_asked_for() -> None:
    schema = with_hop("FOLLOWS", "priority", "Order")
    sql = "SELECT o.id FROM orders o JOIN orders p ON p.id = o.priority WHERE p.status = 'late'"

    assert judged(sql, ROWS, LATE, schema=schema).verdict == "leaves-out"


def test_a_composite_key_must_be_given_and_joined_whole() -> None:
    schema = Schema.from_document(
        {
            "labels": {
                "Line": {
                    "table": "lines",
                    "pk": ["order_id", "number"],
                    "columns": {
                        "orderId": ["order_id", "integer"],
                        "number": ["number", "integer"],
                    },
                },
                "Parcel": {
                    "table": "parcels",
                    "pk": "id",
                    "columns": {
                        "id": ["id", "integer"],
                        "lineOrder": ["line_order", "integer"],
                        "lineNumber": ["line_number", "integer"],
                    },
                },
            },
            "hops": [
                {
                    "from": "Parcel",
                    "verb": "HOLDS",
                    "to": "Line",
                    "on": [["line_order", "line_number"], ["order_id", "number"]],
                    "many": "from",
                }
            ],
        }
    )
    parcels = "SELECT p.id FROM parcels p JOIN lines l ON l.order_id = p.line_order"
    rows, line = ("Parcel", None, "rows"), ("Line", None, "type")

    assert judged("SELECT order_id FROM lines", ("Line", None, "rows"), schema=schema).verdict == (
        "leaves-out"
    )
    assert judged("SELECT * FROM lines", ("Line", None, "rows"), schema=schema).verdict == "serve"
    assert judged(parcels, rows, line, schema=schema).verdict == "leaves-out"
    assert (
        judged(f"{parcels} AND l.number = p.line_number", rows, line, schema=schema).verdict
        == "serve"
    )
