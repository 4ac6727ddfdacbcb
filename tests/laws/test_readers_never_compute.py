"""Law 6: a read is a lookup, and a request for what is stale in it. Nobody builds by reading."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from facts import derivations
from facts.derivations import Outcome, look_up
from facts.models import Check, Fact, Observation
from tests.facts.derivations.deriving import TOTAL, count, is_due, run, target_in, total
from tests.facts.observing import DAY, MINUTE, NINE

LATER = NINE + 10 * MINUTE
MONTHS_LATER = NINE + 60 * DAY  # when nothing confirmed at nine is trusted any more


def read_by(account, asker, *, now):
    """One reader's read, on a connection of its own."""
    try:
        return look_up(account, TOTAL, by=asker, now=now)
    finally:
        connection.close()


def test_a_read_of_what_is_trusted_is_one_select(acme, derived, django_assert_num_queries):
    count(acme, "Order", 830)
    run(acme)

    with django_assert_num_queries(1):
        fact = look_up(acme, TOTAL, by="header", now=LATER)

    assert fact.value == {"records": 830}
    assert not total(acme).is_open
    assert not is_due(acme, now=LATER + DAY)


def test_a_read_of_what_is_stale_serves_it_and_asks_once(acme, derived):
    count(acme, "Order", 830)
    run(acme)

    fact = look_up(acme, TOTAL, by="header", now=MONTHS_LATER)

    assert fact.value == {"records": 830}
    assert total(acme).is_open
    assert is_due(acme, now=MONTHS_LATER)
    assert len(derived.builds) == 1
    asked = Observation.objects.filter(fact=fact, outcome="requested")
    assert [(line.by, line.count) for line in asked] == [("header", 1)]


def test_a_read_of_what_was_never_built_asks_for_it_and_makes_its_target(acme, derived):
    Check.objects.all().delete()

    assert look_up(acme, TOTAL, by="header", now=NINE) is None

    assert derived.builds == []
    assert is_due(acme, now=NINE)
    count(acme, "Order", 830)
    assert derivations.run_due(clock=lambda: LATER) == {Outcome.BUILT: 1}
    assert look_up(acme, TOTAL, by="header", now=LATER).value == {"records": 830}
    assert not total(acme).is_open


def test_a_read_of_what_does_not_exist_asks_for_nothing(acme, derived):
    derived.result = lambda inputs: {(None, TOTAL): {"records": 1}} if inputs["counts"] else {}
    count(acme, "Order", 830)
    run(acme)
    derived.result = lambda inputs: {}
    count(acme, "Order", 831, now=LATER)
    run(acme, now=LATER + MINUTE)

    assert look_up(acme, TOTAL, by="header", now=MONTHS_LATER).is_absent
    assert not total(acme).is_open


@pytest.mark.django_db(transaction=True)
def test_two_hundred_readers_at_once_build_nothing_and_fold_into_one_request(acme, derived):
    count(acme, "Order", 830)
    run(acme)
    built = len(derived.builds)

    with ThreadPoolExecutor(20) as readers:
        read = list(readers.map(lambda _: read_by(acme, "header", now=MONTHS_LATER), range(200)))

    assert [fact.value for fact in read] == [{"records": 830}] * 200
    assert len(derived.builds) == built
    asked = Observation.objects.get(fact__kind="total", outcome="requested")
    assert (asked.by, asked.count) == ("header", 200)
    assert Fact.objects.filter(kind="total").count() == 1
    assert target_in(acme).last_checked == NINE

    assert derivations.run_due(clock=lambda: MONTHS_LATER + MINUTE) == {Outcome.CONFIRMED: 1}
    assert len(derived.builds) == built
    assert not total(acme).is_open


@pytest.mark.django_db(transaction=True)
def test_readers_of_what_was_never_built_make_one_target_between_them(acme, derived):
    Check.objects.all().delete()
    with ThreadPoolExecutor(8) as readers:
        read = list(readers.map(lambda n: read_by(acme, f"reader {n}", now=NINE), range(40)))

    assert {fact and fact.value for fact in read} == {None}
    assert derived.builds == []
    assert Check.objects.filter(derivation="total").count() == 1
    assert Observation.objects.filter(outcome="requested").count() == 40
