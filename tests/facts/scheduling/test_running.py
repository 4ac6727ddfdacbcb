"""Making checks of a real database, and what they say about the next ones."""

import logging

import psycopg
import pytest
from django.db import OperationalError

from facts import probing
from facts.ledgers import Ledger, Spending
from facts.models import Check, Fact, Source
from facts.scheduling import running
from facts.scheduling.claiming import claim, return_expired
from facts.scheduling.running import LEAST_COST, make, note_made
from facts.worth import learned
from tests.facts.observing import DAY, MINUTE, NINE
from tests.facts.scheduling.sources import a_shop, probed, sell

HOUR = 60 * MINUTE


@pytest.fixture
def shop(db, tmp_path):
    """The path of a shop that was learned at nine; its two tables are not due."""
    path = tmp_path / "shop.db"
    probing.connect("acme", a_shop(path, 2), clock=lambda: NINE, done=note_made)
    return path


def due_now(label, *, now):
    """The claimed check of a table."""
    probed().update(due_at=now + 99 * DAY)
    probed().filter(table__label=label).update(due_at=now)
    (check,) = claim(now=now)
    return check


def row(label="Shop0"):
    return probed().get(table__label=label)


def ledger():
    return Ledger.objects.get()


def test_learning_a_source_notes_every_check_and_what_it_cost(shop):
    assert set(probed().values_list("last_checked", flat=True)) == {NINE}
    spending = Spending.objects.get()
    assert (spending.hour, spending.checks, spending.failures) == (NINE, 3, 0)
    assert all(check.cost >= LEAST_COST for check in probed())
    assert min(probed().values_list("due_at", flat=True)) >= NINE + HOUR


def test_a_check_settles_all_facts_of_its_table(shop):
    later = NINE + DAY
    make(due_now("Shop0", now=later), now=later)
    facts = Fact.objects.filter(settled_by=row())
    assert {fact.kind for fact in facts} == {"label", "fill", "vocabulary"}
    assert {fact.measured_from for fact in facts} == {later}
    assert {fact.measured_from for fact in Fact.objects.filter(settled_by=row("Shop1"))} == {NINE}


def test_a_check_that_found_nothing_new_lowers_the_rate(shop):
    later = NINE + DAY
    outcome = make(due_now("Shop0", now=later), now=later)
    assert outcome is not None
    assert not outcome.changed
    assert (row().a, row().b) == (1, 8)


def test_a_check_that_found_a_change_raises_the_rate(shop):
    sell(shop, "shop0")
    later = NINE + DAY
    outcome = make(due_now("Shop0", now=later), now=later)
    assert outcome is not None
    assert outcome.changed
    assert (row().a, row().b) == pytest.approx(learned(1, 7, 1, changed=True))


def test_a_check_gives_its_lease_back_and_is_due_again_later(shop):
    later = NINE + DAY
    make(due_now("Shop0", now=later), now=later)
    assert row().lease_until is None
    assert row().last_checked == later
    assert row().due_at >= later + HOUR
    assert claim(now=later + 59 * MINUTE) == []


def test_the_cost_is_learned_from_what_checks_take(shop):
    probed().update(cost=10.0)
    later = NINE + DAY
    outcome = make(due_now("Shop0", now=later), now=later)
    assert outcome is not None
    taken = max(outcome.seconds, LEAST_COST)
    assert row().cost == pytest.approx(0.7 * 10 + 0.3 * taken)


def test_what_was_expected_and_not_spent_comes_back(shop):
    probed().update(cost=30.0)
    later = NINE + DAY
    outcome = make(due_now("Shop0", now=later), now=later)
    assert outcome is not None
    assert ledger().credit == pytest.approx(120 - outcome.seconds)


def test_a_source_that_is_gone_costs_one_try_and_its_checks_stay_as_they_were(shop):
    shop.rename(shop.with_suffix(".away"))
    later = NINE + DAY
    probed().update(due_at=later)
    (check,) = claim(now=later)
    before = row(check.table.label) if check.table else probed().get(table=None)

    outcome = make(check, now=later)

    assert outcome is not None
    assert outcome.trouble
    after = Check.objects.get(pk=before.pk)
    assert (after.failures, after.a, after.b) == (0, before.a, before.b)
    assert (after.last_checked, after.lease_until, after.due_at <= later) == (NINE, None, True)
    assert (ledger().failures, ledger().retry_at) == (1, later + MINUTE)
    assert claim(now=later) == []
    assert Spending.objects.get(hour=later).failures == 1

    shop.with_suffix(".away").rename(shop)
    (check,) = claim(now=later + MINUTE)
    make(check, now=later + MINUTE)
    assert (ledger().failures, ledger().retry_at) == (0, None)


