"""What comes in and goes out day by day: orders, shipments, invoices, refunds, questions. Pure.

It is trade as trade is: one order in eight is late, fields are missing, two shipments' carrier is
gone, and customers' questions hold what should not be written down.
"""

from collections.abc import Collection, Iterator
from datetime import date, timedelta

from readiness.demo import planted, stock
from readiness.demo.company import Company, Row

DAYS = 540  # that a company has been in business
LATE = 0.12  # of the orders
GONE_CARRIER = 6  # two shipments are with it
_SHIPPED_AT, _SHIP_VIA = 9, 10  # where they stand in an order's values


def rows_of(company: Company, tables: Collection[str]) -> dict[str, list[Row]]:
    """The rows of some of a company's tables."""
    orders = list(_orders(company))
    shipped = [order for order in orders if order.values[_SHIPPED_AT]]
    made = {
        **{table.__name__: table(company) for table in stock.TABLES},
        "orders": orders,
        "order_lines": _lines(company, orders),
        "shipments": _shipments(company, shipped),
        "invoices": _invoices(company, shipped),
        "refunds": _refunds(company, shipped),
        "stock_movements": _movements(company),
        "support_tickets": _tickets(company),
    }
    return {table: list(made[table]) for table in tables}


def _orders(company: Company) -> Iterator[Row]:
    chance = company.chance("orders")
    days = sorted((chance.randint(0, DAYS) for _ in range(company.orders)), reverse=True)
    for number, ago in enumerate(days, 1):
        ordered = company.today - timedelta(days=ago)
        takes = chance.randint(8, 20) if chance.random() < LATE else chance.randint(1, 6)
        is_shipped = takes <= ago and chance.random() < 0.97
        status = "shipped" if is_shipped else chance.choice(("open", "on hold", "cancelled"))
        freight = chance.randint(400, 9_000) / 100
        yield Row(
            ordered,
            (
                *(number, chance.randint(1, company.customers)),
                *(chance.randint(1, stock.EMPLOYEES), status),
                chance.choice(("web", "web", "phone", "partner", "shop")),
                chance.choice(("normal", "normal", "normal", "rush")),
                planted.SHARED_MAIL if number % 40 == 0 else None,
                ordered,
                ordered + timedelta(days=chance.randint(3, 10)) if number % 5 else None,
                ordered + timedelta(days=takes) if is_shipped else None,
                chance.randint(1, len(stock.CARRIERS)) if is_shipped else None,
                freight if chance.random() < company.freight_filled else None,
                chance.choice(("North", "South", "East", "West")) if number % 10 else None,
                planted.TICKET_WITH_PASSWORD if number % 300 == 0 else None,
            ),
        )


def _lines(company: Company, orders: list[Row]) -> Iterator[Row]:
    chance = company.chance("order_lines")
    for order in orders:
        for product in sorted(chance.sample(range(1, stock.PRODUCTS + 1), chance.randint(1, 4))):
            price = chance.randint(200, 9_000) / 100
            discount = chance.choice((0, 0, 0.05, 0.1))
            line = (order.values[0], product, chance.randint(1, 40), price, discount)
            yield Row(order.since, line)


def _shipments(company: Company, shipped: list[Row]) -> Iterator[Row]:
    chance = company.chance("shipments")
    for number, order in enumerate(shipped, 1):
        sent = order.values[_SHIPPED_AT]
        delivered: date | None = sent + timedelta(days=chance.randint(1, 5))
        status = "returned" if chance.random() < 0.08 else "delivered"
        if sent + timedelta(days=5) > company.today:
            status, delivered = "in transit", None
        carrier = GONE_CARRIER if number in (100, 200) else order.values[_SHIP_VIA]
        tracking = None if number % 8 == 0 else f"TR{number:07}"
        yield Row(sent, (number, order.values[0], carrier, status, tracking, delivered))


def _invoices(company: Company, shipped: list[Row]) -> Iterator[Row]:
    chance = company.chance("invoices")
    for number, order in enumerate(shipped, 1):
        sent = order.values[_SHIPPED_AT]
        due = sent + timedelta(days=30)
        paid: date | None = due + timedelta(days=chance.randint(-25, 40))
        status, reminder = "paid", None
        if paid and paid > company.today:
            status, paid = ("overdue" if due < company.today else "open"), None
            reminder = chance.randint(1, 3) if status == "overdue" else None
        amount = chance.randint(2_000, 250_000) / 100
        yield Row(sent, (number, *order.values[:2], status, amount, due, paid, reminder))


def _refunds(company: Company, shipped: list[Row]) -> Iterator[Row]:
    chance, names = company.chance("refunds"), planted.full_names()[:4]
    for number, order in enumerate(shipped[::12], 1):
        sent = order.values[_SHIPPED_AT]
        at = min(sent + timedelta(days=chance.randint(2, 25)), company.today)
        reason = chance.choice(("damaged", "damaged", "late", "wrong item", "changed mind", None))
        status = "paid out" if number % 7 else "waiting"
        approver = None if number % 3 == 0 else chance.randint(1, stock.EMPLOYEES)
        yield Row(
            at,
            (
                *(number, order.values[0], reason, chance.randint(500, 20_000) / 100),
                *(status, approver, chance.choice(names), at if number % 10 else None),
            ),
        )


def _movements(company: Company) -> Iterator[Row]:
    chance = company.chance("stock_movements")
    days = sorted((chance.randint(0, 400) for _ in range(company.orders)), reverse=True)
    for number, ago in enumerate(days, 1):
        moved = company.today - timedelta(days=ago)
        kind = chance.choice(("receipt", "sale", "sale", "correction"))
        product, quantity = chance.randint(1, stock.PRODUCTS), chance.randint(1, 60)
        yield Row(moved, (number, product, kind, quantity, moved))


def _tickets(company: Company) -> Iterator[Row]:
    """Questions; those about logging in quote a password, and one in fourteen names no order."""
    chance = company.chance("support_tickets")
    topics = ("delivery", "delivery", "invoice", "refund", "product", "login")
    days = sorted((chance.randint(0, 400) for _ in range(company.orders // 8)), reverse=True)
    for number, ago in enumerate(days, 1):
        opened, topic = company.today - timedelta(days=ago), chance.choice(topics)
        is_login = topic == "login"
        order = chance.randint(1, company.orders) + (0 if number % 14 else company.orders)
        yield Row(
            opened,
            (
                *(number, chance.randint(1, company.customers), order, topic),
                "closed" if ago > 6 else "open",
                planted.TICKET_WITH_PASSWORD if is_login else f"Question number {number}",
                *(planted.SESSION_TOKEN if is_login else None, opened),
            ),
        )
