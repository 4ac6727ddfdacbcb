"""A trading company that nobody owns: what its rows follow from. Pure."""

import random
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

PLACES = (
    ("Germany", "Hamburg"), ("Germany", "Leipzig"), ("France", "Lyon"), ("Spain", "Bilbao"),
    ("Sweden", "Malmö"), ("Poland", "Gdańsk"), ("Italy", "Turin"), ("Austria", "Graz"),
)  # fmt: skip


class Row(NamedTuple):
    """A row of a table, and the day since when it is there; None for from the beginning."""

    since: date | None
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """A seed, the company's last day, how large it is, and how well its people fill fields in."""

    seed: str
    today: date
    orders: int
    reorder_level_filled: float = 0.8
    freight_filled: float = 0.9

    @property
    def customers(self) -> int:
        """One for every fourteen orders, and a few more."""
        return 20 + self.orders // 14

    def chance(self, table: str) -> random.Random:
        """The chance of one table, whatever other tables there are."""
        return random.Random(f"{self.seed} {table}")  # noqa: S311 - the same every time
