import pytest

from activities import preferences
from facts.errors import UnknownPerson
from facts.models import Observation, Person, Source, Table
from facts.refs import Ref
from readiness.knowledge import UnknownSubject, get_knowledge
from readiness.reading import header_of
from tests.facts.observing import DAY, NINE, observe
from tests.readiness.test_overall import LATER, settle
from tests.readiness.test_reading import work_on


def table(account, label, count):
    source, _ = Source.objects.get_or_create(
        account=account, name="main", defaults={"encrypted_url": "-", "reflected_at": NINE}
    )
    Table.objects.create(account=account, source=source, name=label.lower(), label=label)
    observe(account, Ref.of("data", "label", label), {"count": count})


def test_the_data_is_told_by_type_with_its_fills_hops_and_vocabularies(acme):
    table(acme, "Order", 830)
    observe(acme, "data:fill:Order|promisedAt", {"filled": 829, "count": 830, "fill": 0.9988})
    hop = {"reached": 830, "count": 830, "coverage": 1.0}
    observe(acme, "data:hop:Order|SHIPPED_BY|Carrier", hop)
    words = [{"value": "shipped", "records": 412}, {"value": "open", "records": 9}]
    observe(
        acme,
        "data:vocabulary:Order|status",
        {"of": "Order|status", "type": "text", "values": words, "more": 3},
    )
    settle(acme)

    found = get_knowledge(acme, "data", now=NINE + DAY)

    aged = {"trust": "believed", "age": "1 day"}
    assert found["types"] == [
        {
            "type": "Order", "count": 830, **aged,
            "fills": [{"property": "promisedAt", "fill": 0.9988, **aged}],
            "hops": [{"verb": "SHIPPED_BY", "to": "Carrier", "coverage": 1.0, **aged}],
            "vocabularies": [
                {"property": "status", "values": ["shipped", "open", "and 3 more"], **aged}
            ],
        }
    ]  # fmt: skip


def test_five_hundred_types_are_cut_to_the_weightiest_and_a_weightier_one_enters(
    acme, django_assert_max_num_queries
):
    for number in range(500):
        table(acme, f"Type{number:03}", number)
    settle(acme)
    with django_assert_max_num_queries(4):
        types = get_knowledge(acme, "data", now=LATER)["types"]
    assert [each["type"] for each in types[:2]] == ["Type499", "Type498"]
    assert (len(types), types[-1]) == (13, "and 488 more")

    table(acme, "Ledger", 10_000)
    settle(acme, NINE + DAY)
    types = get_knowledge(acme, "data", now=NINE + DAY)["types"]

    assert types[0]["type"] == "Ledger"
    assert "Type488" not in [each["type"] for each in types[:-1]]
    assert types[-1] == "and 489 more"


def test_a_type_that_could_not_be_read_keeps_its_last_count_with_its_age_and_says_so(acme):
    table(acme, "Order", 830)
    observe(acme, outcome="failed", failure="42501", now=NINE + DAY)
    settle(acme, NINE + DAY)

    (order,) = get_knowledge(acme, "data", now=NINE + 2 * DAY)["types"]

    assert (order["count"], order["age"], order["could_not_be_read"]) == (830, "2 days", "42501")


def test_a_cold_read_asks_for_what_is_stale_and_for_nothing_else(acme):
    table(acme, "Order", 830)
    table(acme, "Carrier", 6)
    settle(acme)
    observe(acme, "data:label:Carrier", {"count": 6}, now=NINE + 20 * DAY)
    settle(acme, NINE + 20 * DAY)
    before = Observation.objects.exclude(outcome="requested").count()

    get_knowledge(acme, "data", now=NINE + 29 * DAY)

    asked = Observation.objects.filter(by="knowledge")
    assert {line.fact.key for line in asked} == {"Order", "overall"}  # the rollup is as old
    assert Observation.objects.exclude(outcome="requested").count() == before


def test_the_account_is_told_by_readiness_features_integrations_and_plan(acme):
    table(acme, "Order", 830)
    observe(acme, "account:integration:dhl", {"category": "shipping", "healthy": True},
            by="integrations")  # fmt: skip
    observe(acme, "account:plan:features", {"features": ["late-orders"]}, by="plan")
    settle(acme)

    found = get_knowledge(acme, "account", now=LATER)

    assert found["readiness"]["level"] == "ready"
    assert found["features"] == []
    assert found["integrations"] == [
        {"name": "dhl", "category": "shipping", "healthy": True, "trust": "believed",
         "age": "1 minute"}
    ]  # fmt: skip
    assert found["plan"]["features"] == ["late-orders"]


def test_one_persons_preferences_are_in_nobody_elses_knowledge(acme, alice):
    bob = Person.objects.create(account=acme, external_id="bob")
    preferences.write(alice, "Short answers, please.", now=NINE)
    work_on(alice, "refunding", lift="9/2")

    mine = get_knowledge(acme, "user", now=NINE, person=alice)
    assert mine["preferences"]["quote"] == '"Short answers, please."'
    assert mine["activities"][0]["title"] == "Refunding"
    for about, person in [("data", None), ("account", None), ("user", bob)]:
        others = str(get_knowledge(acme, about, now=NINE, person=person))
        assert "Short answers" not in others
        assert "Refunding" not in others
    assert "Short answers" not in header_of(acme, bob, now=NINE)


def test_what_colleagues_do_is_a_figure_only_from_three_on(acme, alice):
    work_on(alice, "refunding", lift="9/2")
    assert get_knowledge(acme, "user", now=NINE, person=alice)["activities"][0]["lift"] == "9/2"

    fact = alice.facts.get(kind="activity")
    observe(acme, fact.ref, {**fact.value, "colleagues": 2}, person=alice, by="activities")
    assert "lift" not in get_knowledge(acme, "user", now=NINE, person=alice)["activities"][0]


def test_knowledge_is_about_three_subjects_and_a_user_is_named(acme):
    with pytest.raises(UnknownSubject, match="data, account, user"):
        get_knowledge(acme, "weather", now=NINE)
    with pytest.raises(UnknownPerson):
        get_knowledge(acme, "user", now=NINE)
