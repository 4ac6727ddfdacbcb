"""Schemas, ways between labels, and digests of what an answer reads."""

import copy
from typing import Any

import pytest

from facts.answers.schema import Schema, columns_digest
from tests.facts.answers.fuzzing.world import DOCUMENT, SCHEMA

READS = (("Order", "status"), ("Order", "SHIPPED_BY", "Carrier"))


def changed(*path: Any, to: Any) -> Schema:
    document: Any = copy.deepcopy(DOCUMENT)
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return Schema.from_document(document)


@pytest.mark.parametrize(
    "schema",
    [
        changed("labels", "Order", "columns", "status", to=["status", "integer"]),
        changed("labels", "Order", "columns", "status", to=["state", "text"]),
        changed("labels", "Order", "table", to="sales"),
        changed("labels", "Order", "pk", to="status"),
        changed("hops", 0, "many", to="both"),
        changed("hops", 0, "on", to=["customer_id", "id"]),
        changed("hops", 0, "verb", to="SENT_BY"),
        changed("labels", "Order", "columns", to={"id": ["id", "integer"]}),
    ],
)
def test_a_change_of_what_is_read_makes_another_digest(schema: Schema) -> None:
    assert columns_digest(schema, READS) != columns_digest(SCHEMA, READS)


@pytest.mark.parametrize(
    "schema",
    [
        changed("labels", "Order", "columns", "colour", to=["colour", "text"]),
        changed("labels", "Order", "columns", "total", to=["total", "text"]),
        changed("hops", 1, "many", to="both"),
        changed("labels", "Order", "columns", "status", to=["status", "enum"]),
    ],
)
def test_a_change_of_what_is_not_read_does_not(schema: Schema) -> None:
    assert columns_digest(schema, READS) == columns_digest(SCHEMA, READS)


def test_a_way_leads_over_the_labels_between() -> None:
    way = SCHEMA.path("Refund", "Region")

    assert way is not None
    assert [(hop.verb, forward) for hop, forward in way] == [
        ("REFUNDS", True),
        ("PLACED_BY", True),
        ("LIVES_IN", True),
    ]
    assert SCHEMA.path("Order", "Order") == ()


def test_a_hop_over_a_column_nobody_knows_is_no_way() -> None:
    schema = changed("hops", 0, "on", to=["hidden_id", "id"])

    assert schema.path("Order", "Carrier") is None
