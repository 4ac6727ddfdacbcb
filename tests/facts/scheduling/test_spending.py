"""What checks cost, hour by hour; sources that do not answer; and setting a budget."""

import pytest

from facts.errors import BadBudget
from facts.ledgers import Ledger, Spending
from facts.models import Source
from facts.scheduling.claiming import claim
from facts.scheduling.spending import mend_ledgers, note_answer, note_trouble, set_budget, spend
from tests.facts.observing import MINUTE, NINE
from tests.facts.scheduling.sources import a_check, a_source

HOUR = 60 * MINUTE


def credit():
    return Ledger.objects.get().credit


def test_what_a_check_really_took_replaces_what_was_expected(acme):
    source = a_source(acme, seconds_per_hour=60)
    a_check(source, cost=2.0)
    claim(now=NINE)
    assert credit() == 58
    spend(source, seconds=5, expected=2, failed=False, now=NINE)
    assert credit() == 55


def test_an_hour_s_checks_are_one_line_of_spending(acme):
    source = a_source(acme)
    spend(source, seconds=2, expected=0, failed=False, now=NINE + MINUTE)
    spend(source, seconds=0.5, expected=0, failed=True, now=NINE + 59 * MINUTE)
    spend(source, seconds=4, expected=0, failed=False, now=NINE + HOUR)
    lines = Spending.objects.order_by("hour").values_list("hour", "seconds", "checks", "failures")
    assert list(lines) == [(NINE, 2.5, 2, 1), (NINE + HOUR, 4, 1, 0)]


def test_a_source_that_does_not_answer_is_left_alone_twice_as_long_each_time(acme):
    source, now, waits = a_source(acme), NINE, []
    for _ in range(9):
        note_trouble(source, now=now)
        retry_at = Ledger.objects.get().retry_at
        waits.append((retry_at - now) / MINUTE)
        now = retry_at
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_checks_under_way_when_it_goes_down_are_one_failure(acme):
    source = a_source(acme)
    for _ in range(5):
        note_trouble(source, now=NINE)
    assert Ledger.objects.get().failures == 1


def test_a_source_that_answers_is_held_back_no_more(acme):
    source = a_source(acme, failures=4, retry_at=NINE)
    note_answer(source)
    ledger = Ledger.objects.get()
    assert (ledger.failures, ledger.retry_at) == (0, None)


def test_every_source_gets_its_ledger_when_it_is_made(acme):
    source = Source.objects.create(account=acme)
    assert Ledger.objects.get().source == source
    assert mend_ledgers(now=NINE) == 0


def test_a_source_that_came_without_its_ledger_is_given_one(acme):
    Source.objects.bulk_create([Source(account=acme)])
    assert [mend_ledgers(now=NINE) for _ in range(2)] == [1, 0]
    assert Ledger.objects.get().credit is None


def test_a_source_that_a_clock_left_waiting_is_tried_again(acme):
    a_source(acme, failures=1, retry_at=NINE + 25 * HOUR)
    a_source(acme, "other", failures=7, retry_at=NINE + HOUR)
    assert mend_ledgers(now=NINE) == 1
    ledgers = Ledger.objects.order_by("source__name").values_list("retry_at", flat=True)
    assert list(ledgers) == [NINE, NINE + HOUR]


def test_a_new_source_may_spend_an_hour_s_budget_at_once(acme):
    source = Source.objects.create(account=acme, seconds_per_hour=60)
    a_check(source, cost=1.0)
    claim(now=NINE)
    assert credit() == 59


def test_a_budget_is_set_and_its_threshold_solved_at_the_next_tick(acme):
    source = a_source(acme, solved_at=NINE)
    set_budget(source, seconds_per_hour=7.5, concurrency=3)
    source.refresh_from_db()
    assert (source.seconds_per_hour, source.concurrency) == (7.5, 3)
    assert Ledger.objects.get().solved_at is None


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_budget_of_nothing_or_less_is_refused_and_changes_nothing(acme, seconds):
    source = a_source(acme, solved_at=NINE)
    with pytest.raises(BadBudget, match="a budget is a number of seconds above 0, not "):
        set_budget(source, seconds_per_hour=seconds)
    source.refresh_from_db()
    assert source.seconds_per_hour == 120
    assert Ledger.objects.get().solved_at == NINE


def test_no_check_at_once_is_refused(acme):
    with pytest.raises(BadBudget, match="at least 1 check at once"):
        set_budget(a_source(acme), seconds_per_hour=5, concurrency=0)
