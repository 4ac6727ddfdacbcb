"""Law 15. No account sees another."""

import pytest

from facts import store
from facts.errors import BadMeasurement
from facts.models import Fact, Person
from facts.refs import Ref
from tests.facts.observing import NINE, ORDERS, observe, stored

REFUNDING = Ref.parse("user:label:refunding")


def test_the_same_ref_is_another_fact_in_another_account(acme, globex):
    observe(acme, value={"count": 1})
    observe(globex, value={"count": 2})

    assert (stored(acme).value, stored(globex).value) == ({"count": 1}, {"count": 2})
    assert store.versions(acme, [ORDERS]) == {ORDERS: 1}


def test_requests_and_use_of_one_account_leave_the_others_facts_alone(acme, globex):
    observe(globex)
    before = Fact.objects.values().get()

    store.request(acme, ORDERS, by="generation", now=NINE)
    store.record(acme, [ORDERS], outcome="used", by="generation", now=NINE)

    assert Fact.objects.filter(account=globex).values().get() == before
    assert list(stored(globex).history.values_list("outcome", flat=True)) == ["confirmed"]


def test_a_person_of_another_account_can_be_neither_observed_nor_asked_about(
    acme, globex, monkeypatch
):
    monkeypatch.setattr("facts.owners._owners", {("user", "label"): "probe"})
    stranger = Person.objects.create(account=globex, external_id="alice")

    with pytest.raises(BadMeasurement, match="of another account"):
        observe(acme, REFUNDING, person=stranger, version=0)
    with pytest.raises(BadMeasurement, match="of another account"):
        store.request(acme, REFUNDING, by="generation", now=NINE, person=stranger)

    assert not Fact.objects.exists()


def test_a_persons_fact_is_nobody_elses(acme, alice, monkeypatch):
    monkeypatch.setattr("facts.owners._owners", {("user", "label"): "probe"})
    bob = Person.objects.create(account=acme, external_id="bob")
    observe(acme, REFUNDING, {"sessions": 4}, person=alice)
    observe(acme, REFUNDING, {"sessions": 9}, person=bob)

    assert [fact.value for fact in alice.facts.all()] == [{"sessions": 4}]
    assert store.versions(acme, [REFUNDING], person=bob) == {REFUNDING: 1}


@pytest.mark.parametrize("ref", ["user:label:refunding", "data:label:Order"])
def test_user_facts_and_no_others_are_about_a_person(acme, alice, monkeypatch, ref):
    monkeypatch.setattr(
        "facts.owners._owners", {("user", "label"): "probe", ("data", "label"): "probe"}
    )
    person = None if ref.startswith("user:") else alice

    with pytest.raises(BadMeasurement, match="user facts, and no others, are about a person"):
        observe(acme, ref, person=person, version=0)
