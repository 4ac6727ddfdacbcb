"""The database of a small trading company, made from a seed: the same rows every time.

It is a company as companies are: some orders are late, fields are missing, two shipments point at
a carrier that is gone, customers' e-mail addresses stand in notes, and somebody keeps passwords in
a table. What Ken makes of it is what the demo shows.
"""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

SEED = 20260302
TODAY = date(2026, 3, 2)

_SCHEMA = """
CREATE TABLE territories (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE employees (
    id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    title TEXT NOT NULL, reports_to INTEGER REFERENCES employees (id),
    territory_id INTEGER REFERENCES territories (id)
);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, company TEXT NOT NULL, contact_name TEXT, email TEXT, phone TEXT,
    segment TEXT NOT NULL, country TEXT NOT NULL, city TEXT, territory_id INTEGER
    REFERENCES territories (id), notes TEXT
);
CREATE TABLE suppliers (
    id INTEGER PRIMARY KEY, company TEXT NOT NULL, country TEXT NOT NULL, rating TEXT,
    portal_password TEXT
);
CREATE TABLE carriers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, service TEXT NOT NULL, api_key TEXT
);
CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE products (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER REFERENCES categories (id),
    supplier_id INTEGER REFERENCES suppliers (id), unit_price NUMERIC NOT NULL,
    units_in_stock INTEGER NOT NULL, reorder_level INTEGER, discontinued BOOLEAN NOT NULL
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id),
    employee_id INTEGER REFERENCES employees (id), status TEXT NOT NULL, channel TEXT NOT NULL,
    ordered_at DATE NOT NULL, promised_at DATE, shipped_at DATE,
    ship_via INTEGER REFERENCES carriers (id)
);
CREATE TABLE order_lines (
    order_id INTEGER NOT NULL REFERENCES orders (id), product_id INTEGER NOT NULL
    REFERENCES products (id), quantity INTEGER NOT NULL, unit_price NUMERIC NOT NULL,
    discount NUMERIC NOT NULL, PRIMARY KEY (order_id, product_id)
);
CREATE TABLE shipments (
    id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
    carrier_id INTEGER NOT NULL REFERENCES carriers (id), status TEXT NOT NULL,
    tracking_number TEXT, delivered_at DATE
);
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
    reason TEXT NOT NULL, amount NUMERIC NOT NULL, approved_by INTEGER REFERENCES employees (id),
    refunded_at DATE
);
CREATE TABLE invoices (
    id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
    status TEXT NOT NULL, due_at DATE, paid_at DATE, reminder_level INTEGER
);
CREATE TABLE stock_movements (
    id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES products (id),
    kind TEXT NOT NULL, quantity INTEGER NOT NULL, moved_at DATE NOT NULL
);
CREATE TABLE returns_archive (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id));
"""

_FIRST = "Ada Bela Cleo Dan Edda Finn Gia Hugo Iris Jon Kira Leo Mia Nils Olga Pia".split(" ")
_LAST = "Adler Brandt Costa Duval Ekman Ferrari Garcia Holm Ivanov Jansen Keller".split(" ")
_PLACES = [
    ("Germany", "Hamburg"), ("Germany", "Leipzig"), ("France", "Lyon"), ("Spain", "Bilbao"),
    ("Sweden", "Malmö"), ("Poland", "Gdańsk"), ("Italy", "Turin"), ("Austria", "Graz"),
]  # fmt: skip
_GOODS = "Tea Coffee Cocoa Honey Saffron Pepper Rice Lentils Olives Almonds Figs Dates".split(" ")
_GRADES = ("Classic", "Organic", "Reserve", "Bulk")