def test_a_check_that_raises_waits_longer_each_time_and_the_log_quotes_nothing(
    shop, monkeypatch, caplog
):
    def broken(check, *, now):
        raise ValueError("Alice Miller, 12 Main Street")

    monkeypatch.setattr(running, "run_check", broken)
    caplog.set_level(logging.INFO)
    now = NINE + DAY
    for failures, wait in ((1, 1), (2, 2), (3, 4)):
        assert make(due_now("Shop0", now=now), now=now) is None
        assert (row().failures, row().due_at) == (failures, now + wait * MINUTE)
        assert (row().due_because, row().lease_until) == ("retry", None)
        now += DAY
    assert "Alice" not in caplog.text
    assert "ValueError" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_check_that_had_to_give_way_is_run_once_more(shop, monkeypatch):
    runs = []

    def gives_way(check, *, now):
        runs.append(check)
        if len(runs) == 1:
            raise OperationalError from psycopg.errors.DeadlockDetected()
        return probing.Outcome(seconds=0.2)

    monkeypatch.setattr(running, "run_check", gives_way)
    later = NINE + DAY
    make(due_now("Shop0", now=later), now=later)
    assert (len(runs), row().failures, row().last_checked) == (2, 0, later)


def test_a_check_that_fails_says_nothing_about_the_rate(shop, monkeypatch):
    failed = probing.Outcome(seconds=0.2, failure="42501")
    monkeypatch.setattr(running, "run_check", lambda check, now: failed)
    later = NINE + DAY
    make(due_now("Shop0", now=later), now=later)
    assert (row().a, row().b, row().last_checked) == (1, 7, NINE)


def test_a_check_whose_time_is_up_is_charged_and_waits(shop, monkeypatch):
    def too_long(check, *, now):
        raise SystemExit

    monkeypatch.setattr(running, "run_check", too_long)
    later = NINE + DAY
    with pytest.raises(SystemExit):
        make(due_now("Shop0", now=later), now=later)
    assert (row().failures, row().lease_until) == (1, None)
    assert row().due_at == later + MINUTE


def test_a_check_that_is_interrupted_is_given_back(shop, monkeypatch):
    def interrupted(check, *, now):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_check", interrupted)
    later = NINE + DAY
    with pytest.raises(KeyboardInterrupt):
        make(due_now("Shop0", now=later), now=later)
    assert (row().failures, row().lease_until, row().due_at) == (0, None, later)
    assert ledger().credit == 120


def test_a_source_others_are_reading_gets_its_check_back(shop, monkeypatch):
    monkeypatch.setattr(running, "run_check", lambda check, now: probing.Outcome(is_busy=True))
    later = NINE + DAY
    outcome = make(due_now("Shop0", now=later), now=later)
    assert outcome is not None
    assert (row().lease_until, row().due_at, ledger().credit) == (None, later, 120)


def test_a_worker_that_lost_its_lease_only_pays(shop):
    later = NINE + DAY
    lost = due_now("Shop0", now=later)
    return_expired(now=later + DAY)
    (current,) = claim(now=later + DAY)
    assert current.pk == lost.pk

    make(lost, now=later + DAY)

    assert row().lease_until == current.lease_until
    assert row().last_checked == NINE
    assert Spending.objects.get(hour=later + DAY).checks == 1


def test_a_clock_that_jumped_back_teaches_nothing_and_holds_nothing_up(shop):
    back = NINE - 30 * DAY
    check = due_now("Shop0", now=back)
    running.note_made(check, probing.Outcome(seconds=0.2), back)
    assert (row().a, row().b) == (1, 7)
    assert back + HOUR <= row().due_at <= back + 31 * DAY


def test_a_table_that_is_gone_takes_its_check_with_it(shop):
    check = due_now("Shop0", now=NINE + DAY)
    Source.objects.get().tables.filter(label="Shop0").delete()
    note_made(check, probing.Outcome(seconds=0.1), NINE + DAY)
    assert not probed().filter(table__label="Shop0").exists()
