"""What the product tells of an account: integrations and plan, whole with each push."""

import pytest

from facts import store
from facts.errors import BadIntake, Conflict, NotTheOwner
from facts.intake import (
    IntegrationState,
    health_of,
    remove_integrations,
    set_integration,
    set_integrations,
    set_plan,
)
from facts.models import Integration
from facts.refs import Ref
from tests.facts.observing import DAY, MINUTE, NINE, observe, stored

SHIPPING = health_of("shipping")


def state(name="dhl", category="shipping", healthy=True, last_succeeded=None) -> IntegrationState:
    return IntegrationState(
        name=name, category=category, healthy=healthy, last_succeeded=last_succeeded
    )


def values(account) -> dict:
    return {str(fact.ref): fact.value for fact in account.facts.all()}


def test_integrations_and_their_signals_are_written_together(acme):
    set_integrations(acme, [state(), state("stripe", "payment", healthy=False)], now=NINE)

    assert values(acme) == {
        "account:integration:dhl": {"category": "shipping", "healthy": True},
        "account:integration:stripe": {"category": "payment", "healthy": False},
        "account:signal:integration_health|shipping": {"healthy": True},
        "account:signal:integration_health|payment": {"healthy": False},
    }
    assert {line.by for fact in acme.facts.all() for line in fact.history.all()} == {"integrations"}


@pytest.mark.parametrize(
    ("first", "second", "signal"),
    [(True, True, True), (True, False, True), (False, True, True), (False, False, False)],
)
def test_a_category_is_healthy_if_any_of_its_integrations_is(acme, first, second, signal):
    set_integrations(acme, [state(healthy=first), state("ups", healthy=second)], now=NINE)
    assert stored(acme, SHIPPING).value == {"healthy": signal}


def test_when_an_integration_last_succeeded_is_kept_and_moves_no_fact(acme):
    set_integrations(acme, [state(last_succeeded=NINE)], now=NINE)
    before = {fact.ref: (fact.value, fact.digest) for fact in acme.facts.all()}

    set_integrations(acme, [state(last_succeeded=NINE + DAY)], now=NINE + DAY)

    assert {fact.ref: (fact.value, fact.digest) for fact in acme.facts.all()} == before
    assert Integration.objects.get().last_succeeded == NINE + DAY


def test_what_a_push_no_longer_names_becomes_absent(acme):
    set_integrations(acme, [state(), state("stripe", "payment")], now=NINE)
    set_integrations(acme, [state("stripe", "payment")], now=NINE + MINUTE)

    assert values(acme) == {
        "account:integration:dhl": {"absent": True},
        "account:integration:stripe": {"category": "payment", "healthy": True},
        "account:signal:integration_health|shipping": {"absent": True},
        "account:signal:integration_health|payment": {"healthy": True},
    }
    assert list(Integration.objects.values_list("name", flat=True)) == ["stripe"]


def test_a_push_settles_what_somebody_asked_for_as_present_or_absent(acme):
    store.request_many(acme, [SHIPPING, health_of("payment")], by="spec:late-orders", now=NINE)

    set_integrations(acme, [state()], now=NINE + MINUTE)

    assert stored(acme, SHIPPING).value == {"healthy": True}
    assert stored(acme, health_of("payment")).value == {"absent": True}
    assert not acme.facts.open().exists()


def test_an_account_without_integrations_is_told_by_an_empty_push(acme):
    store.request(acme, SHIPPING, by="spec:late-orders", now=NINE)
    set_integrations(acme, [], now=NINE + MINUTE)
    assert values(acme) == {str(SHIPPING): {"absent": True}}


def test_one_accounts_push_moves_no_other_account(acme, globex):
    set_integrations(globex, [state()], now=NINE)
    set_integrations(acme, [], now=NINE)

    assert values(globex)["account:integration:dhl"] == {"category": "shipping", "healthy": True}
    assert Integration.objects.get().account == globex


def test_the_features_of_the_plan_are_a_set(acme):
    (fact,) = set_plan(acme, ["reports", "exports", "reports"], now=NINE)
    (same,) = set_plan(acme, ["exports", "reports"], now=NINE + MINUTE)

    assert values(acme) == {"account:plan:features": {"features": ["exports", "reports"]}}
    assert same.digest == fact.digest


