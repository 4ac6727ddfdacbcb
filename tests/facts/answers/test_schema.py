from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from facts.answers.errors import BadAnswer
from facts.answers.reviewing import verify
from facts.answers.schema import Schema
from facts.answers.schema_reading import schema_document, trimmed
from facts.models import Answer
from facts.probing.layout import Relation
from tests.facts.answers.shop import (
    ALICE,
    AUDITOR,
    CARRIERS,
    CUSTOMERS,
    LATE_AND_THERE,
    LATER,
    ORDERS,
    after,
    ask,
    learn,
    offer,
    proven,
    retyped,
    staff,
    stood,
    tell,
    without,
)


def changed(account, *tables, now=LATER):
    learn(account, (*tables, CARRIERS, CUSTOMERS), now=now)


def test_the_schema_is_what_was_learned(shop, django_assert_num_queries):
    with django_assert_num_queries(2):
        document = schema_document(shop)

    assert sorted(document["labels"]) == ["Carrier", "Customer", "Order"]
    assert document["labels"]["Order"]["table"] == "orders"
    assert document["labels"]["Order"]["columns"]["placedAt"] == ["placed_at", "timestamp"]
    assert document["hops"][0] == {
        "from": "Order",
        "verb": "CARRIER",
        "to": "Carrier",
        "on": [["carrier_id"], ["id"]],
        "many": "from",
    }
    schema = Schema.from_document(document)
    assert schema.tables["Order"].key == ("id",)
    assert {(hop.from_, hop.to) for hop in schema.hops} == {
        ("Order", "Carrier"),
        ("Order", "Customer"),
    }


@pytest.mark.parametrize(
    ("unique", "key", "many"),
    [
        ((), ("id",), "from"),
        ((("carrier_id",),), ("id",), "none"),
        ((), ("name",), "both"),
        ((("carrier_id",),), ("name",), "to"),
    ],
)
def test_a_hop_says_on_which_side_several_records_meet_one(acme, unique, key, many):
    relation = Relation(("carrier_id",), "public", "carriers", key, verb="SHIPPED_BY")
    learn(acme, (replace(ORDERS, relations=(relation,), unique=unique), CARRIERS))

    [hop] = schema_document(acme)["hops"]

    assert hop["many"] == many


def test_tables_of_one_name_in_two_schemas_are_told_apart(acme):
    learn(acme, (CARRIERS, replace(CARRIERS, schema="old")))

    tables = {told["table"] for told in schema_document(acme)["labels"].values()}

    assert tables == {"carriers", "old.carriers"}


def test_a_part_of_a_schema_keeps_every_shortest_way_and_drops_the_rest(acme):
    """A - B - D and A - C - D are two ways, and E lies beside; A to D keeps B and C."""
    columns = {"id": ["id", "integer"], "x": ["x", "integer"], "y": ["y", "integer"]}
    document = {
        "labels": {
            label: {"table": label.lower(), "pk": ["id"], "columns": columns} for label in "ABCDE"
        },
        "hops": [
            {"from": one, "verb": "V", "to": other, "on": [["x"], ["id"]], "many": "from"}
            for one, other in ["AB", "BD", "AC", "CD", "DE"]
        ],
    }

    part = trimmed(document, ["A", "D"])

    assert sorted(part["labels"]) == ["A", "B", "C", "D"]
    assert Schema.from_document(part).path("A", "D") is None
    assert Schema.from_document(document).path("A", "D") is None
    assert sorted(trimmed(document, ["A", "B"])["labels"]) == ["A", "B"]
    assert sorted(trimmed(document, ["D", "E", "Z"])["labels"]) == ["D", "E"]


@pytest.mark.parametrize(
    "orders",
    [
        without(ORDERS, "status"),
        retyped(ORDERS, "status", "integer"),
        replace(ORDERS, name="all_orders"),
    ],
    ids=["dropped", "retyped", "moved"],
)
def test_a_change_of_a_column_it_reads_holds_even_a_verified_answer_back(shop, orders):
    user, _ = staff()
    answer = proven(shop)
    verify(shop, answer.pk, user=user, now=LATER)
    assert ask(shop).verdict == "serve"

    changed(shop, orders)

    assert ask(shop).reason == "schema-changed"
    assert stood(answer).fact.verified_at is not None
    assert stood(answer).fact.history.filter(by="dependency", outcome="requested").count() == 1


