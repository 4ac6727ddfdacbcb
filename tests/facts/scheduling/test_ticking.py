"""One tick: what it keeps true, and what it hands to the queue."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone
from django_q.models import OrmQ, Schedule, Task

from facts import heartbeat, scheduling, tasks
from facts.ledgers import Ledger, Spending
from facts.models import Check, Fact, Heartbeat, Observation, Source
from facts.scheduling import mend_clock, queue_work, ticking
from facts.scheduling.claiming import claim, lease_time
from facts.scheduling.ticking import TickFailed, tick
from tests.facts.observing import DAY, MINUTE, NINE, ORDERS, observe, stored
from tests.facts.scheduling.sources import a_check, a_source, checks, probed


def queued():
    return sorted(task.func() for task in OrmQ.objects.all())


def test_a_tick_returns_what_was_lost(acme):
    a_check(a_source(acme))
    claim(now=NINE)
    assert tick(now=NINE + lease_time()).done["returned"] == 1
    assert len(claim(now=NINE + lease_time())) == 1


def test_a_tick_turns_trust_that_lapsed_into_requests_and_makes_the_check_due(acme):
    check = a_check(a_source(acme), last_checked=NINE, due_at=NINE + 99 * DAY)
    lapses_at = observe(acme, now=NINE).trust_lapses_at
    Fact.objects.update(settled_by=check)

    ticked = tick(now=lapses_at)

    assert ticked.done["lapsed"] == 1
    assert Observation.objects.get(outcome="requested").by == "lapse"
    assert stored(acme, ORDERS).is_open
    row = probed().get()
    assert (row.due_at <= lapses_at, row.weight) == (True, 1)


def test_a_tick_gives_sources_their_ledgers_and_solves_their_thresholds(acme):
    Source.objects.bulk_create([Source(account=acme)])
    ticked = tick(now=NINE)
    assert (ticked.done["ledgers"], ticked.done["solved"]) == (1, 1)
    assert Ledger.objects.get().solved_at == NINE


def test_a_tick_makes_due_what_older_code_built(acme):
    targets = Check.objects.filter(kind="derivation")
    targets.update(due_at=None, built_by="0")
    assert tick(now=NINE).done["outdated"] == targets.count() > 0
    assert set(targets.values_list("due_at", flat=True)) == {NINE}


def test_a_tick_forgets_what_is_past_its_horizon(acme):
    source = a_source(acme)
    for days in (1, 89, 91):
        Spending.objects.create(account=acme, source=source, hour=NINE - days * DAY)
    for hours in (1, 25):
        ended = NINE - timedelta(hours=hours)
        Task.objects.create(id=hours, name=hours, func="f", started=ended, stopped=ended)
    assert tick(now=NINE).done["forgotten"] == 2
    assert Spending.objects.count() == 2
    assert Task.objects.get().name == "1"


def test_a_step_that_fails_stops_no_other_and_is_told_by_a_code(acme, monkeypatch, caplog):
    def broken(now):
        raise ValueError("Alice Miller")

    monkeypatch.setitem(ticking.STEPS, "lapsed", broken)
    a_source(acme)
    ticked = tick(now=NINE)
    assert ticked.failed == {"lapsed": "ValueError"}
    assert ticked.done["solved"] == 1
    with pytest.raises(TickFailed, match="lapsed: ValueError"):
        ticked.demand_success()
    assert "Alice" not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_two_ticks_at_once_are_one(acme):
    a_source(acme)
    ticked = []

    def other():
        ticked.append(tick(now=NINE))
        connection.close()

    with ticking.alone() as is_alone:
        assert is_alone
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(timeout=60)
    assert [each.was_under_way for each in ticked] == [True]
    assert Ledger.objects.get().solved_at is None
    assert not tick(now=NINE).was_under_way


def test_work_is_queued_by_what_is_due(acme):
    Check.objects.update(due_at=None)
    assert (queue_work(now=NINE), queued()) == (0, [])
    source = a_source(acme)
    a_check(source)
    assert (queue_work(now=NINE), queued()) == (1, ["facts.tasks.probe"])


def test_as_many_probes_are_queued_as_there_are_workers_and_one_rebuild(acme):
    Check.objects.update(due_at=NINE)
    checks(a_source(acme), 5)
    assert queue_work(now=NINE) == 3
    assert queued() == ["facts.tasks.probe", "facts.tasks.probe", "facts.tasks.rebuild"]


def test_a_queue_that_is_behind_is_given_no_more(acme):
    Check.objects.update(due_at=NINE)
    checks(a_source(acme), 5)
    assert [queue_work(now=timezone.now()) for _ in range(3)] == [3, 3, 0]


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_rolled_back_queues_nothing(acme):
    checks(a_source(acme), 5)
    with transaction.atomic():
        queue_work(now=NINE)
        transaction.set_rollback(True)
    assert queued() == []


def test_the_tasks_arguments_say_nothing(acme):
    checks(a_source(acme), 5)
    queue_work(now=NINE)
    assert [task.task["args"] for task in OrmQ.objects.all()] == [(), ()]
    assert [task.task["kwargs"] for task in OrmQ.objects.all()] == [{}, {}]


def test_the_schedule_s_task_beats_ticks_and_queues(acme):
    checks(a_source(acme), 5)
    tasks.tick()
    assert Heartbeat.objects.get().name == heartbeat.QUEUE
    assert Ledger.objects.get().solved_at is not None
    assert "facts.tasks.probe" in queued()


def test_a_task_that_fails_says_a_code_and_nothing_of_a_message(acme, monkeypatch):
    def broken(*_arguments, **_options):
        raise ValueError("Alice Miller")

    monkeypatch.setattr(scheduling, "probe_due", broken)
    with pytest.raises(tasks.TaskFailed, match="ValueError") as failed:
        tasks.probe()
    assert failed.value.__suppress_context__


def test_a_clock_that_jumped_back_does_not_stop_the_schedule_or_the_queue(acme):
    Schedule.objects.create(func="facts.tasks.tick", next_run=NINE + 60 * MINUTE)
    OrmQ.objects.create(key="ken", payload="", lock=NINE + 60 * MINUTE)
    mend_clock(now=NINE)
    assert Schedule.objects.get().next_run == NINE
    assert OrmQ.objects.get().lock == NINE


def test_a_clock_that_is_well_is_left_alone(acme):
    Schedule.objects.create(func="facts.tasks.tick", next_run=NINE + MINUTE)
    OrmQ.objects.create(key="ken", payload="", lock=NINE + 5 * MINUTE)
    mend_clock(now=NINE)
    assert Schedule.objects.get().next_run == NINE + MINUTE
    assert OrmQ.objects.get().lock == NINE + 5 * MINUTE
