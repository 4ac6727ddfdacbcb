"""The demo's accounts: which databases they have, and what happened to them. Pure.

Each shows something else: one is ready, one almost, one is held back by a type that can't be read,
one sees too little, one is out of reach, one was never looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from readiness.demo.schema import TABLES

_SALES = ("customers", "carriers", "orders", "shipments", "invoices")
_GOODS = ("suppliers", "categories", "products")


@dataclass(frozen=True, slots=True)
class Moment:
    """A day on which a database was read, and what of it could not be then."""

    days_ago: float
    refused: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """A database of an account: a schema of its own, with a reader of its own."""

    schema: str
    name: str = "main"  # of the source
    tables: tuple[str, ...]
    orders: int
    moments: tuple[Moment, ...]
    lost_days_ago: float | None = None  # since when its reader may no longer log in
    reorder_level_filled: float = 0.8
    freight_filled: float = 0.9

    def refused_at(self, days_ago: float) -> frozenset[str]:
        """What can't be read on a day: as on the last moment before it."""
        before = [moment for moment in self.moments if moment.days_ago >= days_ago]
        return (before[-1] if before else self.moments[0]).refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """An account of the demo."""

    account: str
    shops: tuple[Shop, ...] = ()
    integrations: tuple[tuple[str, str, bool], ...] = ()  # name, category, whether it works
    plan: tuple[str, ...] = ()
    jobs: tuple[str, ...] = field(default=())  # of its people
    zone: str = "Europe/Amsterdam"
    is_used: bool = False  # whether the assistant asks its databases


def _moments(*days: float, refused: Sequence[str] = ()) -> tuple[Moment, ...]:
    return tuple(Moment(ago, frozenset(refused)) for ago in days)


STORIES: tuple[Story, ...] = (
    Story(  # almost ready: nearly all is known, and a heavy type can't be read
        account="larkspur-trading",
        is_used=True,
        shops=(
            Shop(
                schema="larkspur",
                tables=tuple(TABLES),
                orders=4_000,
                moments=(
                    Moment(
                        34,
                        frozenset(
                            {
                                *("order_lines", "shipments", "invoices", "refunds", "products"),
                                *("stock_movements", "suppliers", "supplier_contracts"),
                                *("support_tickets", "territory_assignments", "scanners"),
                            }
                        ),
                    ),
                    Moment(
                        26,
                        frozenset(
                            {
                                *("invoices", "refunds", "stock_movements"),
                                *("supplier_contracts", "territory_assignments"),
                            }
                        ),
                    ),
                    Moment(17, frozenset({"invoices", "territory_assignments"})),
                    Moment(10, frozenset({"territory_assignments"})),
                    Moment(3, frozenset({"shipments", "territory_assignments"})),
                ),
                reorder_level_filled=0.4,
                freight_filled=0.6,
            ),
        ),
        integrations=(
            ("Parcel desk", "shipping", True),
            ("Freight exchange", "shipping", False),
            ("Card payments", "payment", True),
            ("Post room", "mail", False),
            ("Warehouse terminal", "warehouse", True),
        ),
        plan=("reminders", "exports", "territories"),
        jobs=(
            *("refunds-desk", "refunds-lead", "supplier-desk", "carrier-desk", "late-orders-desk"),
            *("billing", "payments", "pricing", "stock-room", "buying", "field-sales", "insights"),
            *("front-desk", "order-desk"),
        ),
    ),
    Story(  # ready, all of it
        account="brasswick-tools",
        is_used=True,
        shops=(
            Shop(
                schema="brasswick",
                tables=("regions", "territories", *_SALES, "products"),
                orders=600,
                moments=_moments(20),
            ),
        ),
        integrations=(("Parcel desk", "shipping", True), ("Card payments", "payment", True)),
        plan=("reminders",),
        jobs=("order-desk", "billing", "carrier-desk"),
    ),
    Story(  # ready with a small gap: what can't be read weighs little
        account="fennimore-foods",
        is_used=True,
        shops=(
            Shop(
                schema="fennimore",
                tables=("regions", "territories", *_SALES, *_GOODS, "order_lines", "refunds"),
                orders=500,
                moments=_moments(16, refused=["regions"]),
            ),
        ),
        integrations=(("Card payments", "payment", True),),
        jobs=("refunds-desk", "order-desk", "buying"),
    ),
    Story(  # held back by one type: a high number, and orders can't be read
        account="tidewater-supply",
        shops=(
            Shop(
                schema="tidewater",
                tables=(*_SALES, "products", "order_lines", "stock_movements"),
                orders=450,
                moments=(*_moments(31), *_moments(9, refused=["orders"])),
            ),
        ),
        integrations=(("Warehouse terminal", "warehouse", False),),
        plan=("exports",),
    ),
    Story(  # almost ready: half of what it knows is of a database that is gone, and grows old
        account="quillon-optics",
        shops=(
            Shop(schema="quillon", tables=_SALES, orders=300, moments=_moments(37, 15)),
            Shop(
                schema="quillon_archive",
                name="archive",
                tables=("customers", "orders", "refunds", "support_tickets"),
                orders=240,
                moments=_moments(37),
                lost_days_ago=35,
            ),
        ),
    ),
    Story(  # not ready: its reader sees next to nothing
        account="pemberly-books",
        shops=(
            Shop(
                schema="pemberly",
                tables=(*_SALES, "products"),
                orders=200,
                moments=_moments(12, refused=["customers", "orders", "shipments", "invoices"]),
            ),
        ),
        plan=("reminders",),
    ),
    Story(  # was ready, and its database has not answered for so long that nothing is sure
        account="oakhollow-garden",
        shops=(
            Shop(
                schema="oakhollow",
                tables=(*_SALES, "products"),
                orders=200,
                moments=_moments(33),
                lost_days_ago=32,
            ),
        ),
    ),
    Story(  # ready, and its database has not answered since yesterday
        account="hazelmere-linen",
        shops=(
            Shop(
                schema="hazelmere",
                tables=(*_SALES, "products"),
                orders=250,
                moments=_moments(1.5),
                lost_days_ago=1,
            ),
        ),
        integrations=(("Card payments", "payment", False),),
    ),
    Story(account="marrowby-cycles", plan=("reminders",)),  # nobody connected a database yet
)