def test_a_change_elsewhere_leaves_it_served(shop):
    proven(shop)

    changed(shop, retyped(ORDERS, "total", "integer"), now=after(1))
    changed(shop, ORDERS, now=after(2))

    assert ask(shop, now=after(2)).verdict == "serve"


def test_a_hop_that_is_no_longer_to_one_holds_back_what_counts_across_it(shop):
    to_one = Relation(("carrier_id",), "public", "carriers", ("id",))
    learn(shop, (replace(ORDERS, relations=(to_one,)), CARRIERS), now=LATER)
    question = {
        "text": "How many orders does UPS ship?",
        "things": [{"kind": "Carrier", "identity": "UPS"}],
        "constraints": [
            {"label": "Order", "op": "count"},
            {"label": "Carrier", "property": "name", "op": "=", "value": "UPS"},
        ],
    }
    query = (
        "SELECT count(*) FROM orders o JOIN carriers c ON c.id = o.carrier_id WHERE c.name = 'UPS'"
    )
    proven(shop, question=question, query=query, now=LATER)
    assert ask(shop, question).verdict == "serve"

    many = replace(CARRIERS, key=())
    learn(shop, (replace(ORDERS, relations=(to_one,)), many), now=after(1))

    assert ask(shop, question, now=after(1)).reason == "schema-changed"


def test_a_program_looks_again_for_what_no_person_verified(shop):
    answer = proven(shop)
    changed(shop, retyped(ORDERS, "status", "enum"))
    assert ask(shop).verdict == "serve"  # text all the same

    changed(shop, retyped(ORDERS, "id", "uuid"), now=after(1))
    assert ask(shop, now=after(1)).reason == "schema-changed"
    tell(answer, who=AUDITOR, now=after(2))

    assert stood(answer).schema_changed_at is None
    assert ask(shop, now=after(2)).verdict == "serve"


def test_only_a_person_looks_for_what_a_person_verified(shop):
    user, _ = staff()
    answer = proven(shop)
    verify(shop, answer.pk, user=user, now=LATER)
    changed(shop, retyped(ORDERS, "id", "uuid"), now=after(1))

    tell(answer, who=AUDITOR, now=after(2))
    assert ask(shop, now=after(2)).reason == "schema-changed"

    tell(answer, who=ALICE, now=after(3))
    assert ask(shop, now=after(3)).verdict == "serve"


def test_a_query_that_no_longer_answers_stays_unserved_and_is_not_verified(shop):
    user, _ = staff()
    answer = proven(shop)
    learn(shop, (CARRIERS, CUSTOMERS), now=after(1))

    tell(answer, who=AUDITOR, now=after(2))
    assert ask(shop, now=after(2)).reason == "schema-changed"
    with pytest.raises(BadAnswer):
        verify(shop, answer.pk, user=user, now=after(3))
    assert stood(answer).fact.verified_at is None
    assert stood(answer).fact.confirmed_at == after(2)


def test_a_schema_that_comes_back_is_looked_at_all_the_same(shop):
    proven(shop)
    changed(shop, without(ORDERS, "status"), now=after(1))
    changed(shop, ORDERS, now=after(2))

    assert ask(shop, now=after(2)).reason == "schema-changed"


def test_marking_takes_the_same_queries_for_many_answers(shop):
    counts = []
    for number in range(2):
        for place in range(1 + 9 * number):
            question = {
                "text": f"Late orders, {number} {place}?",
                "constraints": [
                    {"label": "Order", "op": "rows"},
                    {"label": "Order", "property": "status", "op": "=", "value": "late"},
                ],
            }
            offer(shop, question=question, query=LATE_AND_THERE)
        orders = retyped(ORDERS, "id", ["uuid", "integer"][number])
        with CaptureQueriesContext(connection) as captured:
            changed(shop, orders, now=after(number + 1))
        counts.append(len(captured))
        Answer.objects.update(schema_changed_at=None)

    assert counts[0] == counts[1]
