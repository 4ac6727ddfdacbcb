"""The published schema: a valid one, closed everywhere, that says by itself what a spec may say."""

import pytest
from jsonschema import Draft202012Validator

from specs.schema import LEVELS, NEEDS, SCHEMA

GOOD_NEEDS = {
    "label": {"level": "REQUIRED", "label": "Order", "minCount": 1},
    "hop": {
        "level": "REQUIRED",
        "hop": {"from": "Order", "verb": "SHIPPED_BY", "to": "Carrier"},
        "minCoverage": 0.5,
    },
    "fill": {
        "level": "IMPROVES",
        "fill": {"label": "Order", "property": "promisedAt"},
        "minFill": 0.6,
    },
    "signal": {"level": "ADVISORY", "signal": "integration_health", "category": "shipping"},
    "plan": {"level": "REQUIRED", "plan": "reports"},
    "feature": {"level": "IMPROVES", "feature": "refunds"},
}


def accepts(document: object) -> bool:
    return Draft202012Validator(SCHEMA).is_valid(document)


def spec_of(*needs: dict) -> dict:
    return {"id": "late-orders", "needs": list(needs)}


def objects_in(schema: object) -> list[dict]:
    if isinstance(schema, list):
        return [found for item in schema for found in objects_in(item)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for item in schema.values() for found in objects_in(item)]


def test_the_schema_is_a_valid_schema_of_its_draft():
    Draft202012Validator.check_schema(SCHEMA)


def test_there_is_a_good_need_of_every_kind():
    assert GOOD_NEEDS.keys() == NEEDS.keys()
    assert accepts(spec_of(*GOOD_NEEDS.values()))


def test_every_object_in_the_schema_is_closed():
    assert [
        found for found in objects_in(SCHEMA) if found["additionalProperties"] is not False
    ] == []


@pytest.mark.parametrize("kind", NEEDS)
def test_no_key_of_a_need_may_be_left_out(kind):
    need = GOOD_NEEDS[kind]
    for key in need:
        assert not accepts(spec_of({other: need[other] for other in need if other != key})), key


@pytest.mark.parametrize("kind", NEEDS)
def test_no_key_may_be_added_to_a_need(kind):
    assert not accepts(spec_of(GOOD_NEEDS[kind] | {"note": "x"}))


@pytest.mark.parametrize("kind", NEEDS)
@pytest.mark.parametrize("level", LEVELS)
def test_every_kind_may_have_every_level(kind, level):
    assert accepts(spec_of(GOOD_NEEDS[kind] | {"level": level}))


@pytest.mark.parametrize("word", ["minCoverage", "minFill"])
@pytest.mark.parametrize(
    ("share", "fits"),
    [(0, True), (1, True), (0.5, True), (-0.01, False), (1.01, False), (50, False)],
)
def test_a_share_lies_between_nothing_and_all(word, share, fits):
    kind = {"minCoverage": "hop", "minFill": "fill"}[word]
    assert accepts(spec_of(GOOD_NEEDS[kind] | {word: share})) is fits


@pytest.mark.parametrize(
    ("id_", "fits"),
    [
        ("late-orders", True),
        ("a", True),
        ("2fa", True),
        ("Late", False),
        ("late orders", False),
        ("-late", False),
        ("late--orders", False),
        ("late-orders\n", False),
        ("", False),
        ("x" * 61, False),
    ],
)
def test_an_id_is_a_slug(id_, fits):
    assert accepts(spec_of(GOOD_NEEDS["label"]) | {"id": id_}) is fits


def test_a_spec_without_needs_is_refused():
    assert not accepts(spec_of())
