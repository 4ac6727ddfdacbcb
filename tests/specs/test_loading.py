"""Specs loaded by an operator: in force at once, all or none."""

import pytest

from specs import loading
from specs.errors import BadSpec
from specs.models import SpecVersion
from tests.facts.observing import DAY, NINE
from tests.specs.loaded import CARRIER, ORDER, feature, load, spec, states

pytestmark = pytest.mark.django_db


def refusals(texts: dict[str, str]) -> list[str]:
    with pytest.raises(BadSpec) as refusal:
        loading.load(texts, now=NINE)
    return str(refusal.value).splitlines()


def test_a_loaded_spec_is_in_force_at_once_and_by_nobody():
    (version,) = load(spec("late-orders"))

    stored = SpecVersion.objects.get()
    assert stored == version
    assert (stored.document, stored.state) == (spec("late-orders"), "active")
    assert (stored.author, stored.reviewer, stored.active_from) == (None, None, NINE)


def test_the_same_document_again_makes_no_new_version():
    load(spec("a"))
    (again,) = load(spec("a"), now=NINE + DAY)
    assert (again.number, states()) == (1, [("a", 1, "active")])


def test_a_changed_document_retires_the_version_before_and_keeps_it():
    load(spec("a"))
    load(spec("a", CARRIER), now=NINE + DAY)

    assert states() == [("a", 1, "retired"), ("a", 2, "active")]
    before = SpecVersion.objects.get(number=1)
    assert (before.document, before.retired_at) == (spec("a"), NINE + DAY)


def test_a_threshold_written_otherwise_is_a_change():
    load(spec("a", ORDER | {"minCount": 1}))
    load(spec("a", ORDER | {"minCount": 2}))
    assert states() == [("a", 1, "retired"), ("a", 2, "active")]


def test_specs_loaded_together_may_need_one_another_in_any_order():
    load(spec("a", feature("b")), spec("b"))
    assert states() == [("a", 1, "active"), ("b", 1, "active")]


def test_one_fault_refuses_all_and_the_versions_in_force_stay():
    load(spec("a"))

    faults = refusals(
        {
            "a.json": '{"id": "a", "needs": [{"level": "REQUIRED", "label": "X", "minCount": 2}]}',
            "b.json": '{"id": "b", "needs": [{"level": "MUST", "label": "X", "min_count": 2}]}',
            "c.json": '{"id": "c", "needs": [], "id": "d"}',
        }
    )

    assert faults == [
        'c.json the document says the key "id" twice in one object',
        'b.json /needs/0/level unknown word "MUST", one of REQUIRED, IMPROVES, ADVISORY',
        "b.json /needs/0/min_count unknown key, did you mean minCount",
    ]
    assert states() == [("a", 1, "active")]


def test_a_cycle_through_what_is_in_force_is_refused():
    load(spec("b"), spec("a", feature("b")))
    assert refusals(
        {"b.json": '{"id": "b", "needs": [{"level": "ADVISORY", "feature": "a"}]}'}
    ) == ["b.json /needs/0/feature cycle b -> a -> b"]
    assert states() == [("a", 1, "active"), ("b", 1, "active")]


def test_a_cycle_through_what_is_loaded_with_it_is_refused():
    text = '{"id": "%s", "needs": [{"level": "REQUIRED", "feature": "%s"}]}'
    assert refusals({"one": text % ("a", "b"), "two": text % ("b", "a")}) == [
        "one /needs/0/feature cycle a -> b -> a",
        "two /needs/0/feature cycle b -> a -> b",
    ]
    assert states() == []


def test_a_version_that_breaks_a_cycle_is_judged_beside_what_is_loaded_with_it():
    """b needs a; loaded together, b stops needing it and a may need b."""
    load(spec("a"), spec("b", feature("a")))
    load(spec("a", feature("b")), spec("b"))
    assert states() == [
        ("a", 1, "retired"), ("a", 2, "active"), ("b", 1, "retired"), ("b", 2, "active"),
    ]  # fmt: skip


def test_one_id_in_two_files_is_refused():
    text = '{"id": "a", "needs": [{"level": "REQUIRED", "label": "X", "minCount": 2}]}'
    assert refusals({"one.json": text, "two.json": text}) == [
        "two.json /id is the id of one.json too"
    ]
