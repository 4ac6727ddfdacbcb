"""Many targets settled at once: in a fixed number of statements, and each as if it were alone."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from facts import derivations, store
from facts.derivations import Outcome, ahead, lane
from facts.models import Account, Check, Fact, Person
from facts.refs import Ref
from tests.facts.derivations.deriving import count, meanwhile
from tests.facts.observing import DAY, MINUTE, NINE, observe, stored

LATER = NINE + 10 * MINUTE


def at(name):
    return Ref.of("account", "total", name)


def many(derived, names, *, build=None, **changes):
    """Targets by name, each the sum of its account's labels at a ref of its own."""

    def inputs(target, reading):
        facts = reading.under("data:label:")
        return {"name": target.name, "counts": [fact.value["count"] for fact in facts]}

    def built(inputs):
        return {(None, at(inputs["name"])): {"records": sum(inputs["counts"])}}

    declared = {"targets": lambda account: names, "inputs": inputs, "build": build or built}
    derived.register(**(declared | changes))


def rebuild(now, **options):
    return derivations.run_due(clock=lambda: now, **options)


def statements(act):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        act()
    return len(captured)


def test_ten_targets_take_as_many_statements_as_forty(acme, globex, derived):
    count(acme, "Order", 830)
    many(derived, [f"t{n}" for n in range(40)])
    derivations.sync_targets(acme, now=NINE, derivation="total")
    Check.objects.filter(target="").delete()

    def take(now, how_many):
        Check.objects.update(due_at=None)
        some = Check.objects.filter(pk__in=Check.objects.order_by("pk")[:how_many])
        some.update(due_at=now)
        return statements(lambda: rebuild(now))

    take(NINE, 40)
    confirmed = {how_many: take(LATER + how_many * MINUTE, how_many) for how_many in (10, 40)}
    assert confirmed[10] == confirmed[40]
    many(derived, [f"t{n}" for n in range(40)], version="2")
    built = {how_many: take(LATER + DAY + how_many * MINUTE, how_many) for how_many in (10, 40)}
    assert built[10] == built[40]
    assert set(Fact.objects.filter(kind="total").values_list("built_by", flat=True)) == {"2"}


def test_targets_of_many_accounts_are_each_their_own_account_s(db, derived):
    accounts = [Account.objects.create(external_id=f"account {n}") for n in range(7)]
    many(derived, ["sum"])
    Check.objects.all().delete()
    for n, account in enumerate(accounts):
        count(account, "Order", n)
        derivations.sync_targets(account, now=NINE, derivation="total")
    Check.objects.update(due_at=NINE)

    assert rebuild(NINE) == {Outcome.BUILT: 7}
    many(derived, ["sum"], version="2")
    derivations.sweep(now=LATER)
    assert rebuild(LATER) == {Outcome.BUILT: 7}

    for n, account in enumerate(accounts):
        fact = stored(account, at("sum"))
        assert (fact.value, fact.built_by, fact.version) == ({"records": n}, "2", 2)
        assert fact.settled_by.account == account


def test_what_is_read_ahead_is_what_a_target_alone_reads(acme, globex, derived, alice):
    """In the same order too, which the database has: lists are hashed as they come."""
    carol = Person.objects.create(account=acme, external_id="carol")
    for label in ("Order", "order", "Ärger", "Zoll", "a b", "_x"):
        count(acme, label, len(label))
        count(globex, label, 1000)
    for n, person in enumerate((alice, carol, None)):
        namespace = "account" if person is None else "user"
        ref = Ref.of(namespace, "total", "seen", "x")
        observe(acme, ref, {"n": n}, by="totals", person=person)
    seen = []

    def inputs(target, reading):
        whose = Person.objects.get(account=acme, external_id="alice")
        orders, gone = Ref.of("data", "label", "Order"), Ref.of("data", "label", "Nothing")
        read = [
            reading.under("data:label:"),
            reading.under("data:fill:"),
            reading.under("user:total:seen|"),
            reading.under("user:total:seen|", person=whose),
            list(reading.at(orders, gone).values()),
            list(reading.at(Ref.of("user", "total", "seen", "x"), person=whose).values()),
            list(reading.at(Ref.of("account", "total", "seen", "x")).values()),
        ]
        found = [[[str(f.ref), f.person_id, f.value] for f in facts] for facts in read]
        seen.append((bool(reading.ahead), found))
        return {"name": target.name, "found": found}

    many(derived, ["one"], inputs=inputs, build=lambda inputs: {})
    derivations.sync_targets(acme, now=NINE, derivation="total")
    rebuild(NINE)
    (alone, first), *_, (is_ahead, last) = seen
    assert (alone, is_ahead) == (False, True)
    assert first == last
    assert [len(found) for found in first] == [6, 0, 2, 1, 1, 1, 1]