def write(path: Path) -> None:
    """Write the company's database to ``path``, whole or not at all."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(draft)) as database, database:
        database.executescript(_SCHEMA)
        for table, rows in _rows(random.Random(SEED)):  # noqa: S311 - the same every time
            marks = ", ".join("?" * len(rows[0]))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
        database.execute("DELETE FROM carriers WHERE id = 6")  # two shipments' carrier is gone
    draft.replace(path)


def _rows(chance: random.Random) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    yield "territories", [(n, name) for n, name in enumerate(("North", "South", "East", "West"), 1)]
    yield "employees", list(_employees(chance))
    yield "customers", list(_customers(chance))
    yield "suppliers", list(_suppliers(chance))
    yield "carriers", _carriers()
    yield "categories", [(n, name) for n, name in enumerate(("Drinks", "Spices", "Dry goods"), 1)]
    yield "products", list(_products(chance))
    orders = list(_orders(chance))
    yield "orders", orders
    yield "order_lines", list(_lines(chance))
    yield "shipments", list(_shipments(chance, orders))
    yield "refunds", list(_refunds(chance))
    yield "invoices", list(_invoices(chance, orders))
    yield "stock_movements", list(_movements(chance))


def _employees(chance: random.Random) -> Iterator[tuple[object, ...]]:
    titles = ("Sales Representative", "Sales Manager", "Support Agent", "Buyer")
    for number in range(1, 13):
        boss = None if number == 1 else chance.randint(1, min(number - 1, 3))
        yield (
            *(number, chance.choice(_FIRST), chance.choice(_LAST), titles[number % 4], boss),
            None if number % 5 == 0 else number % 4 + 1,
        )


def _customers(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(1, 181):
        first, last = chance.choice(_FIRST), chance.choice(_LAST)
        country, city = chance.choice(_PLACES)
        mail = f"{first}.{last}{number}@customer{number}.example".lower()
        note = f"Please write to {mail} before shipping" if number % 9 == 0 else None
        yield (
            *(number, f"{last} & {first} Trading {number}", f"{first} {last}", mail),
            None if number % 4 == 0 else f"+49 40 55501{number:03}",
            *(chance.choice(("retail", "wholesale", "online")), country, city),
            *(None if number % 6 == 0 else number % 4 + 1, note),
        )


def _suppliers(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(1, 31):
        rating = chance.choice(("A", "B", "C")) if number % 3 else None
        country, _ = chance.choice(_PLACES)
        yield number, f"Supplier {number} Ltd", country, rating, "Sommer2024!"


def _carriers() -> list[tuple[object, ...]]:
    names = ("Swift Parcel", "Northern Freight", "Harbour Lines", "Air Courier", "Rail Cargo")
    services = ("parcel", "freight", "freight", "express", "freight")
    rows: list[tuple[object, ...]] = [
        (number, name, service, "sk_demo_4f9a7c21b8e35d60")
        for number, (name, service) in enumerate(zip(names, services, strict=True), 1)
    ]
    return [*rows, (6, "Gone Tomorrow", "parcel", None)]


def _products(chance: random.Random) -> Iterator[tuple[object, ...]]:
    names = [f"{grade} {goods}" for goods in _GOODS for grade in _GRADES]
    for number, name in enumerate(names, 1):
        stock = chance.randint(0, 400)
        reorder = None if number % 7 == 0 else chance.choice((10, 25, 50))
        price = chance.randint(200, 9_000) / 100
        yield number, name, number % 3 + 1, number % 30 + 1, price, stock, reorder, number % 11 == 0


def _orders(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(1, 2_401):
        ordered = TODAY - timedelta(days=chance.randint(0, 540))
        promised = ordered + timedelta(days=chance.randint(3, 10)) if number % 5 else None
        late = chance.random() < 0.12
        takes = chance.randint(8, 20) if late else chance.randint(1, 6)
        shipped = ordered + timedelta(days=takes)
        is_shipped = shipped <= TODAY and chance.random() < 0.97
        status = "shipped" if is_shipped else chance.choice(("open", "on hold", "cancelled"))
        yield (
            *(number, chance.randint(1, 180), chance.randint(1, 12), status),
            *(chance.choice(("web", "phone", "partner", "shop")), ordered.isoformat()),
            promised.isoformat() if promised else None,
            *((shipped.isoformat(), chance.randint(1, 5)) if is_shipped else (None, None)),
        )


def _lines(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for order in range(1, 2_401):
        for product in chance.sample(range(1, 49), chance.randint(1, 4)):
            price = chance.randint(200, 9_000) / 100
            yield order, product, chance.randint(1, 40), price, chance.choice((0, 0, 0.05, 0.1))


def _shipments(
    chance: random.Random, orders: list[tuple[object, ...]]
) -> Iterator[tuple[object, ...]]:
    shipped = [order for order in orders if order[7]]
    for number, order in enumerate(shipped, 1):
        status = chance.choice(("delivered", "delivered", "delivered", "in transit", "returned"))
        carrier = 6 if number in (100, 200) else order[8]
        delivered = None
        if status == "delivered":
            day = date.fromisoformat(str(order[7])) + timedelta(days=chance.randint(1, 5))
            delivered = day.isoformat()
        tracking = None if number % 8 == 0 else f"TR{number:07}"
        yield number, order[0], carrier, status, tracking, delivered


def _refunds(chance: random.Random) -> Iterator[tuple[object, ...]]:
    reasons = ("damaged", "late", "wrong item", "changed mind")
    for number, order in enumerate(sorted(chance.sample(range(1, 2_401), 210)), 1):
        refunded = TODAY - timedelta(days=chance.randint(0, 300))
        yield (
            *(number, order, chance.choice(reasons), chance.randint(500, 20_000) / 100),
            None if number % 3 == 0 else chance.randint(1, 12),
            refunded.isoformat() if number % 10 else None,
        )


def _invoices(
    chance: random.Random, orders: list[tuple[object, ...]]
) -> Iterator[tuple[object, ...]]:
    for number, order in enumerate((order for order in orders if order[7]), 1):
        due = date.fromisoformat(str(order[7])) + timedelta(days=30)
        paid = due + timedelta(days=chance.randint(-25, 40))
        is_paid = paid <= TODAY
        status = "paid" if is_paid else ("overdue" if due < TODAY else "open")
        reminder = chance.randint(1, 3) if status == "overdue" else None
        yield (
            *(number, order[0], status, due.isoformat()),
            *(paid.isoformat() if is_paid else None, reminder),
        )


def _movements(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(1, 1_501):
        moved = TODAY - timedelta(days=chance.randint(0, 400))
        kind = chance.choice(("receipt", "sale", "sale", "correction"))
        yield number, chance.randint(1, 48), kind, chance.randint(1, 60), moved.isoformat()
