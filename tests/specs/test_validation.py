"""Refusals of a document: all of them at once, with the place and what would be right."""

import json

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from specs.errors import Fault
from specs.validation import faults_of, features_of
from tests.conftest import given
from tests.specs.test_schema import GOOD_NEEDS, spec_of

LABEL = GOOD_NEEDS["label"]


def given_cases(kind: str) -> dict[str, dict]:
    cases = json.loads(given("cases/judging_cases.json").read_text())
    return {case["issue"]: case for case in cases if case["kind"] == kind}


def said(document: object, **others: list[str]) -> list[str]:
    return [str(fault) for fault in faults_of(document, others=others)]


def feature(name: str, level: str = "REQUIRED") -> dict:
    return {"level": level, "feature": name}


def test_a_good_document_has_no_faults():
    assert said(spec_of(*GOOD_NEEDS.values()) | {"title": "Late orders"}, refunds=[]) == []


@pytest.mark.parametrize(
    ("issue", "faults"),
    [
        (
            "dbt-labs/dbt-jsonschema#179",
            ["/needs/0/min_count unknown key, did you mean minCount"],
        ),
        (
            "vercel/ai#19978",
            ['/needs/0/level unknown word "MUST", one of REQUIRED, IMPROVES, ADVISORY'],
        ),
        ("growthbook/growthbook#6907", ["/needs/0/feature cycle a -> b -> a"]),
    ],
)
def test_the_given_cases_are_refused_where_they_are_wrong(issue, faults):
    spec = given_cases("save")[issue]["spec"]
    beside = spec.pop("_with", None)
    others = {beside["id"]: features_of(beside)} if beside else {}

    assert said(spec, **others) == faults


def test_there_is_no_other_given_case_of_a_refusal():
    assert len(given_cases("save")) == 3


@pytest.mark.parametrize(
    ("need", "faults"),
    [
        ({"level": "required"}, ['/level unknown word "required", did you mean REQUIRED']),
        ({"label": ""}, ["/label is empty"]),
        ({"label": 3}, ["/label is a number where text belongs"]),
        ({"label": "x" * 201}, ["/label has 201 characters, and 200 are the most"]),
        ({"minCount": -1}, ["/minCount -1 is less than 0: a count is 0 or more"]),
        ({"minCount": "1"}, ["/minCount is text where a whole number belongs"]),
        ({"minCount": True}, ["/minCount is true or false where a whole number belongs"]),
        ({"minCount": None}, ["/minCount is null where a whole number belongs"]),
        ({"zebra": 1}, ["/zebra unknown key, one of level, label, minCount"]),
        ({"a/b~c": 1}, ["/a~1b~0c unknown key, one of level, label, minCount"]),
        ({"plan": "x"}, [" says label and plan: one need says one of them"]),
        (
            {"label": "a\u202eb"},
            ["/label has characters that can't be printed"],
        ),
    ],
)
def test_a_fault_in_a_need_says_where_what_and_what_would_be_right(need, faults):
    assert said(spec_of(LABEL | need)) == [f"/needs/0{fault}" for fault in faults]


@pytest.mark.parametrize(
    ("need", "faults"),
    [
        (
            {"level": "REQUIRED"},
            [" says nothing of what it needs: one of label, hop, fill, signal, plan, feature"],
        ),
        ({"level": "REQUIRED", "lable": "Order"}, ["/lable unknown key, did you mean label"]),
        ({"label": "Order"}, [" level is missing", " minCount is missing"]),
        ("Order", [" is text where a need, an object, belongs"]),
        (
            {"level": "REQUIRED", "signal": "integration-health", "category": "shipping"},
            ['/signal unknown word "integration-health", did you mean integration_health'],
        ),
        (
            {"level": "REQUIRED", "hop": {"from": "Order", "verb": "BY"}, "minCoverage": 50},
            ["/hop to is missing", "/minCoverage 50 is more than 1: a share lies in 0 to 1"],
        ),
        (
            {"level": "REQUIRED", "fill": "Order.promisedAt", "minFill": 0.5},
            ["/fill is text where an object belongs"],
        ),
    ],
)
def test_a_need_is_read_as_the_kind_it_names(need, faults):
    assert said(spec_of(need)) == [f"/needs/0{fault}" for fault in faults]


@pytest.mark.parametrize(
    ("document", "faults"),
    [
        ([], ["the document is a list where an object belongs"]),
        (None, ["the document is null where an object belongs"]),
        ({}, ["the document id is missing", "the document needs is missing"]),
        (
            {"id": "a", "needs": []},
            ["/needs is empty: a spec without needs would call every account ready"],
        ),
        ({"id": "a", "need": [LABEL]}, ["/need unknown key, did you mean needs"]),
        (
            {"id": "Late Orders", "needs": [LABEL]},
            ['/id "Late Orders" is no id: small letters, digits and hyphens, as in late-orders'],
        ),
        ({"id": "a", "needs": {"0": LABEL}}, ["/needs is an object where a list belongs"]),
        (
            {"id": "a", "title": "a\u0000b", "needs": [LABEL]},
            ["/title has characters that can't be printed"],
        ),
        (
            {"id": "a", "title": "\ud800", "needs": [LABEL]},
            ["/title has characters that can't be printed"],
        ),
    ],
)
def test_a_fault_of_the_whole_document_is_said(document, faults):
    assert said(document) == faults