def test_targets_that_rest_on_more_than_can_be_held_read_for_themselves(acme, derived, monkeypatch):
    for n in range(5):
        count(acme, f"T{n}", n)
    many(derived, ["one", "two"])
    derivations.sync_targets(acme, now=NINE, derivation="total")
    monkeypatch.setattr(ahead, "MOST", 4)
    assert rebuild(NINE) == {Outcome.BUILT: 2}
    many(derived, ["one", "two"], version="2")
    derivations.sweep(now=LATER)
    assert rebuild(LATER) == {Outcome.BUILT: 2}
    assert stored(acme, at("two")).value == {"records": 10}


@pytest.mark.django_db(transaction=True)
def test_an_input_that_changes_after_it_was_read_ahead_leaves_its_targets_due(acme, derived):
    count(acme, "Order", 830)
    many(derived, ["one", "two"])
    derivations.sync_targets(acme, now=NINE, derivation="total")
    rebuild(NINE)
    changes = [lambda: meanwhile(lambda: count(acme, "Order", 840, now=LATER))]

    def build(inputs):
        while changes:
            changes.pop()()
        return {(None, at(inputs["name"])): {"records": sum(inputs["counts"])}}

    many(derived, ["one", "two"], build=build, version="2")
    derivations.sweep(now=LATER)
    assert rebuild(LATER) == {Outcome.BUILT: 4}
    assert stored(acme, at("one")).value == stored(acme, at("two")).value == {"records": 840}


@pytest.mark.parametrize(
    ("name", "failure", "result"),
    [
        ("raises", "ValueError", None),
        ("nothing", "TypeError", lambda inputs: None),
        ("not its own", "not-the-owner", lambda inputs: {(None, Ref.of("data", "label", "X")): 1}),
        ("no data", "not-plain-data", lambda inputs: {(None, at("b")): {"n": float("nan")}}),
        ("nobody", "unknown-person", lambda inputs: {("zoe", Ref.of("user", "total", "x")): 1}),
        ("no ref", "AttributeError", lambda inputs: {(None, "account:total:b"): 1}),
    ],
)
def test_one_target_s_fault_is_its_own(acme, derived, name, failure, result):
    many(derived, ["a", "b", "c"])
    count(acme, "Order", 830)
    derivations.sync_targets(acme, now=NINE, derivation="total")
    rebuild(NINE)

    def build(inputs):
        if inputs["name"] != "b":
            return {(None, at(inputs["name"])): {"records": 1}}
        if result is None:
            raise ValueError
        return result(inputs)

    many(derived, ["a", "b", "c"], build=build, version="2")
    derivations.sweep(now=LATER)
    assert rebuild(LATER) == {Outcome.BUILT: 2, Outcome.FAILED: 1}

    assert [stored(acme, at(each)).value["records"] for each in "abc"] == [1, 830, 1]
    assert stored(acme, at("b")).failure == failure
    assert [stored(acme, at(each)).failure for each in "ac"] == ["", ""]


def test_two_targets_that_build_one_ref_are_told_apart(acme, derived):
    many(derived, ["a", "b"], build=lambda inputs: {(None, at("same")): {"by": inputs["name"]}})
    derivations.sync_targets(acme, now=NINE, derivation="total")
    done = rebuild(NINE)
    assert done[Outcome.LOST] > 0
    fact = stored(acme, at("same"))
    assert fact.version == fact.history.filter(outcome="confirmed").count()


def test_a_tick_stops_at_its_seconds_with_what_it_built_written(acme, derived, monkeypatch):
    """A clock of which each build takes a second; three are begun within two and a half."""
    spent = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: spent[0])

    def build(inputs):
        spent[0] += 1
        return {(None, at(inputs["name"])): {"n": 1}}

    names = [f"t{n}" for n in range(9)]
    many(derived, names, build=build)
    derivations.sync_targets(acme, now=NINE, derivation="total")
    Check.objects.filter(target="").delete()

    assert rebuild(NINE, seconds=2.5) == {Outcome.BUILT: 3}
    assert Fact.objects.filter(kind="total").count() == 3
    assert Check.objects.filter(due_at=NINE, lease_until=None).count() == 6


