"""Queries as the assistant ran them for the companies' people, and how often. Pure."""

from collections.abc import Iterator

from readiness.demo.stories import Story

_QUERIES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    (
        "SELECT id, promised_at, shipped_at FROM orders"
        " WHERE promised_at < shipped_at AND status = 'shipped' LIMIT 20",
        3,
        ("orders",),
    ),
    (
        "SELECT c.name, count(*) FROM orders o JOIN carriers c ON c.id = o.ship_via"
        " WHERE o.ordered_at >= DATE '2026-01-01' GROUP BY c.name",
        2,
        ("orders", "carriers"),
    ),
    (
        "SELECT status, count(*) FROM shipments WHERE delivered_at IS NULL GROUP BY status",
        3,
        ("shipments",),
    ),
    (
        "SELECT i.id, i.amount FROM invoices i JOIN customers c ON c.id = i.customer_id"
        " WHERE i.status = 'overdue' AND c.country = 'France'",
        2,
        ("invoices", "customers"),
    ),
    ("SELECT reason, sum(amount) FROM refunds GROUP BY reason ORDER BY 2 DESC", 1, ("refunds",)),
    (
        "SELECT p.name FROM products p WHERE p.units_in_stock < p.reorder_level",
        1,
        ("products",),
    ),
    (
        "SELECT s.company, avg(l.unit_price) FROM order_lines l JOIN products p"
        " ON p.id = l.product_id JOIN suppliers s ON s.id = p.supplier_id GROUP BY s.company",
        1,
        ("order_lines", "products", "suppliers"),
    ),
)

EVERY, LONGEST = 5, 30  # days: between two takes, and since the first


def queries_of(story: Story) -> Iterator[tuple[str, bool]]:
    """A day's queries, each as often as it was run, and whether it could be answered then."""
    for shop in story.shops:
        refused = shop.refused_at(0)
        for query, times, tables in _QUERIES:
            if set(tables) <= set(shop.tables):
                for _time in range(times):
                    yield query, not refused & set(tables)
