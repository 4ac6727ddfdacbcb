from facts import derivations, owners
from facts.derivations import Outcome
from facts.models import Account, Check, Dependency, Fact, Person
from facts.refs import Ref
from facts.store import request
from tests.facts.derivations.deriving import TOTAL, count, rests_on, run, target_in
from tests.facts.observing import MINUTE, NINE, observe, stored

LATER = NINE + 10 * MINUTE


def per_name(derived, *names):
    """Let ``total`` have a target for each name, built at a ref of its own."""
    derived.register(
        targets=lambda account: names,
        inputs=lambda target, reading: {
            "name": target.name,
            "counts": [fact.value for fact in reading.under("data:label:")],
        },
        build=lambda inputs: {
            (None, Ref.of("account", "total", inputs["name"])): {"n": len(inputs["counts"])}
        },
        target_of=lambda ref, person: ref.parts[0] if ref.parts[0] in names else None,
    )


def targets(account):
    return sorted(
        Check.objects.filter(account=account, derivation="total").values_list("target", flat=True)
    )


def test_a_new_account_has_its_targets_at_once(db, derived):
    account = Account.objects.create(external_id="initech")
    assert targets(account) == [""]
    assert Check.objects.get(account=account, derivation="total").due_at is not None


def test_targets_that_come_are_due_and_those_there_stay_as_they_are(acme, derived):
    per_name(derived, "a")
    derivations.sync_targets(acme, now=NINE)
    derivations.run_due(account=acme, clock=lambda: NINE)
    per_name(derived, "a", "b")

    derivations.sync_targets(acme, now=LATER, derivation="total")

    due = Check.objects.filter(account=acme, derivation="total").values_list("target", "due_at")
    assert sorted(due) == [("a", None), ("b", LATER)]


def test_a_target_that_goes_takes_its_facts_and_what_it_rests_on_along(acme, derived):
    count(acme, "Order", 830)
    per_name(derived, "a", "b")
    derivations.sync_targets(acme, now=NINE)
    derivations.run_due(account=acme, clock=lambda: NINE)
    assert Dependency.objects.count() == 2

    per_name(derived, "b")
    derivations.sync_targets(acme, now=LATER)

    assert targets(acme) == ["b"]
    assert stored(acme, "account:total:a").value == {"absent": True}
    assert stored(acme, "account:total:b").value == {"n": 1}
    assert Dependency.objects.get().dependent.target == "b"


def test_what_rests_on_a_target_that_goes_is_woken(acme, derived):
    count(acme, "Order", 830)
    per_name(derived, "a")
    derivations.register(
        derived.declared(
            name="above",
            inputs=lambda target, reading: {
                "values": [fact.value for fact in reading.under("account:total:")]
            },
            build=lambda inputs: {(None, Ref.parse("account:total:above")): dict(inputs)},
        )
    )
    derivations.sync_targets(acme, now=NINE)
    derivations.run_due(account=acme, clock=lambda: NINE)
    derivations.run_due(account=acme, clock=lambda: NINE + MINUTE)

    per_name(derived)
    derivations.sync_targets(acme, now=LATER)

    assert target_in(acme, "above").due_at == LATER


def test_a_target_that_comes_back_takes_its_facts_over(acme, derived):
    count(acme, "Order", 830)
    per_name(derived, "a")
    derivations.sync_targets(acme, now=NINE)
    derivations.run_due(account=acme, clock=lambda: NINE)
    per_name(derived)
    derivations.sync_targets(acme, now=LATER)
    per_name(derived, "a")

    derivations.sync_targets(acme, now=LATER + MINUTE)
    after = LATER + 2 * MINUTE
    assert derivations.run_due(account=acme, clock=lambda: after) == {Outcome.BUILT: 1}

    fact = stored(acme, "account:total:a")
    assert (fact.value, fact.version) == ({"n": 1}, 3)
    assert fact.settled_by.target == "a"


def test_a_run_of_a_target_that_went_meanwhile_writes_nothing(acme, derived):
    check = target_in(acme)
    Check.objects.all().delete()
    assert derivations.run(check, now=NINE) == Outcome.GONE
    assert not Fact.objects.filter(kind="total").exists()