def test_slow_builds_are_written_one_slice_after_the_other(acme, derived, monkeypatch):
    spent, written = [0.0], []
    monkeypatch.setattr("time.monotonic", lambda: spent[0])

    def build(inputs):
        written.append(Fact.objects.filter(kind="total").count())
        spent[0] += 0.6 * lane.SLICE
        return {(None, at(inputs["name"])): {"n": 1}}

    many(derived, [f"t{n}" for n in range(5)], build=build)
    derivations.sync_targets(acme, now=NINE, derivation="total")
    Check.objects.filter(target="").delete()
    assert rebuild(NINE) == {Outcome.BUILT: 5}
    assert written == [0, 0, 2, 2, 4]


def test_a_lease_that_was_lost_before_the_run_began_is_left_to_its_holder(acme, derived):
    many(derived, ["one"])
    derivations.sync_targets(acme, now=NINE, derivation="total")
    Check.objects.filter(target="").delete()
    (check,) = lane.claim(now=NINE)
    lane.return_expired(now=NINE + lane.LEASE + MINUTE)
    assert len(lane.claim(now=NINE + lane.LEASE + MINUTE)) == 1

    assert derivations.run(check, now=NINE + lane.LEASE + MINUTE) == Outcome.GONE
    assert not Fact.objects.filter(kind="total").exists()
    assert Check.objects.get(derivation="total").lease_until == NINE + 2 * lane.LEASE + MINUTE


@pytest.mark.django_db(transaction=True)
def test_a_target_that_is_retired_while_its_batch_is_built_is_gone(acme, derived):
    names = ["a", "b", "c"]
    retire = [lambda: meanwhile(lambda: derivations.sync_targets(acme, now=LATER))]

    def build(inputs):
        if not first:
            while retire:
                names.remove("b")
                retire.pop()()
        built = {(None, at(inputs["name"])): {"n": 1}}
        if inputs["name"] == "b":
            built[None, at(f"new{version}")] = {"n": 2}
        return built

    first, version = True, "1"
    many(derived, names, build=build, targets=lambda account: list(names))
    derivations.sync_targets(acme, now=NINE, derivation="total")
    Check.objects.filter(target="").delete()
    rebuild(NINE)
    first, version = False, "2"
    many(derived, names, build=build, targets=lambda account: list(names), version="2")
    derivations.sweep(now=LATER)

    assert rebuild(LATER + MINUTE) == {Outcome.BUILT: 2, Outcome.GONE: 1}
    assert {check.target for check in Check.objects.all()} == {"a", "c"}
    assert stored(acme, at("b")).value == stored(acme, at("new1")).value == {"absent": True}
    assert not acme.facts.at(at("new2")).exists()
    assert stored(acme, at("c")).built_by == "2"


@pytest.mark.django_db(transaction=True)
def test_facts_are_locked_with_what_rests_on_them_before_any_is_written(acme, derived, monkeypatch):
    """In one order, so that two batches whose targets rest on each other's do not cross."""

    def inputs(target, reading):
        places = [at("a")] if target.name == "b" else []
        return {"name": target.name, "on": [fact.value for fact in reading.at(*places).values()]}

    def build(inputs):
        return {(None, at(inputs["name"])): {"n": 1}}

    many(derived, ["a", "b", "c"], inputs=inputs, build=build)
    derivations.sync_targets(acme, now=NINE, derivation="total")
    rebuild(NINE)
    rebuild(LATER)
    free = []

    def look():
        with transaction.atomic():
            facts = Fact.objects.select_for_update(skip_locked=True).filter(kind="total")
            free.extend(fact.key for fact in facts)

    def observe_all(*args, **options):
        meanwhile(look)
        return original(*args, **options)

    original = store.observe_all
    monkeypatch.setattr(store, "observe_all", observe_all)
    check = Check.objects.get(target="a")
    assert derivations.run(check, now=LATER + MINUTE) == Outcome.CONFIRMED
    assert free == ["c"]