def test_a_plan_without_features_is_known_to_have_none(acme):
    set_plan(acme, [], now=NINE)
    assert values(acme) == {"account:plan:features": {"features": []}}


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ([state(""), state()], "an integration's name is 1 to 200 printable characters"),
        ([state(category="a\nb")], "an integration's category is 1 to 200 printable characters"),
        ([state("bob@example.com")], "an integration's name can't be kept, it looks like: email"),
        ([state(), state()], "an integration is named twice: a push names each once"),
        (
            [state(last_succeeded=NINE.replace(tzinfo=None))],
            "a last-succeeded time has no zone: 2026-03-02T09:00:00Z has one",
        ),
    ],
)
def test_a_push_that_makes_no_sense_is_refused_whole(acme, states, message):
    with pytest.raises(BadIntake) as refusal:
        set_integrations(acme, [state("ups"), *states], now=NINE)
    assert str(refusal.value) == message
    assert not acme.facts.exists()


def test_a_feature_that_must_not_be_kept_is_refused(acme):
    with pytest.raises(BadIntake) as refusal:
        set_plan(acme, ["reports", "bob@example.com"], now=NINE)
    assert str(refusal.value) == "a feature of the plan can't be kept, it looks like: email"
    assert not acme.facts.exists()


@pytest.mark.parametrize("ref", ["account:integration:dhl", str(SHIPPING), "account:plan:features"])
def test_nobody_else_writes_them(acme, ref):
    with pytest.raises(NotTheOwner):
        observe(acme, Ref.parse(ref), {"healthy": True})


def test_a_push_takes_as_many_statements_for_many_integrations_as_for_one(
    acme, django_assert_num_queries
):
    for size in (1, 30):
        # savepoint, lock, two reads of what is known, delete, upsert, savepoint of the store,
        # lock and write of the facts, two for their dependents, and the ends of both savepoints
        with django_assert_num_queries(13):
            set_integrations(acme, [state(f"i{n}") for n in range(size)], now=NINE)


def test_one_integration_told_by_staff_says_nothing_of_the_others(acme):
    set_integrations(acme, [state(), state("ups"), state("stripe", "payment")], now=NINE)
    before = {fact.ref: fact.version for fact in acme.facts.all()}

    set_integration(
        acme, state(category="parcels", healthy=False), asker="staff:ann", now=NINE + MINUTE
    )

    moved = {str(fact.ref) for fact in acme.facts.all() if fact.version != before.get(fact.ref)}
    assert moved == {"account:integration:dhl", str(SHIPPING), str(health_of("parcels"))}
    assert stored(acme, SHIPPING).value == {"healthy": True}
    assert stored(acme, health_of("parcels")).value == {"healthy": False}


def test_one_told_by_staff_keeps_when_it_last_succeeded(acme):
    set_integrations(acme, [state(last_succeeded=NINE)], now=NINE)
    set_integration(acme, state(healthy=False), asker="staff:ann", now=NINE + MINUTE)
    assert Integration.objects.get().last_succeeded == NINE


def test_one_told_from_an_old_version_is_a_conflict_and_writes_nothing(acme):
    set_integrations(acme, [state()], now=NINE)
    set_integrations(acme, [state(category="parcels")], now=NINE + MINUTE)
    before = values(acme)

    with pytest.raises(Conflict) as conflict:
        set_integration(acme, state(), asker="staff:ann", now=NINE + 2 * MINUTE, version=1)

    assert conflict.value.version == 2
    assert values(acme) == before


def test_integrations_that_staff_remove_leave_what_others_signal(acme):
    set_integrations(acme, [state(), state("ups", healthy=False)], now=NINE)

    remove_integrations(acme, ["dhl", "never there"], asker="staff:ann", now=NINE + MINUTE)

    assert values(acme) == {
        "account:integration:dhl": {"absent": True},
        "account:integration:ups": {"category": "shipping", "healthy": False},
        str(SHIPPING): {"healthy": False},
    }
    assert list(Integration.objects.values_list("name", flat=True)) == ["ups"]


def test_a_plan_told_from_an_old_version_is_a_conflict_and_writes_nothing(acme):
    set_plan(acme, ["exports"], now=NINE)
    set_plan(acme, ["reports"], now=NINE + MINUTE)

    with pytest.raises(Conflict):
        set_plan(acme, [], asker="staff:ann", now=NINE + 2 * MINUTE, version=1)

    assert values(acme) == {"account:plan:features": {"features": ["reports"]}}
