"""The given cases of what may be answered again."""

import json
from typing import Any

import pytest

from facts.answers.analysis import Analysis, analyse
from facts.answers.asking import Constraint
from facts.answers.containment import judge
from facts.answers.schema import Schema
from tests.conftest import given

GIVEN = json.loads(given("cases/answer_cases.json").read_text())
SCHEMA = Schema.from_document({"labels": GIVEN["schema"], "hops": GIVEN["hops"]})


@pytest.mark.parametrize("case", GIVEN["cases"], ids=lambda case: f"{case['id']} {case['tag']}")
def test_a_given_case_has_its_verdict(case: dict[str, Any]) -> None:
    constraints = [Constraint.from_document(one) for one in case["asked"]]
    analysis = analyse(case["sql"], "postgres", SCHEMA, case["params"])
    stored = Analysis.from_document(json.loads(json.dumps(analysis.to_document())))

    decision = judge(constraints, stored, SCHEMA)

    assert decision.verdict == case["verdict"], (decision, stored.unreadable)
    assert decision.is_served is case["reusable"]
    assert bool(decision.additions) is (case["verdict"] == "adds")


def test_every_given_case_is_here() -> None:
    assert len(GIVEN["cases"]) == 40
