"""Sources and checks as rows, for tests that are about when checks are due."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from facts.ledgers import Ledger
from facts.models import Account, Check, Source, Table
from tests.facts.observing import NINE


def a_source(account: Account, name: str = "main", **columns: Any) -> Source:
    """A source with its ledger, an hour's budget saved at nine."""
    ledger = {key: columns.pop(key) for key in _LEDGER & columns.keys()}
    source = Source.objects.create(account=account, name=name, **columns)
    Ledger.objects.filter(source=source).update(**{"credited_at": NINE} | ledger)
    return source


_LEDGER = {"threshold", "applied", "longest_wait", "solved_at", "credit", "failures", "retry_at"}


def a_check(
    source: Source, label: str = "Order", *, due_at: datetime = NINE, **columns: Any
) -> Check:
    """A check of a table of the source."""
    table = Table.objects.create(
        account=source.account, source=source, name=label.lower(), label=label
    )
    return Check.objects.create(
        account=source.account,
        source=source,
        table=table,
        kind=Check.Kind.TABLE,
        due_at=due_at,
        **columns,
    )


def checks(source: Source, count: int, **columns: Any) -> list[Check]:
    """So many checks of the source."""
    return [a_check(source, f"Table{number:04}", **columns) for number in range(count)]


def probed() -> QuerySet[Check]:
    """The checks of sources; an account has targets beside them."""
    return Check.objects.filter(source__isnull=False)


def a_shop(path: Path, tables: int = 3) -> str:
    """The URL of a SQLite database of so many small tables, shop0, shop1 and so on."""
    with closing(sqlite3.connect(path)) as shop:
        for number in range(tables):
            shop.execute(f"CREATE TABLE shop{number} (id INTEGER PRIMARY KEY, status TEXT)")
            rows = [(status,) for status in ["open"] * 5 + ["shipped"] * 7]
            shop.executemany(f"INSERT INTO shop{number} (status) VALUES (?)", rows)
        shop.commit()
    return f"sqlite:///{path}"


def sell(path: Path, table: str = "shop0") -> None:
    """One more row in a table of a shop."""
    with closing(sqlite3.connect(path)) as shop:
        shop.execute(f"INSERT INTO {table} (status) VALUES ('open')")
        shop.commit()
