"""Law 2. A measurement says which version it started from; a fact that moved refuses it."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from facts import store
from facts.errors import Conflict
from facts.models import Fact, Observation
from facts.refs import Ref
from facts.store import Measurement
from tests.facts.observing import MINUTE, NINE, ORDERS, observe, stored
from tests.facts.program import problem, program


def test_a_fact_that_moved_meanwhile_refuses_and_says_where_it_is_now(acme):
    observe(acme, value={"count": 1})
    observe(acme, value={"count": 2}, now=NINE + MINUTE)
    before = Fact.objects.values().get()

    with pytest.raises(Conflict, match="data:label:Order moved meanwhile: it is at version 2 now"):
        observe(acme, value={"count": 3}, version=1, now=NINE + 2 * MINUTE)

    assert Fact.objects.values().get() == before
    assert Observation.objects.count() == 2


def test_in_a_batch_the_lines_that_lost_are_told_and_the_others_written(acme):
    carriers = Ref.parse("data:label:Carrier")
    observe(acme, value={"count": 1})

    observed = store.observe_many(
        acme,
        [
            Measurement(ref=ORDERS, version=0, value={"count": 5}),
            Measurement(ref=carriers, version=0, value={"count": 6}),
            Measurement(ref=Ref.parse("data:label:Supplier"), version=4, value={"count": 7}),
        ],
        by="probe",
        measured_from=NINE,
        now=NINE + MINUTE,
    )

    assert [(conflict.ref, conflict.version) for conflict in observed.conflicts] == [
        ("data:label:Order", 1),
        ("data:label:Supplier", 0),
    ]
    assert [fact.ref for fact in observed.written] == [carriers]
    assert stored(acme, carriers).value == {"count": 6}
    assert stored(acme).value == {"count": 1}
    assert Fact.objects.count() == 2


def test_a_failed_measurement_moves_the_version_and_keeps_the_value(acme):
    observe(acme, value={"count": 1})
    observe(acme, outcome="failed", failure="42501", now=NINE + MINUTE)

    fact = stored(acme)
    assert (fact.value, fact.version, fact.failure) == ({"count": 1}, 2, "42501")
    assert fact.measured_at == NINE
    observe(acme, value={"count": 1}, now=NINE + 2 * MINUTE)
    assert (stored(acme).failure, stored(acme).version) == ("", 3)


def concurrently(*works):
    """Run each work in a thread with a connection of its own, all let go at once."""
    gate = threading.Barrier(len(works))

    def run(work):
        try:
            gate.wait(timeout=10)
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return [future.result(timeout=30) for future in [pool.submit(run, w) for w in works]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("exists", [True, False])
def test_of_racing_observers_from_one_version_exactly_one_writes(acme, exists):
    version = observe(acme, value={"count": 0}).version if exists else 0

    def race(count):
        def work():
            try:
                return observe(acme, value={"count": count}, version=version, now=NINE + MINUTE)
            except Conflict as conflict:
                return conflict

        return work

    outcomes = concurrently(*(race(count) for count in range(1, 9)))

    winners = [outcome for outcome in outcomes if isinstance(outcome, Fact)]
    losers = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
    assert (len(winners), len(losers)) == (1, 7)
    assert {loser.version for loser in losers} == {version + 1}
    assert stored(acme).value == winners[0].value
    assert Observation.objects.count() == version + 1


@pytest.mark.django_db(transaction=True)
def test_observers_who_start_again_lose_nothing(acme):
    """Two writers, 20 observes each from version 7: the version counts the successes."""
    for _ in range(7):
        observe(acme, value={"count": 7})

    def writer(number):
        def work():
            lost = 0
            for count in range(20):
                try:
                    observe(acme, value={"by": number, "count": count}, now=NINE + MINUTE)
                except Conflict:
                    lost += 1
            return lost

        return work

    lost = sum(concurrently(writer(1), writer(2)))

    assert stored(acme).version == 7 + 40 - lost
    assert Observation.objects.count() == 7 + 40 - lost


@pytest.mark.django_db(transaction=True)
def test_batches_that_name_the_same_facts_in_other_orders_do_not_deadlock(acme):
    refs = [Ref.of("data", "label", f"Type{number}") for number in range(200)]

    def batch(ordered):
        def work():
            lines = [Measurement(ref=ref, version=None, value={"count": 1}) for ref in ordered]
            for _ in range(5):
                store.observe_many(acme, lines, by="probe", measured_from=NINE, now=NINE)
            return store.request_many(acme, ordered, by="generation", now=NINE)

        return work

    concurrently(batch(refs), batch(refs[::-1]), batch(refs[100:] + refs[:100]))

    assert Fact.objects.filter(account=acme).count() == 200


@pytest.mark.django_db(transaction=True)
def test_a_writer_waits_for_the_row_and_then_sees_that_it_moved(acme):
    observe(acme, value={"count": 1})
    locked, told = threading.Event(), []

    def holder():
        with transaction.atomic():
            observe(acme, value={"count": 2}, version=1, now=NINE + MINUTE)
            locked.set()
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            for _ in range(10_000):  # until the other one waits for our row
                with connection.cursor() as cursor:
                    cursor.execute(waiting)
                    if cursor.fetchone()[0]:
                        return

    def other():
        assert locked.wait(timeout=10)
        with pytest.raises(Conflict) as refusal:
            observe(acme, value={"count": 3}, version=1, now=NINE + MINUTE)
        told.append(refusal.value.version)

    concurrently(holder, other)

    assert told == [2]
    assert stored(acme).value == {"count": 2}


def test_observing_thousands_takes_a_few_statements(acme, django_assert_max_num_queries):
    lines = [
        Measurement(ref=Ref.of("data", "label", f"T{n}"), version=0, value={"count": n})
        for n in range(2_000)
    ]
    with django_assert_max_num_queries(6):  # its savepoint, two of facts, two for dependents
        store.observe_many(acme, lines, by="probe", measured_from=NINE, now=NINE)

    assert Fact.objects.count() == 2_000


def test_over_http_a_stale_version_is_refused_with_412_and_the_current_one(acme):
    observe(acme, value={"count": 1})
    observe(acme, value={"count": 2}, now=NINE + MINUTE)
    before = Fact.objects.values().get()

    answer = program(acme, observer="probe").observe(str(ORDERS), 1, value={"count": 3})

    details = problem(answer)
    assert (details["status"], details["type"]) == (412, "/problems/conflict")
    assert (details["version"], answer["ETag"]) == (2, '"2"')
    assert Fact.objects.values().get() == before
    assert Observation.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_over_http_two_processes_lose_nothing_and_every_loser_is_told(acme, live_server):
    """20 observations each from version 7: the version is 7 and the successes."""
    for _ in range(7):
        observe(acme, value={"count": 7})
    token = program(acme, observer="probe").text
    start = [sys.executable, "-m", "tests.facts.observer", live_server.url, token, str(ORDERS)]

    processes = [
        subprocess.Popen([*start, "7", "20"], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    told = [process.communicate(timeout=60)[0].split() for process in processes]

    won = sum(process_told.count("won") for process_told in told)
    lost = sum(process_told.count("lost") for process_told in told)
    assert (won + lost, [process.returncode for process in processes]) == (40, [0, 0])
    assert stored(acme).version == 7 + won
    assert Observation.objects.count() == 7 + won
    assert won >= 20  # whoever loses was beaten by a success
