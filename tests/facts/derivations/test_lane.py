from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier, Event

import pytest
from django.db import connection

from facts import derivations
from facts.derivations import Outcome, look_up
from facts.derivations.lane import LEASE, claim, return_expired
from facts.models import Check, Fact
from facts.refs import Ref
from tests.facts.derivations.deriving import TOTAL, count, meanwhile, run, target_in
from tests.facts.observing import DAY, MINUTE, NINE, observe, stored

LATER = NINE + 10 * MINUTE


def many(derived, account, how_many, built=None):
    """So many targets of one account, each built at a ref of its own; builds are noted in order."""
    names = [f"t{n:04}" for n in range(how_many)]
    built = [] if built is None else built

    def build(inputs):
        built.append(inputs["name"])
        return {(None, Ref.of("account", "total", inputs["name"])): {"n": 1}}

    def register(version):
        derived.register(
            version=version,
            targets=lambda account: names,
            inputs=lambda target, reading: {"name": target.name},
            build=build,
        )

    register("1")
    derivations.sync_targets(account, now=NINE)
    Check.objects.filter(target="").delete()
    return names, built, register


def in_threads(how_many, act):
    """Do ``act`` so many times at once, each on a connection of its own."""
    together = Barrier(how_many)

    def work(n):
        try:
            together.wait()
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(how_many) as workers:
        return list(workers.map(work, range(how_many)))


def test_the_most_wanted_come_first_and_then_the_first_wish(acme, derived):
    names, built, _ = many(derived, acme, 4)
    asked = [(3, 0), (1, 2), (1, 1), (2, 9)]
    for name, (weight, minutes) in zip(names, asked, strict=True):
        Check.objects.filter(target=name).update(weight=weight, due_at=NINE + minutes * MINUTE)

    derivations.run_due(clock=lambda: LATER)

    assert built == ["t0000", "t0003", "t0002", "t0001"]


def test_what_is_due_later_is_not_run(acme, derived):
    names, built, _ = many(derived, acme, 2)
    Check.objects.filter(target=names[0]).update(due_at=LATER)
    derivations.run_due(clock=lambda: LATER - timedelta(microseconds=1))
    assert built == names[1:]


def test_one_account_s_targets_can_be_worked_off_alone(acme, globex, derived):
    many(derived, acme, 2)
    derivations.sync_targets(globex, now=NINE)
    assert derivations.run_due(account=globex, clock=lambda: LATER) == {Outcome.BUILT: 2}
    assert Check.objects.filter(account=acme, due_at=NINE).count() == 2


def test_a_claimed_target_is_nobody_else_s(acme, derived):
    many(derived, acme, 5)
    first = claim(now=NINE, limit=3)
    second = claim(now=NINE, limit=3)
    assert len(first) == 3
    assert len(second) == 2
    assert not {check.pk for check in first} & {check.pk for check in second}
    assert claim(now=NINE) == []


def test_the_work_of_a_worker_that_is_gone_comes_back_when_its_lease_ends(acme, derived):
    _, built, _ = many(derived, acme, 3)
    claim(now=NINE, limit=2)

    derivations.run_due(clock=lambda: NINE + LEASE)
    assert len(built) == 1
    derivations.run_due(clock=lambda: NINE + LEASE + MINUTE)
    assert sorted(built) == ["t0000", "t0001", "t0002"]


def test_a_lease_given_by_a_clock_that_jumped_back_since_ends_at_once(acme, derived):
    many(derived, acme, 3)
    claim(now=NINE + DAY)
    Check.objects.update(due_at=NINE)
    assert return_expired(now=NINE) == 3


def test_a_worker_whose_lease_was_lost_leaves_the_other_s_alone(acme, derived):
    count(acme, "Order", 830)
    target_in(acme)
    (check,) = claim(now=NINE)

    def lose_it():
        return_expired(now=NINE + LEASE + MINUTE)
        assert len(claim(now=NINE + LEASE + MINUTE)) == 1

    derived.while_building = lose_it
    derivations.run(check, now=NINE)
    assert target_in(acme).lease_until == NINE + LEASE + MINUTE + LEASE


def test_what_was_claimed_and_not_come_to_goes_back(acme, derived):
    _, built, _ = many(derived, acme, 5)
    assert derivations.run_due(seconds=0, clock=lambda: NINE) == {}
    assert Check.objects.filter(lease_until=None, due_at=NINE).count() == 5
    assert built == []


def test_a_fault_of_the_database_gives_back_what_was_not_begun(acme, derived, monkeypatch):
    names, _, _ = many(derived, acme, 5)
    Check.objects.filter(target__in=names[:3]).update(derivation="other", weight=0.5)
    monkeypatch.setattr("facts.derivations.lane.run_uncounted", _lost_connection)
    with pytest.raises(ConnectionError):
        derivations.run_due(clock=lambda: NINE)
    given_back = Check.objects.filter(lease_until=None)  # the others when their lease ends
    assert sorted(check.target for check in given_back) == names[:3]


def _lost_connection(checks, *, now, ends):
    raise ConnectionError


