"""How the demo's companies keep their trade: tables, columns, what leads where. Pure.

The same tables as many small traders have them: most foreign keys are declared, some are not, and
a few columns hold what nobody should keep.
"""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

TABLES: dict[str, str] = {
    "regions": "id integer PRIMARY KEY, name text NOT NULL",
    "territories": "id integer PRIMARY KEY, name text NOT NULL, region_id integer",
    "employees": (
        "id integer PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL,"
        " email text, phone text, title text NOT NULL, reports_to integer, hired_on date,"
        " salary numeric"
    ),
    "territory_assignments": (
        "employee_id integer, territory_id integer, since date,"
        " PRIMARY KEY (employee_id, territory_id)"
    ),
    "customers": (
        "id integer PRIMARY KEY, company text NOT NULL, contact_name text, email text, phone text,"
        " bank_account text, country text NOT NULL, city text, territory_id integer,"
        " payment_terms text, notes text, created_at date NOT NULL"
    ),
    "customer_segments": "customer_id integer PRIMARY KEY, segment text NOT NULL, decided_on date",
    "suppliers": (
        "id integer PRIMARY KEY, company text NOT NULL, country text NOT NULL, rating text,"
        " order_mail text, portal_password text, homepage text"
    ),
    "supplier_contracts": (
        "id integer PRIMARY KEY, supplier_id integer NOT NULL, status text NOT NULL,"
        " discount numeric, signed_by text, valid_until date"
    ),
    "carriers": (
        "id integer PRIMARY KEY, name text NOT NULL, service text NOT NULL, api_key text,"
        " works_on_saturday boolean NOT NULL"
    ),
    "categories": "id integer PRIMARY KEY, name text NOT NULL",
    "products": (
        "id integer PRIMARY KEY, name text NOT NULL, category_id integer, supplier_id integer,"
        " grade text, unit text NOT NULL, unit_price numeric NOT NULL,"
        " units_in_stock integer NOT NULL, reorder_level integer, discontinued boolean NOT NULL"
    ),
    "orders": (
        "id integer PRIMARY KEY, customer_id integer NOT NULL, employee_id integer,"
        " status text NOT NULL, channel text NOT NULL, priority text, reply_to text,"
        " ordered_at date NOT NULL, promised_at date, shipped_at date, ship_via integer,"
        " freight numeric, ship_region text, gift_note text"
    ),
    "order_lines": (
        "order_id integer, product_id integer, quantity integer NOT NULL,"
        " unit_price numeric NOT NULL, discount numeric NOT NULL,"
        " PRIMARY KEY (order_id, product_id)"
    ),
    "shipments": (
        "id integer PRIMARY KEY, order_id integer NOT NULL, carrier_id integer NOT NULL,"
        " status text NOT NULL, tracking_number text, delivered_at date"
    ),
    "invoices": (
        "id integer PRIMARY KEY, order_id integer NOT NULL, customer_id integer NOT NULL,"
        " status text NOT NULL, amount numeric NOT NULL, due_at date, paid_at date,"
        " reminder_level integer"
    ),
    "refunds": (
        "id integer PRIMARY KEY, order_id integer NOT NULL, reason text, amount numeric NOT NULL,"
        " status text NOT NULL, approved_by integer, approver_name text, refunded_at date"
    ),
    "stock_movements": (
        "id integer PRIMARY KEY, product_id integer NOT NULL, kind text NOT NULL,"
        " quantity integer NOT NULL, moved_at date NOT NULL"
    ),
    "support_tickets": (
        "id integer PRIMARY KEY, customer_id integer, order_id integer, topic text NOT NULL,"
        " state text NOT NULL, body text, reference text, opened_at date NOT NULL"
    ),
    "scanners": (
        "id integer PRIMARY KEY, model text NOT NULL, site text NOT NULL, label text,"
        " last_user text"
    ),
    "settings": "name text PRIMARY KEY, value text",
}
"""By table, its columns; a table comes after those it leads to."""


class Hop(NamedTuple):
    """A way from a table's column to another table, and what it is called."""

    table: str
    column: str
    to: str
    verb: str
    is_declared: bool = True  # as a foreign key; where not, rows may lead nowhere


HOPS = (
    Hop("territories", "region_id", "regions", "LIES_IN"),
    Hop("employees", "reports_to", "employees", "REPORTS_TO"),
    Hop("territory_assignments", "employee_id", "employees", "ASSIGNED_TO"),
    Hop("territory_assignments", "territory_id", "territories", "COVERS"),
    Hop("customers", "territory_id", "territories", "IN"),
    Hop("customer_segments", "customer_id", "customers", "OF"),
    Hop("supplier_contracts", "supplier_id", "suppliers", "WITH"),
    Hop("products", "category_id", "categories", "IN"),
    Hop("products", "supplier_id", "suppliers", "SUPPLIED_BY"),
    Hop("orders", "customer_id", "customers", "PLACED_BY"),
    Hop("orders", "employee_id", "employees", "HANDLED_BY"),
    Hop("orders", "ship_via", "carriers", "SHIPPED_BY"),
    Hop("order_lines", "order_id", "orders", "PART_OF"),
    Hop("order_lines", "product_id", "products", "OF"),
    Hop("shipments", "order_id", "orders", "OF"),
    Hop("shipments", "carrier_id", "carriers", "CARRIED_BY", is_declared=False),
    Hop("invoices", "order_id", "orders", "FOR"),
    Hop("invoices", "customer_id", "customers", "SENT_TO"),
    Hop("refunds", "order_id", "orders", "OF"),
    Hop("refunds", "approved_by", "employees", "APPROVED_BY"),
    Hop("stock_movements", "product_id", "products", "OF"),
    Hop("support_tickets", "customer_id", "customers", "RAISED_BY"),
    Hop("support_tickets", "order_id", "orders", "ABOUT", is_declared=False),
)

CLOSED_COLUMNS = {"employees": "salary"}  # that no reader may read


def columns_of(table: str) -> list[str]:
    """The names of a table's columns, in order."""
    parts = TABLES[table].split(" PRIMARY KEY (")[0].split(",")
    return [part.split()[0] for part in parts if part.strip()]


def hops_among(tables: Collection[str]) -> Iterable[Hop]:
    """The hops that start and end in ``tables``."""
    return (hop for hop in HOPS if hop.table in tables and hop.to in tables)


def mapping_of(tables: Collection[str]) -> dict[str, Any]:
    """What staff say of a company's database: verbs for its hops, and what is nobody's business."""
    hops = [
        {"from": hop.table, "columns": hop.column, "to": hop.to, "verb": hop.verb}
        for hop in hops_among(tables)
    ]
    hidden = {"tables": {"settings": {"hide": True}}} if "settings" in tables else {}
    return {**hidden, "hops": hops}
