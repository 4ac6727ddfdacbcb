"""The given cases of one value, through the function the product asks, and what we decided."""

import json

import pytest

from facts import guard
from facts.refs import Ref
from tests.conftest import given

# The cases left open, what we do, and why.
DECISIONS = {
    # By type rather than look: a text column named password keeps nothing. A date column would
    # keep its dates (test_guard_names.py).
    "G043": "credential",
    # Presidio sees no address here, nor do we ("info@presidio." under another name stays), but a
    # property that is named as an e-mail address is withheld whatever stands in it.
    "G091": "person",
    # The checksum is the rule's point: what fails it is somebody's order number.
    "G103": None,
    # Surnames are names of people however many share them.
    "G105": "person",
    # A public office, not a customer: names of offices and of a work's makers are vocabulary.
    "G107": None,
    # Street addresses are withheld by name; here by the three owners too.
    "G109": "person",
    # A value counts as it stands. " Open" on two records is shared by two, and if three hold it,
    # a query finds them only by the value with its blank: the guard trims nothing.
    "G117": "shared",
}


def cases():
    return json.loads(given("cases/guard_cases.json").read_text())["cases"]


def reason(case):
    return guard.value_reason(
        case["value"],
        of=Ref.of("data", "vocabulary", "Thing", case["name"]).key,
        type="text",
        records=case["shares"],
        owners=case.get("subjects"),
    )


@pytest.mark.parametrize("level", ["must", "should"])
def test_every_case_that_is_settled_holds(level):
    wrong = {
        case["id"]: reason(case)
        for case in cases()
        if case["level"] == level and (reason(case) is None) != (case["expected"] == "keep")
    }

    assert wrong == {}


def test_every_open_case_is_decided():
    open_cases = {case["id"]: reason(case) for case in cases() if case["level"] == "decision"}

    assert open_cases == DECISIONS


def test_a_vocabulary_that_holds_a_case_keeps_or_loses_it_alike():
    for case in cases():
        entry = {"value": case["value"], "records": case["shares"]}
        if "subjects" in case:
            entry["owners"] = case["subjects"]
        of = Ref.of("data", "vocabulary", "Thing", case["name"]).key

        cleaned = guard.clean({"of": of, "type": "text", "values": [entry], "more": 0})

        assert cleaned["values"] == ([entry] if reason(case) is None else []), case["id"]


def test_a_secret_told_in_prose_is_seen_and_what_only_looks_like_one_stays():
    # Field report 15.
    assert guard.text_reason("Password for the shop: hunter2") == "credential"
    assert guard.text_reason("see postgres://app:hunter2@db/shop") == "credential"
    assert guard.text_reason("-----BEGIN RSA PRIVATE KEY-----") == "credential"
    assert guard.text_reason("ghp_16C7e42F292c6912E7710c838347Ae178B4a") == "credential"
    assert guard.text_reason("da39a3ee5e6b4b0d3255bfef95601890afd80709") is None
    assert guard.text_reason("10237f64-0bc0-487d-9011-acf99444131e") is None
    assert guard.text_reason("September") is None
