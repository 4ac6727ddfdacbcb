"""The tables of the pairs, and small random databases of them: NULLs, loose ends, empty tables."""

import random
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from facts.answers.schema import Schema


def _at(*parts: int) -> datetime:
    """A time without a zone, as the columns hold it."""
    return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001


DOCUMENT: dict[str, Any] = {
    "labels": {
        "Order": {
            "table": "orders",
            "pk": "id",
            "columns": {
                "id": ["id", "integer"],
                "status": ["status", "text"],
                "channel": ["channel", "text"],
                "total": ["total", "number"],
                "priority": ["priority", "integer"],
                "isTest": ["is_test", "boolean"],
                "placedAt": ["placed_at", "timestamp"],
                "shipDate": ["ship_date", "date"],
                "carrierId": ["carrier_id", "integer"],
                "customerId": ["customer_id", "integer"],
            },
        },
        "Carrier": {
            "table": "carriers",
            "pk": "id",
            "columns": {
                "id": ["id", "integer"],
                "name": ["name", "text"],
                "country": ["country", "text"],
                "rating": ["rating", "integer"],
            },
        },
        "Customer": {
            "table": "customers",
            "pk": "id",
            "columns": {
                "id": ["id", "integer"],
                "name": ["name", "text"],
                "tier": ["tier", "text"],
                "regionId": ["region_id", "integer"],
            },
        },
        "Region": {
            "table": "regions",
            "pk": "id",
            "columns": {"id": ["id", "integer"], "name": ["name", "text"]},
        },
        "Refund": {
            "table": "refunds",
            "pk": "id",
            "columns": {
                "id": ["id", "integer"],
                "orderId": ["order_id", "integer"],
                "amount": ["amount", "number"],
                "reason": ["reason", "text"],
            },
        },
    },
    "hops": [
        {
            "from": "Order",
            "verb": "SHIPPED_BY",
            "to": "Carrier",
            "on": ["carrier_id", "id"],
            "many": "from",
        },
        {
            "from": "Order",
            "verb": "PLACED_BY",
            "to": "Customer",
            "on": ["customer_id", "id"],
            "many": "from",
        },
        {
            "from": "Customer",
            "verb": "LIVES_IN",
            "to": "Region",
            "on": ["region_id", "id"],
            "many": "from",
        },
        {
            "from": "Refund",
            "verb": "REFUNDS",
            "to": "Order",
            "on": ["order_id", "id"],
            "many": "from",
        },
    ],
}
SCHEMA = Schema.from_document(DOCUMENT)
TABLES = {label: found["table"] for label, found in DOCUMENT["labels"].items()}

# From each label to its neighbours: how the two rows are tied, and whether there is one at most.
TIES: dict[str, dict[str, tuple[str, str, bool]]] = {
    "Order": {
        "Carrier": ("carrier_id", "id", True),
        "Customer": ("customer_id", "id", True),
        "Refund": ("id", "order_id", False),
    },
    "Carrier": {"Order": ("id", "carrier_id", False)},
    "Customer": {"Order": ("id", "customer_id", False), "Region": ("region_id", "id", True)},
    "Region": {"Customer": ("id", "region_id", False)},
    "Refund": {"Order": ("order_id", "id", True)},
}

TEXTS = {
    "status": ["late", "Late", "open", "cancelled", ""],
    "channel": ["web", "shop", "phone"],
    "name": ["UPS", "ups", "DHL", "O'Hare", "a%b"],
    "country": ["DE", "US", "FR"],
    "tier": ["gold", "basic", "Gold"],
    "reason": ["damaged", "lost", "late"],
}
NUMBERS = [-1, 0, 1, 49.99, 50, 99.5, 100, 100.01, 500]
WHOLE = [-1, 0, 1, 2, 3, 4, 5]
DAYS = [
    date(2025, 12, 31),
    date(2026, 1, 1),
    date(2026, 1, 2),
    date(2026, 12, 31),
    date(2027, 1, 1),
]
TIMES = [
    _at(2025, 12, 31, 23, 59, 59, 999999),
    _at(2026, 1, 1),
    _at(2026, 1, 1, 12, 30),
    _at(2026, 12, 31),
    _at(2026, 12, 31, 18),
    _at(2027, 1, 1),
]
AGES = [timedelta(days=1), timedelta(days=8), timedelta(days=29, hours=23), timedelta(days=31)]
AGES += [timedelta(days=45), timedelta(days=-3)]

CREATE = """
CREATE TABLE orders (id integer PRIMARY KEY, status text, channel text, total numeric,
    priority integer, is_test boolean, placed_at timestamp, ship_date date,
    carrier_id integer, customer_id integer);
CREATE TABLE carriers (id integer PRIMARY KEY, name text, country text, rating integer);
CREATE TABLE customers (id integer PRIMARY KEY, name text, tier text, region_id integer);
CREATE TABLE regions (id integer PRIMARY KEY, name text);
CREATE TABLE refunds (id integer PRIMARY KEY, order_id integer, amount numeric, reason text);
"""


@dataclass(frozen=True)
class Size:
    """How many rows the tables have, and how often a value is NULL."""

    orders: int
    others: int
    nulls: float


SIZES = (Size(40, 5, 0.12), Size(30, 4, 0.4), Size(25, 0, 0.1), Size(60, 6, 0.0))


def rows(size: Size, chance: random.Random, now: datetime) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of each table of one database."""

    def some(values: list[Any]) -> Any:
        return None if chance.random() < size.nulls else chance.choice(values)

    ids = list(range(1, size.others + 1))
    loose = [*ids, *ids, 99]  # nothing has the id 99
    times = [*TIMES, *(now - age for age in AGES)]
    days = [*DAYS, *((now - age).date() for age in AGES)]
    return {
        "orders": [
            (
                *(number, some(TEXTS["status"]), some(TEXTS["channel"]), some(NUMBERS)),
                *(some(WHOLE), some([True, False]), some(times), some(days)),
                *(some(loose), some(loose)),
            )
            for number in range(1, size.orders + 1)
        ],
        "carriers": [
            (one, some(TEXTS["name"]), some(TEXTS["country"]), some(WHOLE)) for one in ids
        ],
        "customers": [(one, some(TEXTS["name"]), some(TEXTS["tier"]), some(loose)) for one in ids],
        "regions": [(one, some(TEXTS["name"])) for one in ids],
        "refunds": [
            (
                *(number, some([*range(1, size.orders // 2 + 1), 999])),
                *(some(NUMBERS), some(TEXTS["reason"])),
            )
            for number in range(1, size.orders // 2 if size.others else 1)
        ],
    }
