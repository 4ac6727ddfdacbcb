"""What is not there is said to be absent, once all of an account's sources were looked through."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from facts import store
from facts.models import Account, Fact, Table
from facts.probing import connect, learn
from facts.refs import Ref
from tests.facts.probing.learning import sqlite_url

pytestmark = pytest.mark.django_db

ABSENT = {"absent": True}


def change(file: Path, script: str) -> None:
    with sqlite3.connect(file) as database:
        database.executescript(script)
    database.close()


def fact(ref: str) -> Fact:
    parsed = Ref.parse(ref)
    return Fact.objects.get(namespace="data", kind=parsed.kind, key=parsed.key)


def ask(account: Account, *refs: str) -> None:
    store.request_many(
        account,
        map(Ref.parse, refs),
        by="spec:late-orders",
        now=timezone.now() - timedelta(hours=1),
    )


def test_what_was_asked_for_and_is_not_there_becomes_absent(acme: Account, file: Path) -> None:
    ask(acme, "data:fill:Order|promisedAt", "data:label:Carrier", "data:fill:Order|id")
    change(file, "CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    connect("acme", sqlite_url(file))
    assert fact("data:fill:Order|promisedAt").value == ABSENT
    assert fact("data:label:Carrier").value == ABSENT
    assert fact("data:fill:Order|id").value == {"filled": 0, "count": 0, "fill": None}
    assert not Fact.objects.open().exists()


def test_a_table_and_a_column_that_are_gone_become_absent(file: Path) -> None:
    change(
        file,
        "CREATE TABLE a (x, y); CREATE TABLE b (z REFERENCES a (x)); INSERT INTO a VALUES (1, 2)",
    )
    learned = connect("acme", sqlite_url(file))
    change(file, "DROP TABLE b; ALTER TABLE a DROP COLUMN y")
    learn(learned.source)
    gone = [
        *("data:label:B", "data:properties:B", "data:fill:B|z", "data:vocabulary:B|z"),
        *("data:hop:B|Z|A", "data:fill:A|y", "data:vocabulary:A|y"),
    ]
    assert [fact(ref).value for ref in gone] == [ABSENT] * len(gone)
    assert fact("data:fill:A|x").value == {"filled": 1, "count": 1, "fill": 1.0}
    assert Table.objects.get(label="B").gone_at is not None


def test_what_comes_back_has_its_name_and_its_facts_again(file: Path) -> None:
    change(file, "CREATE TABLE a (x); CREATE TABLE orders (y)")
    learned = connect("acme", sqlite_url(file))
    change(file, "DROP TABLE orders")
    learn(learned.source)
    change(file, "CREATE TABLE orders (y); INSERT INTO orders VALUES (1)")
    learn(learned.source)
    assert fact("data:label:Order").value == {"count": 1}
    assert Table.objects.get(label="Order").gone_at is None


def test_nothing_is_absent_while_another_source_was_never_reflected(
    acme: Account, file: Path
) -> None:
    acme.sources.create(name="crm", encrypted_url="?")
    ask(acme, "data:label:Carrier")
    change(file, "CREATE TABLE orders (id)")
    connect("acme", sqlite_url(file))
    assert fact("data:label:Carrier").value is None
    assert fact("data:label:Carrier").is_open


def test_nothing_is_absent_while_another_source_is_down(acme: Account, tmp_path: Path) -> None:
    crm, main = tmp_path / "crm", tmp_path / "main"
    change(crm, "CREATE TABLE carriers (id)")
    change(main, "CREATE TABLE orders (id)")
    away = connect("acme", sqlite_url(crm), name="crm").source
    here = connect("acme", sqlite_url(main)).source
    ask(acme, "data:label:Shipment")
    crm.rename(tmp_path / "elsewhere")
    assert learn(away).trouble == "missing-file"
    learn(here)
    assert fact("data:label:Shipment").is_open
    assert fact("data:label:Carrier").value == {"count": 0}
    (tmp_path / "elsewhere").rename(crm)
    learn(away)
    learn(here)
    assert fact("data:label:Shipment").value == ABSENT
    assert fact("data:label:Carrier").value == {"count": 0}


def test_what_is_known_to_be_absent_is_said_again_only_to_answer(file: Path) -> None:
    change(file, "CREATE TABLE orders (id)")
    source = connect("acme", sqlite_url(file)).source
    ask(source.account, "data:label:Carrier")
    learn(source)
    before = fact("data:label:Carrier")
    learn(source)
    assert fact("data:label:Carrier").version == before.version
    ask_later = timezone.now()
    store.request(source.account, Ref.parse("data:label:Carrier"), by="x", now=ask_later)
    assert fact("data:label:Carrier").is_open
    learn(source)
    assert not fact("data:label:Carrier").is_open


def test_what_a_mapping_hides_is_absent(file: Path) -> None:
    change(file, "CREATE TABLE orders (id, note); CREATE TABLE logs (a)")
    connect("acme", sqlite_url(file))
    hiding = {"tables": {"logs": {"hide": True}, "orders": {"columns": {"note": {"hide": True}}}}}
    connect("acme", sqlite_url(file), mapping=hiding)
    assert fact("data:label:Log").value == ABSENT
    assert fact("data:fill:Order|note").value == ABSENT
    assert fact("data:fill:Order|id").value is not None
    assert "note" not in str(fact("data:properties:Order").value)


def test_hiding_customers_does_not_hide_whose_an_order_is(file: Path) -> None:
    """Six orders of one customer and six of three: only what three share is kept, told or not."""
    change(
        file,
        """
        CREATE TABLE customers (id INTEGER PRIMARY KEY);
        INSERT INTO customers VALUES (1), (2), (3);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, by REFERENCES customers, colour TEXT);
        INSERT INTO orders (by, colour) VALUES (1, 'mauve'), (1, 'mauve'), (1, 'mauve'),
            (1, 'red'), (2, 'red'), (3, 'red');
        """,
    )
    for hidden in (
        {"customers": {"hide": True}},
        {"orders": {"columns": {"by": {"hide": True}}}},
        {"customers": {"label": "Account"}},
    ):
        connect("acme", sqlite_url(file), mapping={"tables": hidden})
        words = fact("data:vocabulary:Order|colour").value
        assert words["values"] == [{"value": "red", "records": 3, "owners": 3}]
        assert words["dropped"] == {"owners": 1}
