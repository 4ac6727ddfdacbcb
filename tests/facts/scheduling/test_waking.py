"""What is written moves due times at once: requests, use, demand, and a clock that jumps."""

import pytest

from facts import derivations, probing, store
from facts.ledgers import Ledger
from facts.models import Account, Check
from facts.refs import Ref
from facts.scheduling import Worked, note_made, probe_due, tick
from facts.scheduling.due import SHORTEST
from tests.facts.derivations.deriving import Total, target_in
from tests.facts.observing import DAY, MINUTE, NINE
from tests.facts.scheduling.sources import a_shop, probed

SHOP0 = Ref.parse("data:label:Shop0")
GHOST = Ref.parse("data:label:Ghost")
SOON, LATER = NINE + MINUTE, NINE + DAY


@pytest.fixture
def shop(db, tmp_path):
    """acme, whose shop of two tables was learned at nine."""
    path = tmp_path / "shop.db"
    probing.connect("acme", a_shop(path, 2), clock=lambda: NINE, done=note_made)
    Ledger.objects.update(threshold=400.0, longest_wait=60)
    probed().update(due_at=NINE + 50 * DAY)
    return Account.objects.get()


def row(label="Shop0"):
    return probed().get(table__label=label)


def catalogue():
    return probed().get(kind="catalogue")


def test_a_request_weighs_its_check_anew_and_no_other(shop):
    store.request(shop, SHOP0, by="staff", now=SOON)
    assert (row().askers, row().weight) == (1, 2)
    assert row().due_at < NINE + 50 * DAY
    assert (row("Shop1").weight, row("Shop1").due_at) == (1, NINE + 50 * DAY)


def test_use_weighs_its_check_anew(shop):
    store.record(shop, {SHOP0: 90}, outcome="used", by="usage", now=SOON)
    assert (row().use, row().weight) == (3, 4)
    assert row("Shop1").weight == 1


def test_reading_a_thousand_times_raises_the_weight_and_nothing_else(shop):
    """Field report 2: an unread twin is trusted as much."""
    twin = Ref.parse("data:label:Shop1")
    for day in range(200):
        store.record(shop, {SHOP0: 5}, outcome="used", by="generation", now=NINE + day * DAY)
    read, unread = shop.facts.at(SHOP0).get(), shop.facts.at(twin).get()
    assert (read.support, read.refute, read.version) == (unread.support, unread.refute, 1)
    assert row().weight > row("Shop1").weight == 1


def test_demand_of_what_is_built_on_it_weighs_its_check_anew_and_is_withdrawn(shop):
    total = Total(wanted=6)
    total.register()
    try:
        derivations.run(target_in(shop), now=SOON)
        assert (row().demand, row().weight) == (6, 7)
        due_at = row().due_at

        total.wanted = 0
        derivations.run(target_in(shop), now=SOON + MINUTE)
        assert (row().demand, row().weight) == (0, 1)
        assert row().due_at > due_at
    finally:
        derivations.unregister("total")


def test_what_nobody_knows_is_looked_for_in_the_catalogue_within_the_hour(shop):
    store.request(shop, GHOST, by="spec", now=SOON)
    assert (catalogue().due_at, catalogue().due_because) == (NINE + SHORTEST, "asked")
    assert row().due_at == NINE + 50 * DAY

    probe_due(Worked(), clock=lambda: NINE + SHORTEST)
    ghost = shop.facts.at(GHOST).get()
    assert (ghost.value, ghost.is_open) == ({"absent": True}, False)
    assert catalogue().due_at > NINE + 2 * SHORTEST


def test_an_unknown_property_is_looked_for_at_its_table_too(shop):
    store.request(shop, Ref.parse("data:fill:Shop0|colour"), by="spec", now=LATER)
    assert (row().due_at, row().due_because) == (LATER, "asked")
    assert catalogue().due_at == LATER
    assert row("Shop1").due_at == NINE + 50 * DAY


def test_a_question_never_puts_off_what_is_due_sooner(shop):
    probed().update(due_at=NINE - DAY, due_because="worth")
    store.request(shop, GHOST, by="spec", now=SOON)
    assert (catalogue().due_at, catalogue().due_because) == (NINE - DAY, "worth")


def test_derived_facts_are_another_lane_s_business(shop, django_assert_num_queries):
    ref = Ref.parse("account:catalogue:data")
    store.request(shop, ref, by="staff", now=SOON)
    before = list(probed().values())
    store.request(shop, ref, by="staff", now=LATER)
    assert list(probed().values()) == before


def test_two_accounts_with_the_same_names_do_not_wake_each_other(shop, tmp_path):
    probing.connect("globex", a_shop(tmp_path / "o.db", 2), clock=lambda: NINE, done=note_made)
    before = list(probed().exclude(account=shop).values())
    store.request(shop, SHOP0, by="staff", now=SOON)
    store.request(shop, Ref.parse("data:fill:Shop0|colour"), by="staff", now=SOON)
    assert list(probed().exclude(account=shop).values()) == before


def test_a_clock_that_jumps_back_a_day_puts_nothing_off_by_a_day(shop):
    Ledger.objects.update(threshold=0, applied=0)
    back = NINE - DAY
    for minute in range(200):
        tick(now=back + minute * MINUTE)
    mended = set(probed().values_list("last_checked", flat=True))
    assert max(mended) <= back + 200 * MINUTE

    now = back + 200 * MINUTE + SHORTEST
    worked = Worked()
    probe_due(worked, clock=lambda: now)
    assert worked.checks == 3
    assert Check.objects.filter(last_checked=now).count() == 3
