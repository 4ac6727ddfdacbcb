"""Who works at the demo's companies, and at what: a dozen people with jobs of their own. Pure.

They are known by their desks. Their names stand in the company's database, and there only.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

VERBS = Path(__file__).with_name("verbs.json")
SERVICE = "nightly-sync"  # the person of a machine
NAVIGATION = ("page.dashboard", "page.orders", "page.search", "menu.opened")
UNMAPPED = ("forecast.opened", "label.test_printed", "export.spreadsheet", "note.pinned")
EVERYBODYS = {  # by weight: a little of it
    "answer_customers": 0.4, "review_orders": 0.4, "build_reports": 0.3, "enter_orders": 0.2,
    "send_invoices": 0.15, "book_carriers": 0.15, "count_stock": 0.15, "plan_territories": 0.1,
}  # fmt: skip
ADMINISTRATOR = "administrator"  # who acts on behalf of others


@dataclass(frozen=True, slots=True)
class Job:
    """What somebody does, by how much of it, and how their days go."""

    person: str
    work: Mapping[str, int]  # verb: weight
    starts: int = 8  # o'clock, where they are
    sessions: tuple[int, int] = (2, 4)  # a working day
    zone: str = ""  # empty: the account's


JOBS = {
    job.person: job
    for job in (
        Job("refunds-desk", {"handle_refunds": 7, "answer_customers": 2}),
        Job(
            "refunds-lead",
            {
                "handle_refunds": 7,
                "match_payments": 4,
                "chase_late_orders": 4,
                "build_reports": 4,
                "send_invoices": 3,
            },
            9,
            (3, 5),
        ),
        Job("supplier-desk", {"onboard_suppliers": 7, "buy_goods": 2}),
        Job("carrier-desk", {"book_carriers": 6, "chase_late_orders": 3}, 7),
        Job("late-orders-desk", {"chase_late_orders": 7, "answer_customers": 2}),
        Job("billing", {"send_invoices": 7, "match_payments": 2}, 9),
        Job("payments", {"match_payments": 7, "handle_refunds": 2}, 9),
        Job("pricing", {"maintain_prices": 6, "build_reports": 3}, 10, (1, 3)),
        Job("stock-room", {"count_stock": 8, "buy_goods": 1}, 6, (3, 5)),
        Job("buying", {"buy_goods": 6, "onboard_suppliers": 2, "maintain_prices": 1}),
        Job(
            "field-sales", {"plan_territories": 6, "enter_orders": 3}, 9, (1, 3), "America/New_York"
        ),
        Job("insights", {"build_reports": 8}, 10, (2, 3), "Asia/Singapore"),
        Job("front-desk", {"answer_customers": 8, "enter_orders": 2}, 8, (3, 5)),
        Job("order-desk", {"enter_orders": 8, "review_orders": 2}, 8, (3, 5)),
    )
}


def registry() -> str:
    """The registry of verbs that the companies' product has, as JSON."""
    return VERBS.read_text(encoding="utf-8")


@cache
def actions_by_verb() -> dict[str, list[str]]:
    """What each verb's actions are called."""
    said: dict[str, Any] = json.loads(registry())
    found: dict[str, list[str]] = {verb: [] for verb in said["verbs"]}
    for action, verb in said["actions"].items():
        if verb is not None:
            found[verb].append(action)
    return found