@pytest.mark.parametrize(
    ("need", "pointer"),
    [
        ({"level": "REQUIRED", "plan": "a\u0000b"}, "/needs/0/plan"),
        ({"level": "REQUIRED", "plan": "\ud800"}, "/needs/0/plan"),
        (
            {"level": "REQUIRED", "fill": {"label": "a", "property": "b\n"}, "minFill": 1},
            "/needs/0/fill/property",
        ),
    ],
)
def test_what_could_not_be_stored_or_printed_is_refused(need, pointer):
    assert said(spec_of(need)) == [f"{pointer} has characters that can't be printed"]


def test_names_that_are_too_long_together_are_refused():
    long = {"from": "|" * 200, "verb": "|" * 200, "to": "C"}
    assert said(spec_of({"level": "REQUIRED", "hop": long, "minCoverage": 1})) == [
        "/needs/0/hop can't be the name of a fact: a ref has at most 1000 characters"
    ]


def test_all_faults_are_said_at_once_in_the_order_of_the_document():
    needs = [LABEL | {"level": "MUST"}, *[LABEL | {"label": f"L{n}"} for n in range(9)]]
    needs += [LABEL | {"label": "Order", "minCount": "x"}, feature("nowhere")]

    assert said({"id": "A", "needs": needs, "notes": ""}, refunds=[]) == [
        '/id "A" is no id: small letters, digits and hyphens, as in late-orders',
        '/needs/0/level unknown word "MUST", one of REQUIRED, IMPROVES, ADVISORY',
        "/needs/10/minCount is text where a whole number belongs",
        '/needs/11/feature unknown feature "nowhere", one of refunds',
        "/notes unknown key, did you mean needs",
    ]


def test_the_same_need_said_twice_is_a_fault():
    assert said(spec_of(LABEL, LABEL | {"minCount": 5})) == ["/needs/1 says the same as /needs/0"]
    assert said(spec_of(LABEL, LABEL | {"level": "ADVISORY"})) == [
        "/needs/1 says the same as /needs/0"
    ]


def test_a_higher_threshold_at_another_level_is_another_need():
    assert said(spec_of(LABEL, LABEL | {"level": "IMPROVES", "minCount": 100})) == []


def test_two_features_of_the_plan_are_two_needs_though_they_rest_on_one_fact():
    plan = GOOD_NEEDS["plan"]
    assert said(spec_of(plan, plan | {"plan": "exports"})) == []


def test_an_unknown_feature_names_the_nearest_known_one():
    assert said(spec_of(feature("refund")), refunds=[], scorecards=[]) == [
        '/needs/0/feature unknown feature "refund", did you mean refunds'
    ]
    assert said(spec_of(feature("refund"))) == [
        '/needs/0/feature unknown feature "refund"; there is no other feature yet'
    ]


def test_a_feature_that_needs_itself_is_a_cycle():
    assert said({"id": "a", "needs": [feature("a")]}) == ["/needs/0/feature cycle a -> a"]


def test_a_long_cycle_is_told_link_by_link():
    assert said({"id": "a", "needs": [LABEL, feature("b")]}, b=["c"], c=["d", "a"], d=[]) == [
        "/needs/1/feature cycle a -> b -> c -> a"
    ]


def test_a_diamond_is_no_cycle():
    document = {"id": "a", "needs": [feature("b"), feature("c")]}
    assert said(document, b=["d"], c=["d"], d=[]) == []


def test_the_needs_in_force_of_the_same_spec_are_not_held_against_its_new_version():
    """a needed b; now b needs a, and the new a needs nothing: no cycle is left."""
    assert said({"id": "a", "needs": [LABEL]}, a=["b"], b=["a"]) == []


def test_what_is_quoted_is_cut_short():
    long = "x" * 5_000
    for fault in said({"id": long, "needs": [LABEL | {"level": long}, LABEL | {long: 1}]}):
        assert len(fault) < 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "needs", "level", "label", "hop", "minCount", "feature", "from"])
            | st.text(),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@for_all(json_values)
def test_any_document_is_judged_without_raising(document):
    for fault in faults_of(document, others={}):
        assert isinstance(fault, Fault)
        assert str(fault).isprintable()


@for_all(st.lists(json_values, min_size=1, max_size=3))
def test_what_the_schema_refuses_has_a_fault(needs):
    from jsonschema import Draft202012Validator

    from specs.schema import SCHEMA

    document = {"id": "a", "needs": needs}
    if not Draft202012Validator(SCHEMA).is_valid(document):
        assert faults_of(document, others={}) != []
