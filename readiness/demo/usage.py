"""Queries as the assistant ran them for the companies' people, and how often. Pure."""

from collections.abc import Iterator
from typing import NamedTuple

from readiness.demo.stories import Story

EVERY, LONGEST = 5, 30  # days: between two takes, and since the first


class _Asked(NamedTuple):
    query: str
    times: int  # a day
    tables: frozenset[str]


_ASKED = (
    _Asked(
        "SELECT id, promised_at, shipped_at FROM orders"
        " WHERE promised_at < shipped_at AND status = 'shipped' LIMIT 20",
        3,
        frozenset({"orders"}),
    ),
    _Asked(
        "SELECT c.name, count(*) FROM orders o JOIN carriers c ON c.id = o.ship_via"
        " WHERE o.ordered_at >= DATE '2026-01-01' GROUP BY c.name",
        2,
        frozenset({"orders", "carriers"}),
    ),
    _Asked(
        "SELECT status, count(*) FROM shipments WHERE delivered_at IS NULL GROUP BY status",
        3,
        frozenset({"shipments"}),
    ),
    _Asked(
        "SELECT i.id, i.amount FROM invoices i JOIN customers c ON c.id = i.customer_id"
        " WHERE i.status = 'overdue' AND c.country = 'France'",
        2,
        frozenset({"invoices", "customers"}),
    ),
    _Asked(
        "SELECT reason, sum(amount) FROM refunds GROUP BY reason ORDER BY 2 DESC",
        1,
        frozenset({"refunds"}),
    ),
    _Asked(
        "SELECT p.name FROM products p WHERE p.units_in_stock < p.reorder_level",
        1,
        frozenset({"products"}),
    ),
    _Asked(
        "SELECT s.company, avg(l.unit_price) FROM order_lines l JOIN products p"
        " ON p.id = l.product_id JOIN suppliers s ON s.id = p.supplier_id GROUP BY s.company",
        1,
        frozenset({"order_lines", "products", "suppliers"}),
    ),
)


def queries_of(story: Story) -> Iterator[tuple[str, bool]]:
    """A day's queries, each as often as it was run, and whether it could be answered."""
    for shop in story.shops:
        for asked in _ASKED:
            if asked.tables <= set(shop.tables):
                is_answered = not shop.refused_at(0) & asked.tables
                yield from [(asked.query, is_answered)] * asked.times
