"""What is measured, asked for or read while a target is built is neither lost nor written over."""

import pytest

from facts import store
from facts.derivations import Outcome
from facts.models import Observation
from facts.refs import Ref
from facts.store import Measurement
from tests.facts.derivations.deriving import (
    TOTAL,
    build_from_orders,
    count,
    is_due,
    meanwhile,
    run,
    total,
)
from tests.facts.observing import DAY, MINUTE, NINE, stored

LATER = NINE + 10 * MINUTE
ORDERS = Ref.parse("data:label:Order")


@pytest.mark.django_db(transaction=True)
def test_a_slow_build_does_not_write_over_what_was_measured_meanwhile(acme, derived):
    build_from_orders(acme)
    count(acme, "Order", 840, now=LATER)
    between = LATER + MINUTE / 2

    def elsewhere():
        version = total(acme).version
        line = Measurement(ref=TOTAL, version=version, value={"records": 1000})
        store.observe(acme, line, by="totals", measured_from=between, now=between)

    derived.while_building = lambda: meanwhile(elsewhere)
    assert run(acme, now=LATER + MINUTE) == Outcome.LOST

    fact = stored(acme, TOTAL)
    assert fact.value == {"records": 1000}
    assert fact.is_open
    assert Observation.objects.filter(fact=fact, outcome="requested", by="race").count() == 1
    assert is_due(acme, now=LATER + MINUTE)

    derived.while_building = lambda: None
    assert run(acme, now=LATER + 2 * MINUTE) == Outcome.BUILT
    assert total(acme).value == {"records": 843}


@pytest.mark.django_db(transaction=True)
def test_what_was_measured_meanwhile_at_a_ref_built_for_the_first_time_is_not_written_over(
    acme, derived
):
    count(acme, "Order", 830)

    def elsewhere():
        line = Measurement(ref=TOTAL, version=0, value={"records": 1000})
        store.observe(acme, line, by="totals", measured_from=NINE, now=NINE + MINUTE)

    derived.while_building = lambda: meanwhile(elsewhere)
    assert run(acme) == Outcome.LOST
    assert total(acme).value == {"records": 1000}

    derived.while_building = lambda: None
    assert run(acme, now=LATER) == Outcome.BUILT
    assert total(acme).value == {"records": 830}


@pytest.mark.django_db(transaction=True)
def test_an_input_that_changes_while_the_build_runs_leaves_it_due_again(acme, derived):
    build_from_orders(acme)
    count(acme, "Order", 840, now=LATER)
    during = LATER + MINUTE
    derived.while_building = lambda: meanwhile(lambda: count(acme, "Order", 850, now=during))

    assert run(acme, now=during) == Outcome.BUILT
    assert total(acme).value == {"records": 843}  # of exactly what the build received
    assert is_due(acme, now=during)

    derived.while_building = lambda: None
    assert run(acme, now=during + MINUTE) == Outcome.BUILT
    assert total(acme).value == {"records": 853}
    assert not is_due(acme, now=during + DAY)


@pytest.mark.django_db(transaction=True)
def test_a_request_made_while_the_build_runs_is_answered_by_the_next(acme, derived):
    build_from_orders(acme)
    count(acme, "Order", 840, now=LATER)
    began, asked = LATER + MINUTE, LATER + 2 * MINUTE
    derived.while_building = lambda: meanwhile(
        lambda: store.request(acme, TOTAL, by="alice", now=asked)
    )

    assert run(acme, now=began) == Outcome.BUILT
    assert stored(acme, TOTAL).is_open
    assert is_due(acme, now=asked)

    derived.while_building = lambda: None
    assert run(acme, now=asked + MINUTE) == Outcome.CONFIRMED
    assert not stored(acme, TOTAL).is_open
    assert not is_due(acme, now=asked + DAY)


def test_a_request_that_came_as_the_run_began_leaves_it_due(acme, derived):
    """It was counted before the run looked, and is not older than what the run measured."""
    build_from_orders(acme)
    store.request(acme, TOTAL, by="alice", now=LATER)

    assert run(acme, now=LATER) == Outcome.CONFIRMED
    assert stored(acme, TOTAL).is_open
    assert is_due(acme, now=LATER + MINUTE)
    assert run(acme, now=LATER + MINUTE) == Outcome.CONFIRMED
    assert not stored(acme, TOTAL).is_open
    assert not is_due(acme, now=LATER + DAY)


@pytest.mark.django_db(transaction=True)
def test_an_input_that_changes_between_two_first_reads_is_not_missed(acme, derived):
    """The first read finds what the target rests on; only a read after that is noted counts."""
    count(acme, "Order", 830)
    reads = iter([lambda: meanwhile(lambda: count(acme, "Order", 840)), lambda: None])

    def reading():
        next(reads)()

    derived.while_reading = reading

    assert run(acme, now=LATER) == Outcome.BUILT
    assert total(acme).value == {"records": 840}
