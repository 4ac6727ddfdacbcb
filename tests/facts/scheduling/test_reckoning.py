"""Weights and due times, written when what they follow from is."""

from datetime import timedelta

import pytest

from facts import store
from facts.models import Check, Fact
from facts.refs import Ref
from facts.scheduling.due import SHORTEST
from facts.scheduling.reckoning import reckon, reckoned
from tests.facts.observing import DAY, MINUTE, NINE, ORDERS, observe
from tests.facts.scheduling.sources import a_check, a_source, checks, probed

PROMISED = Ref.parse("data:fill:Order|promisedAt")
LATER = NINE + 2 * DAY


@pytest.fixture
def orders(acme):
    """The check of a table whose label's fact was measured at nine."""
    source = a_source(acme, threshold=20.0)
    check = a_check(source, last_checked=NINE, due_at=NINE + 9 * DAY)
    observe(acme, now=NINE)
    Fact.objects.update(settled_by=check)
    return check


def reckoned_row(check, *, now=LATER):
    reckon([check.pk], now=now)
    return Check.objects.get(pk=check.pk)


def test_a_check_nobody_wants_weighs_one(orders):
    row = reckoned_row(orders)
    assert (row.askers, row.use, row.demand, row.weight) == (0, 0, 0, 1)


def test_each_open_asker_adds_one_to_the_weight(orders, acme):
    for by in ("generation", "staff"):
        store.request(acme, ORDERS, by=by, now=NINE + MINUTE)
        store.request(acme, ORDERS, by=by, now=NINE + DAY)
    row = reckoned_row(orders)
    assert (row.askers, row.weight) == (2, 3)


def test_a_request_that_was_answered_weighs_nothing(orders, acme):
    store.request(acme, ORDERS, by="staff", now=NINE + MINUTE)
    observe(acme, now=NINE + DAY)
    assert reckoned_row(orders).weight == 1


@pytest.mark.parametrize("own", ["dependency", "reader", "spec:late-orders"])
def test_what_ken_itself_asks_for_is_no_asker(orders, acme, own):
    store.request(acme, ORDERS, by=own, now=NINE + MINUTE)
    assert reckoned_row(orders).weight == 1


def test_use_counts_by_the_day_over_thirty_days(orders, acme):
    store.record(acme, {ORDERS: 60}, outcome="used", by="generation", now=NINE)
    row = reckoned_row(orders, now=NINE + 10 * DAY)
    assert (row.use, row.weight) == (2, 3)
    assert reckoned_row(orders, now=NINE + 31 * DAY).weight == 1


def test_demand_of_what_is_built_on_it_adds_to_the_weight(orders):
    probed().update(demand=5)
    assert reckoned_row(orders).weight == 6


def test_weight_brings_the_due_time_forward(orders, acme):
    before = reckoned_row(orders).due_at
    store.request(acme, ORDERS, by="staff", now=NINE + MINUTE)
    assert reckoned_row(orders).due_at < before


def test_a_check_is_due_no_later_than_its_facts_trust_lapses(orders):
    Fact.objects.update(trust_lapses_at=NINE + 3 * DAY)
    row = reckoned_row(orders)
    assert (row.due_at, row.due_because) == (NINE + 3 * DAY, "lapse")


def test_a_lapse_that_was_noticed_keeps_its_check_due(orders):
    Fact.objects.update(trust_lapses_at=NINE + DAY)
    assert reckoned_row(orders).due_because == "lapse"
    Fact.objects.update(trust_lapses_at=None)
    row = reckoned_row(orders, now=LATER)
    assert (row.due_at, row.due_because) == (NINE + DAY, "lapse")


def test_a_request_for_what_lapsed_makes_its_check_due(orders, acme):
    store.request(acme, ORDERS, by="lapse", now=NINE + DAY)
    row = reckoned_row(orders)
    assert (row.due_at, row.due_because, row.askers) == (NINE + DAY, "lapse", 0)


def test_a_question_for_what_was_never_measured_makes_its_check_due(orders, acme):
    store.request(acme, PROMISED, by="staff", now=NINE + DAY)
    row = reckoned_row(orders)
    assert (row.due_at, row.due_because) == (NINE + DAY, "asked")


def test_what_the_last_check_could_not_measure_is_no_reason_for_another(orders, acme):
    Fact.objects.create(
        account=acme,
        namespace=PROMISED.namespace,
        kind=PROMISED.kind,
        key=PROMISED.key,
        requested_at=NINE - MINUTE,
        failure="42501",
        settled_by=orders,
    )
    row = reckoned_row(orders)
    assert (row.due_because, row.due_at > NINE + SHORTEST) == ("worth", True)


def test_a_check_that_was_never_made_stays_due(acme):
    check = a_check(a_source(acme, threshold=1e9), due_at=NINE)
    row = reckoned_row(check)
    assert (row.due_at, row.due_because, row.weight) == (NINE, "new", 1)


def test_a_check_that_failed_waits_for_its_retry(acme):
    check = a_check(
        a_source(acme), due_at=LATER, failures=2, due_because="retry", last_checked=NINE
    )
    row = reckoned_row(check)
    assert (row.due_at, row.due_because) == (LATER, "retry")


def test_targets_are_not_reckoned_here(acme):
    target = Check.objects.create(
        account=acme, kind="derivation", derivation="other", due_at=None, weight=7
    )
    row = reckoned_row(target)
    assert (row.due_at, row.weight) == (None, 7)


def test_any_number_of_checks_is_reckoned_in_three_statements(acme, django_assert_num_queries):
    keys = [check.pk for check in checks(a_source(acme), 50, last_checked=NINE)]
    with django_assert_num_queries(3):
        reckon(keys, now=LATER)
    with django_assert_num_queries(0):
        reckon([], now=LATER)


def test_reckoning_says_its_parts_without_writing(orders, acme):
    store.request(acme, ORDERS, by="staff", now=NINE + MINUTE)
    probed().update(weight=1, due_at=NINE)
    (said,) = reckoned([orders.pk], now=LATER)
    assert (said.askers, said.use, said.demand, said.weight) == (1, 0, 0, 2)
    assert said.stakes is not None
    assert said.stakes.threshold == 20
    assert probed().get().due_at == NINE
    assert said.due_at is not None
    assert said.due_at - NINE > timedelta(hours=1)
