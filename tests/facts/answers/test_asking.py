"""Reading questions, and refusing misshapen ones."""

from typing import Any

import pytest

from facts.answers.asking import BadQuestion, Constraint, Question, Thing

ROWS = {"label": "Order", "op": "rows"}


def question(*constraints: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {"text": "late orders", "constraints": list(constraints), **others}


def test_a_question_reads_and_writes_back() -> None:
    document = question(
        {"label": "Order", "property": None, "op": "rows", "value": None},
        {"label": "Order", "property": "status", "op": "in", "value": ["late", "open"]},
        {"label": "Order", "property": "placedAt", "op": ">=", "value": {"rel": "-30d"}},
        things=[{"kind": "Carrier", "identity": "UPS"}],
    )

    found = Question.from_document(document)

    assert found.things == (Thing("Carrier", "UPS"),)
    assert found.constraints[1] == Constraint("Order", "status", "in", ("late", "open"))
    assert found.to_document() == document


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "/: an object with constraints, text must stand here"),
        ({"text": "a"}, "/constraints: constraints is missing"),
        (question(), "/constraints: exactly one of rows, count or sum says what is asked"),
        (
            question(ROWS, {"label": "Order", "op": "count"}),
            "/constraints: exactly one of rows, count or sum says what is asked",
        ),
        (
            question(ROWS, {"label": "Order", "property": "status", "op": "=", "value": None}),
            "/constraints/1/value: null is no value to compare with; ask is_null or not_null",
        ),
        (
            question(ROWS, {"label": "Order", "property": "status", "op": "="}),
            "/constraints/1/value: null is no value to compare with; ask is_null or not_null",
        ),
        (
            question(ROWS, {"label": "Order", "property": "total", "op": "<", "value": 1e31}),
            '/constraints/1/value: a value is a text, a number, true, false or {"rel": "-30d"}',
        ),
        (
            question(ROWS, {"label": "Order", "property": "total", "op": "in", "value": []}),
            "/constraints/1/value: in takes a list of 1 to 500 values",
        ),
        (
            question(ROWS, {"label": "Order", "property": "total", "op": "between", "value": [1]}),
            "/constraints/1/value: between takes a list of two values",
        ),
        (
            question({"label": "Order", "property": "total", "op": "rows"}),
            "/constraints/0/property: rows is about a label, not a property",
        ),
        (
            question(ROWS, {"label": "Order", "op": "sum"}),
            "/constraints/1/property: a text of 1 to 200 characters must stand here",
        ),
        (
            question(ROWS, {"label": "Order", "op": "limit", "value": 0}),
            "/constraints/1/value: a limit is a whole number from 1",
        ),
        (question(ROWS, things=[{"kind": "A"}]), "/things/0/identity: identity is missing"),
        (question(ROWS, more=1), "/: there are no other fields than constraints, text, things"),
    ],
)
def test_a_misshapen_question_is_refused_in_one_line(document: Any, message: str) -> None:
    with pytest.raises(BadQuestion) as refusal:
        Question.from_document(document)

    assert str(refusal.value) == message


def test_a_refusal_never_quotes_a_value() -> None:
    secret = {"label": "Order", "property": "status", "op": "hunter2", "value": "hunter2"}

    with pytest.raises(BadQuestion) as refusal:
        Question.from_document(question(ROWS, secret))

    assert "hunter2" not in str(refusal.value)
    assert refusal.value.pointer == "/constraints/1/op"
