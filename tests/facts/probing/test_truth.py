"""Every true figure of the given databases is met, and nothing that must not appear does."""

import json
from collections.abc import Callable

import pytest

from facts.probing.layout import Layout, Relation
from tests.conftest import given
from tests.facts.probing.conftest import Lesson

pytestmark = pytest.mark.django_db  # so that there is a database for the lessons

SETS = ("northwind", "northwind_sqlite", "chinook", "pagila", "helpdesk")
PARTS = [f"payment_p2007_0{month}" for month in range(1, 7)]  # of pagila's payment, no labels


def truth(name: str) -> dict:
    return json.loads(given("data/truth.json").read_text())[name]


@pytest.mark.parametrize("name", SETS)
def test_every_count_is_met(lesson: Callable[[str], Lesson], name: str) -> None:
    learned = lesson(name)
    true = {place.removeprefix("public."): count for place, count in truth(name)["counts"].items()}
    parts = sum(true.pop(part) for part in PARTS if part in true)
    counted = {
        table: learned.value("label", layout.label)["count"]
        for table, layout in learned.layouts.items()
    }
    assert counted == true
    assert learned.failures == {}
    if name == "pagila":
        assert parts == counted["payment"] == 16049


@pytest.mark.parametrize("name", SETS)
def test_every_fill_is_met(lesson: Callable[[str], Lesson], name: str) -> None:
    learned = lesson(name)
    found, true = {}, {}
    for place, figures in truth(name)["fill"].items():
        table, column = place.split(".")
        layout = learned.layouts[table]
        found[place] = learned.value("fill", layout.label, _property(layout, column))
        true[place] = {
            "filled": figures["not_blank"],
            "count": figures["rows"],
            "fill": round(figures["not_blank"] / figures["rows"], 4),
        }
    assert found == true


@pytest.mark.parametrize("name", SETS)
def test_every_hop_is_met(lesson: Callable[[str], Lesson], name: str) -> None:
    learned = lesson(name)
    found, true = {}, {}
    for hop, figures in truth(name)["hops"].items():
        layout = learned.layouts[figures["from"]]
        relation = _relation(layout, figures)
        found[hop] = learned.value("hop", layout.label, relation.verb, relation.label)
        true[hop] = {
            "reached": figures["reaches"],
            "count": figures["rows"],
            "coverage": round(figures["reaches"] / figures["rows"], 4) if figures["rows"] else None,
        }
    assert found == true


@pytest.mark.parametrize("name", SETS)
def test_nothing_that_must_not_appear_is_in_any_table_of_ours(
    lesson: Callable[[str], Lesson], name: str
) -> None:
    learned = lesson(name)
    guard = truth(name).get("guard", {})
    assert [word for word in guard.get("must_not_appear", []) if word in learned.everything] == []
    for place in guard.get("drop_columns", []):
        table, column = place.split(".")
        layout = learned.layouts[table]
        value = learned.value("vocabulary", layout.label, _property(layout, column))
        assert value["values"] == []
        assert value["withheld"] in ("credential", "person")


def test_a_mapping_gives_labels_and_verbs_their_names(lesson: Callable[[str], Lesson]) -> None:
    learned = lesson("northwind")
    assert learned.value("hop", "Order", "SHIPPED_BY", "Carrier") == {
        "reached": 830,
        "count": 830,
        "coverage": 1.0,
    }
    assert learned.value("label", "Line") == {"count": 2155}
    assert "data:label:Shipper" not in learned.values


def _property(layout: Layout, column: str) -> str:
    found = layout.column(column)
    assert found is not None
    return found.property


def _relation(layout: Layout, figures: dict) -> Relation:
    (relation,) = (
        one
        for one in layout.relations
        if one.columns == tuple(figures["via"])
        and one.table == figures["to"]
        and one.key == tuple(figures["key"])
    )
    return relation
