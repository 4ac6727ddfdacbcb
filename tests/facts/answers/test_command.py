import json

import pytest
from django.core.management import CommandError, call_command

from facts.models import Answer
from tests.facts.answers.shop import LATE, LATE_AND_THERE, LATE_ORDERS, late, staff, stood

PROPOSAL = {"question": LATE_ORDERS, "query": LATE}


@pytest.fixture
def answer(shop, tmp_path, capsys):
    """Runs ``answer`` with a document in a file and returns what it printed, as JSON lines."""

    def run(act, document, *more, text=None):
        file = tmp_path / "said.json"
        file.write_text(json.dumps(document) if text is None else text)
        call_command("answer", act, "acme", str(file), *more)
        return capsys.readouterr().out

    return run


def test_from_a_proposal_to_an_answer_that_is_served(answer):
    [made] = map(json.loads, answer("propose", PROPOSAL, "--json").splitlines())
    assert (made["new"], made["trust"], made["reason"]) == (True, "unknown", "unproven")
    assert "unproven" in answer("lookup", LATE_ORDERS)

    said = {"answer": made["answer"], "outcome": "confirmed"}
    assert "counted; believed, served" in answer("outcome", said, "--by", "auditor")

    found = json.loads(answer("lookup", LATE_ORDERS, "--json"))
    assert (found["verdict"], found["answer"]["query"]) == ("serve", LATE)
    assert LATE in answer("lookup", LATE_ORDERS)
    assert "by reuse" in answer("outcome", said)


def test_a_user_is_a_person_and_corrects(answer):
    staff("sue")
    [made] = map(json.loads, answer("propose", PROPOSAL, "--json").splitlines())
    answer("outcome", {"answer": made["answer"], "outcome": "confirmed"}, "--by", "auditor")

    answer("propose", {**PROPOSAL, "query": LATE_AND_THERE}, "--user", "sue")

    assert "also restricts" in answer("lookup", LATE_ORDERS)
    assert list(Answer.objects.order_by("pk").values_list("proposed_by", "state")) == [
        ("command", "replaced"),
        ("staff:sue", "proposed"),
    ]


def test_a_list_is_taken_whole_or_not_at_all(answer):
    [made] = map(json.loads, answer("propose", PROPOSAL, "--json").splitlines())
    said = {"answer": made["answer"], "outcome": "refuted"}

    with pytest.raises(CommandError):
        answer("outcome", [said, {**said, "answer": made["answer"] + 1}])

    assert not stood(Answer.objects.get()).fact.refuted


@pytest.mark.parametrize(
    ("act", "document", "more", "words"),
    [
        ("lookup", {"text": "Late?"}, (), "/constraints"),
        ("lookup", late([1, {}]), (), "/constraints/1/value"),
        ("propose", {"query": LATE}, (), "question"),
        ("propose", {**PROPOSAL, "by": "alice"}, (), "no fields but"),
        ("propose", {**PROPOSAL, "dialect": "klingon"}, (), "dialect"),
        ("propose", {**PROPOSAL, "params": [1]}, (), "params"),
        ("outcome", {"answer": "1", "outcome": "refuted"}, (), "number"),
        ("outcome", {"answer": 1, "outcome": "refuted", "by": "alice"}, (), "object of"),
        ("outcome", {"answer": 1, "outcome": "refuted"}, (), "no answer of this number"),
        ("lookup", LATE_ORDERS, ("--user", "nobody"), "nobody logs in"),
        ("lookup", LATE_ORDERS, ("--by", "reuse"), "somebody else's name"),
        ("lookup", LATE_ORDERS, ("--by", "staff:sue"), "no colon"),
    ],
)
def test_what_makes_no_sense_is_one_line_that_says_so(answer, act, document, more, words):
    with pytest.raises(CommandError, match=words) as refusal:
        answer(act, document, *more)

    assert "\n" not in str(refusal.value)
    assert not Answer.objects.exists()


@pytest.mark.parametrize("text", ["{", "[1,", "[" * 100_000])
def test_what_is_no_json_is_said_so(answer, text):
    with pytest.raises(CommandError, match="no JSON"):
        answer("lookup", None, text=text)
