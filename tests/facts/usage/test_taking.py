import json
from datetime import timedelta
from itertools import islice, product

import pytest
from django.core.management import CommandError, call_command

from facts import askers, store
from facts.models import Account, Fact, Observation, Source, Table
from facts.refs import Ref
from facts.usage.queries import BadUsage, RunQuery, read
from facts.usage.taking import MOST_SHAPES, take, uses_by_label
from tests.facts.observing import DAY, MINUTE, NINE, observe


@pytest.fixture
def shop(acme):
    source = Source.objects.create(account=acme, encrypted_url="-")
    for schema, name, label, columns in [
        ("public", "orders", "Order", ["id", "status", "placed_at"]),
        ("public", "customers", "Customer", ["id", "name"]),
        ("archive", "orders", "ArchiveOrder", ["id"]),
    ]:
        Table.objects.create(
            account=acme, source=source, schema=schema, name=name, label=label,
            properties={column: column for column in columns},
        )  # fmt: skip
        observe(acme, f"data:label:{label}", {"count": 1})
    return acme


def ran(query, *, ok=True, dialect="postgres"):
    return RunQuery(account="acme", query=query, dialect=dialect, ok=ok)


def distinct(count):
    """So many queries of different shapes, each a row of seven columns."""
    columns = ("id", "status", "placed_at")
    return [
        ran(f"SELECT {', '.join(row)} FROM orders")
        for row in islice(product(columns, repeat=7), count)
    ]


def shapes(account):
    return account.facts.filter(kind="shape")


def test_a_query_leaves_its_shape_and_the_labels_it_touches(shop):
    taken = take(shop, [ran("SELECT id FROM public.orders WHERE status = 'ACME 4711'")], now=NINE)

    assert (taken.accepted, taken.dropped) == (1, 0)
    assert shapes(shop).get().value == {
        "shape": "SELECT id FROM public.orders WHERE status = ?",
        "dialect": "postgres",
        "labels": ["Order"],
    }
    assert uses_by_label(shop, now=NINE) == {"Order": 1}


def test_failed_queries_are_use_too_and_the_day_is_one_line(shop):
    query = "SELECT id FROM customers WHERE name = '{}'"
    take(shop, [ran(query.format(n), ok=n % 2 == 0) for n in range(5)], now=NINE)
    take(shop, [ran(query.format("x"), ok=False)], now=NINE + timedelta(hours=1))

    assert uses_by_label(shop, now=NINE) == {"Customer": 6}
    lines = Observation.objects.filter(fact__key="Customer", outcome="used")
    assert [(line.by, line.count) for line in lines] == [("usage", 6)]
    assert shapes(shop).count() == 1


def test_a_bare_name_touches_each_schemas_table_and_a_stranger_touches_none(shop):
    take(shop, [ran("SELECT 1 FROM orders"), ran("SELECT 1 FROM weather")], now=NINE)

    assert uses_by_label(shop, now=NINE) == {"Order": 1, "ArchiveOrder": 1}


def test_nothing_of_a_querys_values_or_unknown_names_is_in_any_row(shop):
    canary = "Zebra4711"
    take(
        shop,
        [
            ran(f"SELECT id AS {canary} FROM orders WHERE status = '{canary}' -- {canary}"),
            ran(f'SELECT "{canary}" FROM orders'),
            ran(f"SELECT broken '{canary}"),
        ],
        now=NINE,
    )

    stored = [*Fact.objects.values(), *Observation.objects.values()]
    assert canary.casefold() not in str(stored).casefold()


def test_two_queries_that_differ_in_unknown_names_only_are_two_shapes(shop):
    take(shop, [ran("SELECT a FROM orders"), ran("SELECT b FROM orders")], now=NINE)

    assert [fact.value["shape"] for fact in shapes(shop)] == ["SELECT x1 FROM orders"] * 2


def test_what_does_not_parse_is_dropped_and_counted(shop):
    taken = take(shop, [ran("SELEC 'x"), ran("SELECT 1 FROM orders")], now=NINE)

    assert (taken.accepted, taken.dropped) == (1, 1)


