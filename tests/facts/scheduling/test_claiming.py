"""Leases: within budget and concurrency, by one process at a time, and never for good."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction

from facts.ledgers import Ledger
from facts.models import Check
from facts.scheduling.claiming import PICK, claim, give_back, lease_time, return_expired, still_ours
from tests.facts.observing import MINUTE, NINE
from tests.facts.scheduling.sources import a_check, a_source, checks, probed


def labels(claimed):
    return [check.table.label for check in claimed]


def credit(source):
    return Ledger.objects.get(source=source).credit


def test_what_is_due_longest_is_claimed_first(acme):
    source = a_source(acme, concurrency=9)
    a_check(source, "Order", due_at=NINE - MINUTE)
    a_check(source, "Customer", due_at=NINE - 2 * MINUTE)
    a_check(source, "Shipment", due_at=NINE + MINUTE)
    assert labels(claim(now=NINE, limit=9)) == ["Customer", "Order"]


def test_a_check_due_by_the_middle_of_the_coming_tick_is_due(acme):
    a_check(a_source(acme), due_at=NINE + timedelta(seconds=30))
    assert claim(now=NINE - timedelta(seconds=1)) == []
    assert labels(claim(now=NINE)) == ["Order"]


def test_a_claim_holds_the_check_and_counts(acme):
    check = a_check(a_source(acme))
    (claimed,) = claim(now=NINE)
    assert (claimed.pk, claimed.lease_until, claimed.claims) == (check.pk, NINE + lease_time(), 1)
    assert claim(now=NINE) == []
    assert still_ours(claimed) == claimed


def test_a_source_is_read_by_as_many_at_once_as_it_allows(acme):
    source = a_source(acme, concurrency=2)
    checks(source, 5)
    first = claim(now=NINE, limit=5)
    assert len(first) == 2
    assert claim(now=NINE, limit=5) == []
    give_back(first[:1])
    assert len(claim(now=NINE, limit=5)) == 1


def test_the_source_that_waited_longest_comes_first(acme, globex):
    a_check(a_source(acme), "Order", due_at=NINE - MINUTE)
    a_check(a_source(globex), "Customer", due_at=NINE - 2 * MINUTE)
    assert labels(claim(now=NINE)) == ["Customer"]
    assert labels(claim(now=NINE)) == ["Order"]


def test_what_a_claim_is_expected_to_cost_is_taken_from_the_budget(acme):
    source = a_source(acme, seconds_per_hour=10, concurrency=9)
    checks(source, 9, cost=4.0)
    assert len(claim(now=NINE, limit=9)) == 3  # 4, 8, and 12: the last may overspend
    assert credit(source) == pytest.approx(-2)
    assert claim(now=NINE, limit=9) == []


def test_budget_comes_back_with_time_and_what_was_overspent_is_paid_first(acme):
    source = a_source(acme, seconds_per_hour=60, concurrency=9, credit=-2.0)
    checks(source, 2, cost=1.0)
    assert claim(now=NINE + 2 * MINUTE) == []
    assert len(claim(now=NINE + 2 * MINUTE + timedelta(seconds=1), limit=9)) == 1


def test_at_most_an_hour_s_budget_is_saved(acme):
    source = a_source(acme, seconds_per_hour=60, credit=50.0)
    a_check(source, cost=1.0)
    claim(now=NINE + 500 * MINUTE)
    assert credit(source) == 59


def test_a_clock_that_jumped_back_earns_no_budget(acme):
    source = a_source(acme, seconds_per_hour=60, credit=5.0)
    a_check(source, cost=1.0, due_at=NINE - 600 * MINUTE)
    claim(now=NINE - 500 * MINUTE)
    assert credit(source) == 4


def test_one_source_s_budget_is_no_other_s(acme, globex):
    a_check(a_source(acme, credit=0.0), "Order", due_at=NINE - MINUTE)
    a_check(a_source(globex), "Customer")
    assert labels(claim(now=NINE, limit=9)) == ["Customer"]


def test_a_source_that_is_down_is_left_alone_and_blocks_nobody(acme, globex):
    down = a_source(acme, failures=3, retry_at=NINE + 4 * MINUTE, concurrency=9)
    checks(down, 5, due_at=NINE - MINUTE)
    a_check(a_source(globex), "Customer")
    assert labels(claim(now=NINE, limit=9)) == ["Customer"]
    assert len(claim(now=NINE + 4 * MINUTE, limit=9)) == 1  # one tries for all


def test_somebody_who_asked_in_person_is_held_by_concurrency_alone(acme, globex):
    source = a_source(acme, credit=-100.0, failures=1, retry_at=NINE + MINUTE, concurrency=4)
    checks(source, 3, due_at=NINE)
    a_check(a_source(globex), "Customer", due_at=NINE - MINUTE)
    assert len(claim(now=NINE, limit=9, account=acme, freely=True)) == 1
    assert claim(now=NINE, limit=9, account=acme, freely=True, without=[source.pk]) == []


def test_a_check_given_back_is_due_again_and_costs_nothing(acme):
    source = a_source(acme, seconds_per_hour=60)
    a_check(source, cost=2.0)
    give_back(claim(now=NINE))
    assert credit(source) == 60
    (again,) = claim(now=NINE)
    assert again.claims == 2


def test_a_lease_that_ran_out_returns_its_check(acme):
    a_check(a_source(acme))
    (lost,) = claim(now=NINE)
    assert return_expired(now=NINE + lease_time() - timedelta(seconds=1)) == 0
    assert return_expired(now=NINE + lease_time()) == 1
    (again,) = claim(now=NINE + lease_time())
    assert still_ours(again) == again
    assert still_ours(lost) is None


def test_a_check_that_loses_its_workers_waits_longer_each_time(acme):
    a_check(a_source(acme))
    now = NINE
    for failures, wait in ((1, 0), (2, 1), (3, 2)):
        assert len(claim(now=now)) == 1
        now += lease_time()
        return_expired(now=now)
        row = probed().get()
        assert (row.failures, row.due_at) == (failures, NINE if not wait else now + wait * MINUTE)
        now += wait * MINUTE


def test_a_lease_that_a_clock_left_too_long_is_cut_to_size(acme):
    a_check(a_source(acme), due_at=NINE - 600 * MINUTE)
    (claimed,) = claim(now=NINE)
    back = NINE - 500 * MINUTE
    assert return_expired(now=back) == 0
    assert probed().get().lease_until == back + lease_time()
    assert still_ours(claimed) == claimed  # who has it keeps it
    assert claim(now=back) == []


def test_targets_are_not_claimed_here(acme):
    a_source(acme)
    Check.objects.create(account=acme, kind="derivation", derivation="other", due_at=NINE)
    assert claim(now=NINE, freely=True) == []


def test_claiming_takes_a_fixed_number_of_statements(acme, django_assert_num_queries):
    checks(a_source(acme, concurrency=99), 60)
    with django_assert_num_queries(7):  # five, within a savepoint
        assert len(claim(now=NINE, limit=50)) == 50


def test_the_pick_walks_the_index_of_what_is_due(acme):
    source = a_source(acme, concurrency=5)
    checks(source, 300, due_at=NINE)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE facts_check")
        cursor.execute(
            f"EXPLAIN {PICK}",
            {"now": NINE, "until": NINE, "sources": [source.pk], "freely": False, "limit": 5},
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Index Scan using due_checks" in plan
    assert "Seq Scan on facts_check" not in plan


@pytest.mark.django_db(transaction=True)
def test_processes_that_claim_at_once_get_different_checks(acme):
    source = a_source(acme, concurrency=100, seconds_per_hour=1000)
    checks(source, 40)
    got: list[int] = []

    def work():
        try:
            while claimed := claim(now=NINE, limit=3):
                got.extend(check.pk for check in claimed)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(got) == sorted(probed().values_list("pk", flat=True))
    assert set(probed().values_list("claims", flat=True)) == {1}


@pytest.mark.django_db(transaction=True)
def test_concurrency_holds_however_many_claim_at_once(acme):
    source = a_source(acme, concurrency=3)
    checks(source, 20)
    start = threading.Barrier(4)
    got: list[int] = []

    def work():
        try:
            start.wait(timeout=60)
            got.extend(check.pk for check in claim(now=NINE, limit=2))
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(got) == 3


@pytest.mark.django_db(transaction=True)
def test_a_check_somebody_is_writing_is_skipped_not_waited_for(acme):
    source = a_source(acme, concurrency=9)
    checks(source, 3)
    got: list[int] = []

    def other():
        try:
            got.extend(check.pk for check in claim(now=NINE, limit=9))
        finally:
            connection.close()

    with transaction.atomic():
        held = probed().select_for_update().order_by("pk").first()
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert len(got) == 2
    assert held.pk not in got
