"""The given databases, loaded once a session, and what one learning of each comes to."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from pytest_django.plugin import DjangoDbBlocker

from facts.models import Account, Fact, Table
from facts.probing import connect
from facts.probing.layout import Layout
from tests.conftest import given
from tests.facts.probing.databases import given_postgres, scratch_postgres

SQLITE = {"northwind_sqlite": "data/databases/northwind_sqlite/northwind.sqlite"}

# What staff would say of the given databases: names for people, and hops no constraint declares.
MAPPINGS: dict[str, dict[str, Any]] = {
    "northwind": {
        "tables": {"shippers": {"label": "Carrier"}, "order_details": {"label": "Line"}},
        "hops": [{"from": "orders", "columns": "ship_via", "to": "shippers", "verb": "SHIPPED_BY"}],
    },
    "pagila": {
        "hops": [
            {
                "from": "film",
                "columns": "film_id",
                "to": "film_actor",
                "key": "film_id",
                "verb": "HAS_ACTOR",
            }
        ]
    },
}


@dataclass(frozen=True)
class Lesson:
    """What one learning wrote: the facts' values by ref, the tables, and all texts of ours."""

    values: dict[str, Any]
    failures: dict[str, str]
    layouts: dict[str, Layout]  # by the table's name
    everything: str

    def value(self, kind: str, *parts: str) -> Any:
        return self.values[f"data:{kind}:{'|'.join(parts)}"]

    def words(self, key: str) -> list[Any]:
        """The vocabulary of ``Label|property``."""
        return [entry["value"] for entry in self.values[f"data:vocabulary:{key}"]["values"]]

    def counts(self) -> dict[str, int]:
        """How many records each label has that could be read."""
        return {
            ref.removeprefix("data:label:"): value["count"]
            for ref, value in self.values.items()
            if ref.startswith("data:label:") and value is not None
        }


@pytest.fixture(scope="session")
def lesson(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Callable[[str], Lesson]:
    """What learning a given database comes to, learned once and rolled back."""

    @cache
    def learned(name: str) -> Lesson:
        assert str(connection.settings_dict["NAME"]).startswith("test_")
        with django_db_blocker.unblock(), transaction.atomic():
            connect("acme", url_of_given(name), mapping=MAPPINGS.get(name))
            try:
                return lesson_of(Account.objects.get(external_id="acme"))
            finally:
                transaction.set_rollback(True)

    return learned


@pytest.fixture
def scratch(db: None) -> str:
    """The URL of an empty PostgreSQL database."""
    return scratch_postgres()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a test puts its SQLite database; a name with what may stand in one."""
    return tmp_path / "das Lager #1 50%.sqlite"


def url_of_given(name: str) -> str:
    """The URL of a given database, loaded at the first call."""
    return f"sqlite:///{given(SQLITE[name])}" if name in SQLITE else given_postgres(name)


def lesson_of(account: Account) -> Lesson:
    facts = list(Fact.objects.filter(account=account))
    tables = Table.objects.filter(account=account, gone_at=None)
    return Lesson(
        values={str(fact.ref): fact.value for fact in facts},
        failures={str(fact.ref): fact.failure for fact in facts if fact.failure},
        layouts={table.name: Layout.of_plain(table.structure) for table in tables},
        everything=everything_we_keep(),
    )


def everything_we_keep() -> str:
    """Every row of every table of our database, as text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        )
        texts = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT whole::text FROM "{table}" AS whole')
            texts += [row[0] for row in cursor.fetchall()]
    return "\n".join(texts)
