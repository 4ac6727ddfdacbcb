"""Law 15. No account sees another."""

import pytest

from facts import store
from facts.errors import BadMeasurement
from facts.models import Fact, Observation, Person
from facts.refs import Ref
from tests.facts.observing import NINE, ORDERS, observe, stored
from tests.facts.program import problem, program
from tests.readiness.mcp.messages import call, send

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


def test_over_http_another_accounts_fact_is_not_there(acme, globex):
    observe(globex, value={"count": 2})
    before = Fact.objects.values().get()
    reader, prober = program(acme), program(acme, observer="probe", name="importer")

    for answer in (
        reader.get(f"facts/{ORDERS}"),
        reader.get(f"facts/history/{ORDERS}"),
        reader.get(f"facts/{ORDERS}", Ken_Account="acme"),
    ):
        assert (answer.status_code, problem(answer)["type"]) == (404, "/problems/unknown-ref")
    assert reader.get("facts").json()["results"] == []
    assert prober.observe(str(ORDERS), 1).status_code == 412  # at version 0 in acme
    reader.post(f"facts/requests/{ORDERS}")

    assert Fact.objects.filter(account=globex).values().get() == before
    assert stored(acme).value is None


def test_over_http_a_body_that_names_an_account_or_a_person_is_refused(acme, globex, alice):
    """Whatever a body says, the token says whose facts these are."""
    observe(acme, value={"count": 1})
    observe(globex, value={"count": 2})
    rows, lines = list(Fact.objects.values()), Observation.objects.count()
    reader, prober = program(acme), program(acme, observer="probe", name="importer")
    listed = reader.get("facts").json()
    measured = {"measured_from": "2026-03-02T09:00:00Z"}
    line = {"ref": str(ORDERS), "version": 1, "value": {"count": 3}}

    for claim in ({"account": "globex"}, {"person": "bob"}, {"account_id": globex.pk}):
        for answer in (
            prober.observe(str(ORDERS), 1, **claim),
            prober.post("facts/observations", {**measured, "measurements": [line], **claim}),
            prober.post("facts/observations", {**measured, "measurements": [{**line, **claim}]}),
            reader.post("facts/requests", {"refs": [str(ORDERS)], **claim}),
        ):
            [error] = problem(answer)["errors"]
            assert error["pointer"].endswith(f"/{next(iter(claim))}")
        [name] = claim
        assert reader.get(f"facts?{name}=globex").status_code == 400

    assert list(Fact.objects.values()) == rows
    assert Observation.objects.count() == lines
    assert reader.get("facts").json() == listed


def test_over_http_a_persons_token_reaches_nobody_elses_facts(acme, alice, globex, monkeypatch):
    monkeypatch.setattr("facts.owners._owners", {("user", "label"): "probe"})
    bob = Person.objects.create(account=acme, external_id="bob")
    stranger = Person.objects.create(account=globex, external_id="alice")
    observe(acme, REFUNDING, {"sessions": 9}, person=bob)
    observe(globex, REFUNDING, {"sessions": 5}, person=stranger)
    hers = program(acme, person=alice)

    assert hers.get(f"facts/{REFUNDING}").status_code == 404
    assert hers.get(f"people/bob/facts/{REFUNDING}").status_code == 404
    assert hers.get("people/alice/facts").json()["results"] == []
    hers.post(f"facts/requests/{REFUNDING}")

    assert [fact.value for fact in Fact.objects.order_by("pk")] == [
        {"sessions": 9},
        {"sessions": 5},
        None,
    ]
    assert alice.facts.get().is_open


def test_over_mcp_the_token_says_whose_knowledge_it_is(acme, globex, alice):
    """Two accounts at once stand in tests/readiness/mcp/test_processes.py."""
    Person.objects.create(account=globex, external_id="zoe")
    observe(globex, "account:plan:features", {"features": ["refunds"]}, by="plan")
    reader = program(acme)

    for named in ({"Ken_Account": "globex"}, {"Ken_Person": "zoe"}):
        assert "result" not in send(reader, "tools/list", **named).json()
    arguments = {"about": "account", "account": "globex"}
    refused = send(reader, "tools/call", {"name": "get-knowledge", "arguments": arguments})
    assert refused.json()["result"]["isError"] is True
    assert "refunds" not in call(reader, "account")["content"][0]["text"]
    assert "refunds" in call(program(globex), "account")["content"][0]["text"]
