import pytest
from django.core.cache import cache
from django.utils import timezone

from facts import figures, heartbeat, store
from facts.ledgers import Spending
from facts.models import Check
from facts.refs import Ref
from tests.facts.observing import MINUTE, NINE, ORDERS, observe
from tests.facts.scheduling.sources import a_check, a_source, probed

HOUR = 60 * MINUTE
NOW = NINE + 30 * MINUTE


@pytest.fixture(autouse=True)
def nothing_counted(db):
    cache.delete("figures")


def test_a_fact_is_counted_by_the_first_state_that_is_so(acme, globex):
    observe(acme)
    observe(globex)
    observe(acme, "data:label:Ledger", {"absent": True})
    observe(acme, "data:label:Carrier", outcome="failed", failure="42501")
    observe(globex, "data:label:Carrier", outcome="failed", failure="57014")
    observe(globex, "data:label:Invoice")
    observe(globex, "data:label:Invoice", outcome="refuted", now=NINE + MINUTE)
    observe(globex, "data:label:Invoice", outcome="failed", failure="42501", now=NINE + 2 * MINUTE)
    observe(acme, "data:label:Region")
    observe(acme, "data:label:Region", outcome="refuted", now=NINE + MINUTE)
    store.request(acme, Ref.parse("data:label:Shipment"), by="generation", now=NINE)
    store.request(acme, ORDERS, by="generation", now=NINE + MINUTE)

    found = figures.count(now=NOW)

    assert found.facts == {
        ("data", "measured"): 2,
        ("data", "absent"): 1,
        ("data", "unreadable"): 3,
        ("data", "refuted"): 1,
        ("data", "unmeasured"): 1,
    }
    assert found.failures == {("facts", "42501"): 2, ("facts", "57014"): 1}
    assert found.open_requests == {("data",): 2}


def test_checks_sources_and_what_the_hour_took_are_counted(acme, globex):
    shop = a_source(acme, seconds_per_hour=120)
    a_source(globex, seconds_per_hour=60)
    broken = a_source(acme, "broken", seconds_per_hour=30, failure="08006")
    probed().delete()
    Check.objects.all().delete()
    a_check(shop, "Order", due_at=NOW - HOUR, failures=2)
    a_check(shop, "Carrier", due_at=NOW - MINUTE)
    a_check(shop, "Invoice", due_at=NOW + MINUTE)
    a_check(shop, "Region", due_at=NOW - 3 * HOUR, lease_until=NOW + MINUTE)
    a_check(broken, "Ledger", due_at=NOW - 3 * HOUR, lease_until=NOW - MINUTE)
    Check.objects.create(
        account=acme, kind="derivation", derivation="total", target="", due_at=None
    )
    for source, hour, seconds, checks, failures in (
        (shop, NINE, 12.5, 8, 1),
        (shop, NINE - HOUR, 99, 50, 50),
        (broken, NINE, 0.5, 2, 2),
    ):
        Spending.objects.create(
            account=acme, source=source, hour=hour, seconds=seconds, checks=checks,
            failures=failures,
        )  # fmt: skip

    found = figures.count(now=NOW)

    assert found.checks == {
        ("table", "due"): 2,
        ("table", "waiting"): 1,
        ("table", "leased"): 1,
        ("table", "lost"): 1,
        ("derivation", "idle"): 1,
    }
    assert found.checks_failing == {("table",): 1, ("derivation",): 0}
    assert found.overdue == 3600
    assert found.sources == {("answering",): 2, ("silent",): 1}
    assert found.budget == {"answering": 180, "silent": 30}
    assert found.spent == {"answering": 12.5, "silent": 0.5}
    assert found.probes == {("made",): 7, ("failed",): 3}
    assert found.failures == {("sources", "08006"): 1}


def test_nothing_at_all_is_counted_as_nothing(db):
    found = figures.count(now=NOW)

    assert (found.facts, found.checks, found.sources, found.queued) == ({}, {}, {}, 0)
    assert (found.overdue, found.beaten) == (0, None)


def test_the_workers_heart_is_told_by_its_age(db):
    heartbeat.beat(heartbeat.QUEUE, now=NOW - MINUTE)

    assert figures.count(now=NOW).beaten == 60


def test_however_many_ask_it_is_counted_twice_a_minute(
    acme, django_assert_num_queries, django_assert_max_num_queries
):
    for number in range(20):
        observe(acme, f"data:label:Table{number}")
        a_source(acme, f"source{number}")
    now = timezone.now()
    with django_assert_num_queries(6):
        figures.count(now=now)
    figures.figures(now=now)
    observe(acme)

    with django_assert_num_queries(1):
        again = figures.figures(now=now + MINUTE / 3)
    assert again.facts == {("data", "measured"): 20}
    assert again.at == now

    later = figures.figures(now=now + MINUTE / 2)
    assert later.facts == {("data", "measured"): 21}
    assert figures.figures(now=now - MINUTE).at == now - MINUTE  # a clock that jumped back