def test_new_code_makes_everything_due_in_batches_and_each_is_built_once(acme, derived):
    names, built, register = many(derived, acme, 250)
    derivations.run_due(clock=lambda: NINE)
    built.clear()
    register("2")

    assert derivations.sweep(now=LATER, limit=100) == 100
    assert derivations.sweep(now=LATER) == 150
    assert derivations.sweep(now=LATER) == 0
    assert derivations.run_due(clock=lambda: LATER + MINUTE, batch=40) == {Outcome.BUILT: 250}

    assert sorted(built) == names
    assert derivations.run_due(clock=lambda: LATER + DAY) == {}
    assert set(Fact.objects.values_list("built_by", flat=True)) == {"2"}


@pytest.mark.django_db(transaction=True)
def test_four_workers_build_what_is_due_at_once_none_lost_and_none_twice(acme, derived):
    names, built, register = many(derived, acme, 200)
    derivations.run_due(clock=lambda: NINE)
    built.clear()
    register("2")
    derivations.sweep(now=LATER)

    worked = in_threads(4, lambda: derivations.run_due(clock=lambda: LATER + MINUTE, batch=10))

    assert sum(worked, Counter()) == {Outcome.BUILT: 200}
    assert sorted(built) == names
    assert not Check.objects.filter(due_at__isnull=False, derivation="total").exists()
    assert not Check.objects.filter(lease_until__isnull=False).exists()
    assert set(Fact.objects.filter(kind="total").values_list("version", "built_by")) == {(2, "2")}


@pytest.mark.django_db(transaction=True)
def test_readers_are_answered_while_everything_is_rebuilt(acme, derived):
    _names, _, register = many(derived, acme, 60)
    derivations.run_due(clock=lambda: NINE)
    register("2")
    derivations.sweep(now=LATER)
    done, refs = Event(), [Ref.of("account", "total", f"t{n:04}") for n in range(60)]

    def work():
        try:
            return derivations.run_due(clock=lambda: LATER, batch=5)
        finally:
            done.set()
            connection.close()

    read = 0
    with ThreadPoolExecutor(1) as workers:
        working = workers.submit(work)
        while not done.is_set() or not read:
            for ref in refs:
                assert look_up(acme, ref, by="header", now=LATER).value == {"n": 1}
                read += 1
    assert working.result() == {Outcome.BUILT: 60}


@pytest.mark.django_db(transaction=True)
def test_a_target_run_by_two_at_once_is_written_once(acme, derived):
    count(acme, "Order", 830)
    run(acme)
    count(acme, "Order", 840, now=LATER)
    check = target_in(acme)
    other = []

    def at_once():
        derived.while_building = lambda: None
        meanwhile(lambda: other.append(derivations.run(check, now=LATER)))

    derived.while_building = at_once
    first = derivations.run(check, now=LATER)

    assert (other, first) == ([Outcome.BUILT], Outcome.LOST)
    assert Fact.objects.get(kind="total").value == {"records": 840}
    assert derivations.run_due(clock=lambda: LATER) == {Outcome.CONFIRMED: 1}


@pytest.mark.django_db(transaction=True)
def test_what_observers_wrote_last_is_what_builders_built_last(acme, derived):
    """Four observers of thirty changes each beside two builders, on six connections."""
    count(acme, "Order", 0)
    run(acme)
    observed = Event()

    def observe(label):
        for n in range(30):
            count(acme, label, n, now=LATER + n * MINUTE)

    def build(_):
        while not observed.is_set():
            derivations.run_due(clock=lambda: LATER + DAY)

    def alone(act, argument):
        try:
            act(argument)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as workers:
        builders = [workers.submit(alone, build, None) for _ in range(2)]
        for each in [workers.submit(alone, observe, label) for label in "ABCD"]:
            each.result()
        observed.set()
        for each in builders:
            each.result()
    derivations.run_due(clock=lambda: LATER + 2 * DAY)

    assert Fact.objects.get(kind="total").value == {"records": 4 * 29}
    assert target_in(acme).due_at is None


def test_a_target_that_rests_on_another_of_its_batch_is_built_anew_when_that_is_another(
    acme, derived
):
    """Both are read before either is written, so the second is made due by what the first wrote."""
    below, above = (Ref.of("account", "total", name) for name in ("below", "above"))

    def inputs(target, reading):
        (ref,) = [TOTAL] if target.name == "below" else [below]
        fact = reading.at(ref).get(ref)
        return {"name": target.name, "below": fact and fact.value}

    def build(inputs):
        return {(None, Ref.of("account", "total", inputs["name"])): {"on": inputs["below"]}}

    derived.register(targets=lambda account: ["below", "above"], inputs=inputs, build=build)
    observe(acme, TOTAL, {"records": 1}, by="totals")
    derivations.sync_targets(acme, now=NINE, derivation="total")

    assert derivations.run_due(account=acme, clock=lambda: LATER) == {Outcome.BUILT: 3}
    assert stored(acme, above).value == {"on": {"on": {"records": 1}}}
