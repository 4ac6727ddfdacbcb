"""Connecting and learning: what is registered, in what order tables are read, for how long."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from facts import store
from facts.models import Account, Check, Fact, Observation, Source, Table
from facts.probing import BadMapping, SourceRefused, connect, learn
from facts.probing.checking import reader_of, run_with
from facts.probing.keys import decrypted
from facts.refs import Ref
from tests.facts.probing.learning import sqlite_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop(file: Path) -> Path:
    with sqlite3.connect(file) as database:
        database.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, shop_id REFERENCES shops);"
            "CREATE TABLE shops (id INTEGER PRIMARY KEY, name TEXT);"
            "INSERT INTO shops VALUES (1, 'one'); INSERT INTO orders VALUES (1, 'open', 1)"
        )
    database.close()
    return file


def test_a_database_is_registered_with_its_tables_and_their_checks(shop: Path) -> None:
    learned = connect("acme", sqlite_url(shop))
    assert learned.is_new
    assert learned.tables == 2
    source = Source.objects.get()
    assert source.reflected_at is not None
    assert decrypted(source.encrypted_url).endswith(".sqlite")
    assert "sqlite" not in source.encrypted_url
    assert sorted(Table.objects.values_list("label", flat=True)) == ["Order", "Shop"]
    kinds = sorted(Check.objects.filter(source=source).values_list("kind", flat=True))
    assert kinds == ["catalogue", "table", "table"]


def test_every_fact_is_settled_by_its_check(shop: Path) -> None:
    connect("acme", sqlite_url(shop))
    settled = {
        (fact.kind, fact.settled_by.kind, fact.settled_by.table and fact.settled_by.table.label)
        for fact in Fact.objects.select_related("settled_by__table")
        if fact.settled_by
    }
    assert settled == {
        ("properties", "catalogue", None),
        *((kind, "table", "Order") for kind in ("label", "fill", "hop", "vocabulary")),
        *((kind, "table", "Shop") for kind in ("label", "fill", "vocabulary")),
    }
    assert not Fact.objects.filter(settled_by=None).exists()


def test_history_keeps_the_number_that_shows_a_trend(shop: Path) -> None:
    connect("acme", sqlite_url(shop))
    figures = {
        str(line.fact.ref): line.figures
        for line in Observation.objects.select_related("fact")
        if line.figures
    }
    assert figures["data:label:Order"] == {"count": 1}
    assert figures["data:fill:Order|status"] == {"fill": 1.0}
    assert figures["data:hop:Order|SHOP|Shop"] == {"coverage": 1.0}
    assert not [ref for ref in figures if "vocabulary" in ref or "properties" in ref]


def test_properties_say_what_queries_need(shop: Path) -> None:
    connect("acme", sqlite_url(shop))
    assert Fact.objects.get(kind="properties", key="Order").value == {
        "source": "main",
        "dialect": "sqlite",
        "schema": "",
        "table": "orders",
        "key": ["id"],
        "columns": {
            "id": {"property": "id", "type": "integer"},
            "status": {"property": "status", "type": "text"},
            "shop_id": {"property": "shopId", "type": "text"},
        },
    }


def test_a_source_is_found_again_by_its_name(shop: Path) -> None:
    first = connect("acme", sqlite_url(shop), mapping={"tables": {"orders": {"label": "Sale"}}})
    again = connect("acme", sqlite_url(shop))
    assert not again.is_new
    assert again.source == first.source
    assert again.source.mapping == {"tables": {"orders": {"label": "Sale"}}}
    assert again.changed == 0
    assert Table.objects.count() == 2


def test_a_second_source_with_the_same_table_carries_its_name(shop: Path) -> None:
    connect("acme", sqlite_url(shop))
    connect("acme", sqlite_url(shop), name="crm")
    assert sorted(Table.objects.values_list("label", flat=True)) == [
        "CrmOrder",
        "CrmShop",
        "Order",
        "Shop",
    ]
    assert Fact.objects.get(kind="hop", key="CrmOrder|SHOP|CrmShop").value["reached"] == 1


def test_two_accounts_have_the_same_names(shop: Path) -> None:
    connect("acme", sqlite_url(shop))
    connect("globex", sqlite_url(shop))
    assert list(Fact.objects.filter(kind="label", key="Order").values_list("value", flat=True)) == [
        {"count": 1},
        {"count": 1},
    ]


def test_a_label_that_a_table_has_is_given_to_no_other(shop: Path) -> None:
    connect("acme", sqlite_url(shop))
    with pytest.raises(BadMapping):
        connect("acme", sqlite_url(shop), mapping={"tables": {"shops": {"label": "Order"}}})
    assert Source.objects.get().mapping == {}


def test_two_tables_may_change_places(shop: Path) -> None:
    connect("acme", sqlite_url(shop))
    swapped = {"tables": {"shops": {"label": "Order"}, "orders": {"label": "Shop"}}}
    connect("acme", sqlite_url(shop), mapping=swapped)
    assert dict(Table.objects.values_list("name", "label")) == {"shops": "Order", "orders": "Shop"}
    assert Fact.objects.get(kind="hop", key="Shop|SHOP|Order").value["reached"] == 1


def test_what_was_asked_for_is_read_first_and_then_the_oldest(shop: Path) -> None:
    source = connect("acme", sqlite_url(shop)).source
    order, store_ = Table.objects.order_by("label")
    Check.objects.filter(table=order).update(last_checked=timezone.now() - timedelta(days=1))
    learned = learn(source, seconds=1e-9)
    assert (learned.tables, learned.left) == (0, 2)
    Check.objects.filter(table=store_).update(last_checked=timezone.now() - timedelta(days=2))
    assert _first_read(source) == "Shop"
    store.request(source.account, Ref.parse("data:label:Order"), by="x", now=timezone.now())
    assert _first_read(source) == "Order"


def _first_read(source: Source) -> str:
    read: list[str] = []
    learn(source, done=lambda check, outcome, now: read.append(str(check.table)))
    return next(label for label in read if label != "None")


def test_progress_is_told_table_by_table(shop: Path) -> None:
    steps: list[tuple[int, int]] = []
    connect("acme", sqlite_url(shop), progress=lambda done, of: steps.append((done, of)))
    assert steps == [(1, 2), (2, 2)]


def test_a_request_made_while_a_table_is_read_stays_open(shop: Path) -> None:
    source = connect("acme", sqlite_url(shop)).source
    started = timezone.now()
    store.request(
        source.account, Ref.parse("data:label:Order"), by="x", now=started + timedelta(seconds=1)
    )
    learn(source, clock=lambda: started)
    assert Fact.objects.get(kind="label", key="Order").is_open
    learn(source, clock=lambda: started + timedelta(seconds=2))
    assert not Fact.objects.get(kind="label", key="Order").is_open


def test_reading_again_confirms_and_a_changed_count_is_told(shop: Path) -> None:
    source = connect("acme", sqlite_url(shop)).source
    assert learn(source).changed == 0
    with sqlite3.connect(shop) as database:
        database.execute("INSERT INTO orders VALUES (2, 'open', 1)")
    database.close()
    assert learn(source).changed == 1
    fact = Fact.objects.get(kind="label", key="Order")
    assert (fact.value, fact.version) == ({"count": 2}, 3)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("SELECT 1", "the database has no tables that this user can see"),
        ("CREATE VIEW a AS SELECT 1", "of its 1 views a mapping can make types"),
    ],
)
def test_a_database_without_tables_is_refused_and_nothing_is_left(
    file: Path, script: str, said: str
) -> None:
    with sqlite3.connect(file) as database:
        database.executescript(script)
    database.close()
    with pytest.raises(SourceRefused, match=said):
        connect("acme", sqlite_url(file))
    assert not Account.objects.exists()


def test_probing_a_table_costs_a_fixed_number_of_queries_of_ours(
    shop: Path, django_assert_num_queries: object
) -> None:
    source = connect("acme", sqlite_url(shop)).source
    check = Check.objects.select_related("source__account", "table").get(table__label="Order")
    with reader_of(source) as reader, django_assert_num_queries(5):  # type: ignore[operator]
        # how the facts stand; savepoint, lock, write, release
        run_with(reader, check, now=timezone.now())