def test_use_reads_thirty_days_back(shop):
    take(shop, [ran("SELECT 1 FROM customers")], now=NINE)

    assert uses_by_label(shop, now=NINE + 29 * DAY) == {"Customer": 1}
    assert uses_by_label(shop, now=NINE + 30 * DAY) == {}


def test_what_is_asked_for_is_use_of_its_type_and_what_ken_asks_for_is_none(shop):
    asked = [Ref.parse("data:label:Order"), Ref.parse("data:hop:Order|BUYER|Customer")]
    for by in ("generation", "staff:ann"):
        store.request_many(shop, asked, by=by, now=NINE)
    observe(shop, "data:label:Order", outcome="failed", failure="42501", now=NINE + MINUTE)
    assert uses_by_label(shop, now=NINE) == {"Order": 4}

    for by in [*askers.OWN, "spec:late-orders"]:
        store.request_many(shop, [Ref.parse("data:label:Customer")], by=by, now=NINE)

    assert uses_by_label(shop, now=NINE) == {"Order": 4}


def test_use_of_a_day_to_come_is_not_counted_yet(shop):
    take(shop, [ran("SELECT 1 FROM customers")], now=NINE)

    assert uses_by_label(shop, now=NINE - DAY) == {}


def test_past_a_thousand_shapes_the_least_used_go_and_old_ones_too(shop):
    often, old = ran("SELECT id FROM orders"), ran("SELECT name FROM customers")
    take(shop, [old], now=NINE - 31 * DAY)
    take(shop, [often] * 2, now=NINE)
    take(
        shop,
        [ran(f"SELECT {', '.join(['id'] * n)} FROM orders") for n in range(1, 1_101)],
        now=NINE,
    )

    kept = [fact.value["shape"] for fact in shapes(shop)]
    assert len(kept) == MOST_SHAPES
    assert "SELECT id FROM orders" in kept
    assert "SELECT name FROM customers" not in kept


def test_taking_many_queries_in_takes_a_fixed_number_of_statements(
    shop, django_assert_max_num_queries
):
    with django_assert_max_num_queries(14):
        take(shop, distinct(200), now=NINE)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ([], "a line is an object"),
        ({"account": "acme", "query": "SELECT 1"}, "dialect is a text"),
        ({"account": "acme", "query": "SELECT 1", "dialect": "klingon"}, "dialect is one that"),
        ({"account": "acme", "query": 1, "dialect": "postgres"}, "query is a text"),
        ({"account": "acme", "query": "S", "dialect": "postgres", "ok": 1}, "ok is true or false"),
        ({"account": "acme", "query": "S", "dialect": "postgres", "x": 1}, "no other fields"),
    ],
)
def test_a_line_that_says_no_query_is_refused_with_the_reason(line, reason):
    with pytest.raises(BadUsage, match=reason):
        read(line)


def test_the_command_tells_refused_lines_by_number_and_takes_the_others(shop, tmp_path, capsys):
    file = tmp_path / "usage.jsonl"
    lines = [
        {"account": "acme", "person": "alice", "query": "SELECT 1", "dialect": "sqlite"},
        {"account": "acme", "query": "nonsense 'secret", "dialect": "postgres"},
        {"account": "acme", "query": "SELECT 'secret'", "dialect": "klingon"},
        {"account": "globex", "query": "SELECT 1", "dialect": "sqlite"},
    ]  # fmt: skip
    file.write_text("\n".join([*map(json.dumps, lines), "{not json"]))

    call_command("load_usage", str(file), "--json")

    out, err = capsys.readouterr()
    assert json.loads(out) == {"accepted": 2, "dropped": 1, "refused": 2}
    assert err.splitlines() == [
        "line 3: dialect is one that sqlglot knows, such as postgres, sqlite or mysql",
        "line 5: no JSON",
        "new account: globex",
    ]
    assert Account.objects.filter(external_id="globex").exists()


def test_the_command_fails_where_lines_are_refused_and_none_is_accepted(shop, tmp_path, capsys):
    file = tmp_path / "usage.jsonl"
    file.write_text("{not json\n[]\n")

    with pytest.raises(CommandError) as refusal:
        call_command("load_usage", str(file))

    assert str(refusal.value) == "nothing was accepted; 2 lines refused"
    assert capsys.readouterr().out == "0 accepted, 0 dropped, 2 refused\n"
