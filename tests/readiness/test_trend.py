from datetime import date, timedelta

import pytest

from facts import derivations
from facts.models import Observation, Source, Table
from readiness import overall
from readiness.trend import levels_of
from tests.facts.observing import DAY, MINUTE, NINE, observe

FIRST = NINE.date()
THIRD = FIRST + timedelta(days=2)


def shop(account):
    source = Source.objects.create(account=account, encrypted_url="-", reflected_at=NINE)
    for label, count in [("Order", 830), ("Customer", 91), ("Carrier", 6)]:
        Table.objects.create(account=account, source=source, name=label.lower(), label=label)
        observe(account, f"data:label:{label}", {"count": count})
    return account


def settle(account, now):
    derivations.wake("catalogue", now=now, account=account)
    derivations.settle(account, clock=lambda: now)


def fail(account, label, now):
    observe(account, f"data:label:{label}", outcome="failed", failure="42501", now=now)
    settle(account, now)


@pytest.fixture
def ready(acme):
    """An account that was ready on the first day and lost its carriers on the third."""
    settle(shop(acme), NINE)
    fail(acme, "Carrier", NINE + 2 * DAY)
    return acme


def rolled_up(account):
    rollup = account.facts.at(overall.REF)
    lines = Observation.objects.filter(fact__in=rollup, outcome="confirmed")
    return [line.figures for line in lines.order_by("last_at", "pk")]


def test_a_rollup_leaves_its_level_its_number_and_the_weight_of_its_vetoes(ready):
    # by ln 831, ln 92 and ln 7 the carriers weigh 1946 of 13191
    assert rolled_up(ready) == [
        {"level": "ready", "shown": 100},
        {"level": "almost-ready", "shown": 85, "vetoing": 0.1475},
    ]


def test_a_rollup_confirmed_unbuilt_leaves_them_too(ready):
    derivations.wake("readiness", now=NINE + 3 * DAY, account=ready)
    derivations.settle(ready, clock=lambda: NINE + 3 * DAY)

    assert rolled_up(ready)[-1] == {"level": "almost-ready", "shown": 85, "vetoing": 0.1475}


def test_the_levels_are_those_that_days_ended_with(ready):
    fail(ready, "Order", NINE + 2 * DAY + MINUTE)

    assert levels_of([ready], FIRST) == {
        ready: [(FIRST, "ready", 100), (THIRD, "not-ready", None)],
    }


def test_what_held_before_stands_at_the_day_one_asks_from(ready):
    assert levels_of([ready], FIRST + timedelta(days=1)) == {
        ready: [(FIRST + timedelta(days=1), "ready", 100), (THIRD, "almost-ready", 85)],
    }
    assert levels_of([ready], THIRD) == {ready: [(THIRD, "almost-ready", 85)]}
    month_later = THIRD + timedelta(days=30)
    assert levels_of([ready], month_later) == {ready: [(month_later, "almost-ready", 85)]}


def test_a_rollup_that_failed_leaves_the_level_before_it(ready):
    observe(
        *(ready, overall.REF),
        by=overall.OBSERVER,
        outcome="failed",
        failure="ValueError",
        now=NINE + 3 * DAY,
    )

    assert levels_of([ready], THIRD) == {ready: [(THIRD, "almost-ready", 85)]}


def test_many_accounts_are_one_query_and_each_has_its_own(ready, globex, django_assert_num_queries):
    settle(shop(globex), NINE + DAY)

    with django_assert_num_queries(1):
        found = levels_of([ready, globex], FIRST)

    assert found[globex] == [(FIRST + timedelta(days=1), "ready", 100)]
    assert [level.level for level in found[ready]] == ["ready", "almost-ready"]


def test_an_account_never_rolled_up_has_none(ready, globex):
    assert levels_of([globex], date(2026, 1, 1)) == {globex: []}
