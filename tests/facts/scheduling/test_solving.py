"""Thresholds per source, solved over its own checks; and the sweep."""

import math
from datetime import timedelta

import pytest

from facts import pacing
from facts.ledgers import Ledger
from facts.models import Check
from facts.scheduling import solving
from facts.scheduling.due import TICK, pace
from facts.scheduling.reckoning import reckon
from facts.scheduling.solving import solve, sweep
from facts.worth import Terms, doubted
from tests.facts.observing import DAY, MINUTE, NINE
from tests.facts.scheduling.sources import a_source, checks, probed


def ledger(source):
    return Ledger.objects.get(source=source)


def made(source, count, **columns):
    """Checks made at nine, not due for long."""
    return checks(source, count, last_checked=NINE, due_at=NINE + 99 * DAY, **columns)


def spent_at(threshold, source):
    """Seconds an hour that the source's checks cost at a threshold, worked out from the rows."""
    rows = Check.objects.filter(source=source)
    terms = [Terms(row.weight, row.cost, *doubted(row.a, row.b)) for row in rows]
    return pacing.spent(terms, threshold, pace(ledger(source).longest_wait)) / 24


def test_the_threshold_spends_the_budget_and_what_was_saved_within_the_hour(acme):
    source = a_source(acme, seconds_per_hour=2, credit=1.0)
    made(source, 40, cost=0.5)
    assert solve(now=NINE) == 1
    assert spent_at(ledger(source).threshold, source) == pytest.approx(3, rel=0.02)


def test_what_is_overdue_raises_the_threshold(acme, globex):
    for account, due_at in ((acme, NINE + DAY), (globex, NINE - DAY)):
        source = a_source(account, seconds_per_hour=2, credit=0.0)
        checks(source, 40, cost=0.1, last_checked=NINE, due_at=due_at)
    solve(now=NINE)
    calm, behind = Ledger.objects.order_by("pk")
    assert 0 < calm.threshold < behind.threshold


def test_each_source_has_its_own_threshold(acme, globex):
    rich = a_source(acme, seconds_per_hour=5, credit=0.0)
    poor = a_source(globex, seconds_per_hour=0.5, credit=0.0)
    for source in (rich, poor):
        made(source, 40, cost=0.5)
    solve(now=NINE)
    assert ledger(poor).threshold > 10 * ledger(rich).threshold > 0


def test_a_budget_for_everything_has_no_threshold(acme):
    source = a_source(acme, seconds_per_hour=120)
    made(source, 3, cost=0.5)
    solve(now=NINE)
    assert ledger(source).threshold == 0
    reckon(probed().values_list("pk", flat=True), now=NINE)
    hour_later = set(probed().values_list("due_at", "due_because"))
    assert hour_later == {(NINE + timedelta(hours=1), "worth")}


def test_a_source_without_checks_is_solved_too(acme):
    source = a_source(acme)
    solve(now=NINE)
    assert (ledger(source).threshold, ledger(source).solved_at) == (0, NINE)


def test_the_longest_wait_is_ten_times_what_a_check_of_everything_takes(acme):
    source = a_source(acme, seconds_per_hour=2)
    made(source, 48, cost=0.5)
    solve(now=NINE)
    assert ledger(source).longest_wait == pytest.approx(10 * 24 / 48)  # 24 s at 48 s a day


def test_a_threshold_is_solved_every_ten_ticks(acme):
    source = a_source(acme)
    assert solve(now=NINE) == 1
    assert solve(now=NINE + 9 * MINUTE) == 0
    assert solve(now=NINE + 10 * MINUTE) == 1
    assert solve(now=NINE - DAY) == 1  # the clock jumped back
    assert ledger(source).solved_at == NINE - DAY


def test_a_threshold_that_moved_far_reckons_every_check_again(acme):
    source = a_source(acme, seconds_per_hour=2, credit=0.0)
    made(source, 40, cost=0.5)
    solve(now=NINE)
    first = ledger(source)
    assert first.applied == first.threshold > 0
    due = probed().first().due_at
    assert NINE < due < NINE + 99 * DAY

    probed().update(due_at=NINE + 99 * DAY, cost=0.52)  # a little dearer
    solve(now=NINE + 10 * MINUTE)
    second = ledger(source)
    assert (second.applied, second.threshold != first.threshold) == (first.applied, True)
    assert probed().first().due_at == NINE + 99 * DAY

    probed().update(cost=2)
    solve(now=NINE + 20 * MINUTE)
    assert ledger(source).applied == ledger(source).threshold
    assert probed().first().due_at != NINE + 99 * DAY


def test_many_checks_are_sampled_and_scaled_up(acme, monkeypatch):
    source = a_source(acme, seconds_per_hour=5, credit=0.0)
    made(source, 120, cost=0.5)
    monkeypatch.setattr(pacing, "SAMPLE", 30)
    (sampled,) = solving._samples(NINE)
    assert (sampled.count, len(sampled.checks)) == (120, 30)
    solve(now=NINE)
    assert spent_at(ledger(source).threshold, source) == pytest.approx(5, rel=0.02)


def test_all_sources_are_solved_in_a_fixed_number_of_statements(
    acme, django_assert_max_num_queries
):
    for number in range(8):
        made(a_source(acme, f"source {number}", credit=0.0), 0)
    with django_assert_max_num_queries(5):
        assert solve(now=NINE) == 8


def test_the_sweep_reckons_every_check_once_in_two_hundred_ticks(acme, monkeypatch):
    keys = [check.pk for check in made(a_source(acme), 450)]
    reckoned: list[int] = []
    monkeypatch.setattr(solving, "reckon", lambda some, now: reckoned.extend(some))
    for tick in range(200):
        assert sweep(now=NINE + tick * TICK) <= 3
    assert sorted(reckoned) == keys


def test_the_sweep_of_nothing_is_nothing(acme):
    assert sweep(now=NINE) == 0


def test_use_that_grew_old_is_swept_away(acme):
    (check,) = made(a_source(acme), 1, weight=9, use=8)
    assert sum(sweep(now=NINE + tick * TICK) for tick in range(200)) == 1
    check.refresh_from_db()
    assert (check.use, check.weight) == (0, 1)


def test_a_threshold_beyond_everything_still_leaves_the_latest_checks(acme):
    source = a_source(acme, seconds_per_hour=2, credit=-500.0)
    made(source, 40, cost=0.5)
    solve(now=NINE)
    assert ledger(source).threshold > 0
    assert not math.isnan(ledger(source).threshold)
    latest = probed().latest("due_at").due_at
    assert latest <= NINE + ledger(source).longest_wait * DAY