def test_a_run_of_a_derivation_no_longer_registered_asks_no_more(acme, derived):
    check = target_in(acme)
    derivations.unregister("total")
    assert derivations.run(check, now=NINE) == Outcome.GONE
    assert Check.objects.get(pk=check.pk).due_at is None


def test_waking_reaches_the_targets_named_and_no_others(acme, globex, derived):
    per_name(derived, "a", "b")
    for account in (acme, globex):
        derivations.sync_targets(account, now=NINE)
        derivations.run_due(account=account, clock=lambda: NINE)

    assert derivations.wake("total", now=LATER, account=acme, targets=["b", "c"]) == 1
    assert Check.objects.get(due_at=LATER).target == "b"
    assert derivations.wake("total", now=LATER + MINUTE) == 4
    assert Check.objects.filter(derivation="total", due_at=LATER).count() == 1  # the first wish


def test_asking_for_what_no_target_has_built_makes_the_target(acme, derived):
    per_name(derived, "a", "b")
    request(acme, Ref.parse("account:total:b"), by="alice", now=LATER)
    request(acme, Ref.parse("account:total:c"), by="alice", now=LATER)
    assert Check.objects.get(account=acme, target="b").due_at == LATER
    assert not Check.objects.filter(target="c").exists()


def test_facts_of_people_are_built_for_the_person_with_the_id(acme, alice, derived):
    bob = Person.objects.create(account=acme, external_id="bob")
    mine = Ref.parse("user:total:mine")
    derived.result = lambda inputs: {
        (name, mine): {"n": len(name)} for name in sorted(inputs["counts"])
    }
    count(acme, "alice", 1)
    count(acme, "bob", 1)
    assert run(acme) == Outcome.BUILT
    facts = acme.facts.filter(kind="total").order_by("person__external_id")
    assert [(fact.person, fact.value) for fact in facts] == [(alice, {"n": 5}), (bob, {"n": 3})]

    derived.result = lambda inputs: {("alice", mine): {"n": 0}}
    count(acme, "bob", 2, now=LATER)
    run(acme, now=LATER)
    assert acme.facts.get(kind="total", person=bob).value == {"absent": True}
    assert acme.facts.get(kind="total", person=alice).value == {"n": 0}


def test_a_fact_for_somebody_who_is_not_there_fails_the_build(acme, derived):
    derived.result = lambda inputs: {("nobody", Ref.parse("user:total:mine")): {"n": 0}}
    assert run(acme) == Outcome.FAILED
    assert not Fact.objects.filter(kind="total").exists()


def test_what_one_person_did_wakes_that_person_s_target_alone(acme, alice, derived):
    bob = Person.objects.create(account=acme, external_id="bob")
    people = {"alice": alice, "bob": bob}
    mine = Ref.parse("user:total:mine")
    derived.register(
        targets=lambda account: list(people),
        inputs=lambda target, reading: {
            "name": target.name,
            "facts": [
                fact.value for fact in reading.under("user:seen:", person=people[target.name])
            ],
        },
        build=lambda inputs: {(inputs["name"], mine): {"n": len(inputs["facts"])}},
    )
    owners.register("user", "seen", observer="eyes")
    derivations.sync_targets(acme, now=NINE)
    derivations.run_due(account=acme, clock=lambda: NINE)

    observe(acme, "user:seen:it", {"n": 1}, person=alice, by="eyes", now=LATER)

    assert Check.objects.get(due_at__lte=LATER, derivation="total").target == "alice"
    (alices, bobs) = Check.objects.filter(derivation="total").order_by("target")
    assert rests_on(alices) == {("user:seen:", alice.pk)}
    assert rests_on(bobs) == {("user:seen:", bob.pk)}
    assert derivations.run_due(account=acme, clock=lambda: LATER) == {Outcome.BUILT: 1}
    assert acme.facts.get(kind="total", person=alice).value == {"n": 1}


def test_what_is_read_no_longer_wakes_no_more(acme, derived):
    count(acme, "Order", 830)
    run(acme)
    derived.register(version="2", inputs=lambda target, reading: {"counts": {}})
    run(acme, now=LATER)

    count(acme, "Order", 840, now=LATER + MINUTE)

    assert target_in(acme).due_at is None
    assert Dependency.objects.count() == 0
    assert stored(acme, TOTAL).value == {"records": 0}
