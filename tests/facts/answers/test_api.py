import json

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client

from facts.models import Answer
from tests.facts.answers.shop import LATE, LATE_AND_THERE, LATE_ORDERS, late, stood
from tests.facts.program import problem, program

PROPOSAL = {"question": LATE_ORDERS, "query": LATE}


@pytest.fixture
def assistant(shop):
    """The program that proposes, looks up and tells outcomes."""
    return program(shop, observer="answers", name="assistant")


@pytest.fixture
def auditor(shop):
    """Another, which never looks anything up."""
    return program(shop, observer="answers", name="auditor")


class Login:
    """Somebody who is logged in, talking to the API about acme."""

    def __init__(self, user, account=None):
        headers = {"Ken-Account": account.external_id} if account else {}
        self.user, self.client = user, Client(headers=headers)
        self.client.force_login(user)

    def send(self, method, path, body=None):
        return getattr(self.client, method)(
            f"/api/v1/{path}", json.dumps(body), content_type="application/json"
        )


@pytest.fixture
def sue(shop):
    """Somebody of support."""
    user = User.objects.create_user("sue", is_staff=True)
    user.groups.add(Group.objects.get(name="Support"))
    return Login(user, shop)


def looked(program, question=LATE_ORDERS):
    answer = program.post("answers/lookups", {"question": question})
    assert answer.status_code == 200, answer.content
    return answer.json()


def made(program, **more):
    answer = program.post("answers", {**PROPOSAL, **more})
    assert answer.status_code == 201, answer.content
    return answer.json()["id"]


def confirmed(program, answer, outcome="confirmed", **more):
    told = program.post(f"answers/{answer}/outcomes", {"outcome": outcome, **more})
    assert told.status_code == 200, told.content
    return told.json()


def test_from_a_proposal_to_an_answer_that_is_served(assistant, auditor):
    answer = made(assistant)
    assert looked(assistant)["reason"] == "unproven"

    told = confirmed(auditor, answer)
    assert (told["counted"], told["trust"], told["served"]) == (True, "believed", True)

    found = looked(assistant)
    assert (found["verdict"], found["answer"]["query"]) == ("serve", LATE)
    assert found["ref"].startswith("answer:question:")


def test_who_was_served_confirms_by_reuse_whatever_the_body_says(assistant, auditor):
    answer = made(assistant)
    confirmed(auditor, answer)
    looked(assistant)

    told = confirmed(assistant, answer, reused=False)

    assert (told["counted"], told["why"]) == (False, "reuse")
    assert stood(Answer.objects.get()).fact.support == pytest.approx(1, abs=1e-4)
    assert confirmed(assistant, answer, "refuted")["counted"]
    assert looked(assistant)["reason"] == "refuted"


def test_a_reader_looks_up_and_tells_nothing(shop, assistant, auditor):
    answer = made(assistant)
    confirmed(auditor, answer)
    reader = program(shop)

    assert looked(reader)["verdict"] == "serve"
    for path, body in [("answers", PROPOSAL), (f"answers/{answer}/outcomes", {"outcome": "used"})]:
        assert problem(reader.post(path, body))["status"] == 403


@pytest.mark.parametrize("observer", ["probe", "usage"])
def test_another_observer_does_not_even_look_up(shop, observer):
    other = program(shop, observer=observer, name="other")

    assert problem(other.post("answers/lookups", {"question": LATE_ORDERS}))["status"] == 403
    assert problem(other.post("answers", PROPOSAL))["status"] == 403


def test_the_observer_of_answers_can_not_write_their_facts_past_their_rules(assistant):
    answer = made(assistant)
    ref = str(stood(Answer.objects.get()).fact.ref)

    refused = assistant.observe(ref, 0, value={"answer": answer})

    assert problem(refused)["status"] == 403
    assert stood(Answer.objects.get()).fact.version == 0


def test_another_accounts_answer_is_nowhere(globex, assistant):
    answer = made(assistant)
    stranger = program(globex, observer="answers", name="assistant")

    for number in (answer, answer + 1, 2**63, 10**30):
        refused = stranger.post(f"answers/{number}/outcomes", {"outcome": "refuted"})
        assert problem(refused)["type"] == "/problems/unknown-answer"
    assert looked(stranger)["reason"] == "unknown-question"
    assert not stood(Answer.objects.get()).fact.history.filter(outcome="refuted").exists()


@pytest.mark.parametrize("claim", ["by", "account", "person", "verified_by", "is_person"])
def test_who_it_is_by_is_no_field_of_a_body(assistant, claim):
    answer = made(assistant)

    refused = assistant.post(
        f"answers/{answer}/outcomes", {"outcome": "confirmed", claim: "person:1"}
    )

    assert [error["pointer"] for error in problem(refused)["errors"]] == [f"/{claim}"]
    assert stood(Answer.objects.get()).fact.support == 0


def test_staff_verify_and_withdraw_and_each_leaves_its_line(assistant, sue):
    answer = made(assistant)

    verified = sue.send("put", f"answers/{answer}/verification")
    assert (verified.status_code, verified.json()["trust"]) == (200, "proven")
    assert looked(assistant)["answer"]["verified"]

    withdrawn = sue.send("delete", f"answers/{answer}/verification")
    assert (withdrawn.status_code, withdrawn.json()["verified_at"]) == (200, None)
    assert [
        (entry.user.username, entry.change_message) for entry in LogEntry.objects.order_by("pk")
    ] == [("sue", "Verified."), ("sue", "Withdrew the verification.")]


def test_no_token_verifies_and_no_login_that_may_not(shop, alice, assistant):
    answer = made(assistant)
    alice.user = User.objects.create_user("alice")
    alice.save()
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.groups.add(Group.objects.get(name="Operators"))
    path = f"answers/{answer}/verification"

    refused = [
        assistant.put(path, {}),
        program(shop, person=alice, name="hers").put(path, {}),
        Login(alice.user).send("put", path),
        Login(clerk, shop).send("put", path),
        Login(clerk, shop).send("delete", path),
    ]

    assert [problem(one)["status"] for one in refused] == [403] * 5
    assert stood(Answer.objects.get()).fact.verified_at is None


def test_a_persons_login_corrects_and_a_program_for_them_does_not(shop, alice, assistant, auditor):
    confirmed(auditor, made(assistant))
    alice.user = User.objects.create_user("alice")
    alice.save()
    better = {**PROPOSAL, "query": LATE_AND_THERE}

    hers = program(shop, person=alice, observer="answers", name="hers").post("answers", better)
    assert problem(hers)["type"] == "/problems/answer-stands"

    corrected = Login(alice.user).send("post", "answers", better)
    assert (corrected.status_code, corrected.json()["trust"]) == (201, "believed")
    assert looked(assistant)["verdict"] == "adds"


def test_an_outcome_with_a_key_is_told_once(assistant, auditor):
    answer = made(assistant)

    for _ in range(2):
        told = auditor.post(
            f"answers/{answer}/outcomes", {"outcome": "refuted"}, Idempotency_Key="k1"
        )
        assert told.status_code == 200
    assert stood(Answer.objects.get()).fact.history.filter(outcome="refuted").count() == 1


def test_a_faulty_question_is_pointed_at_and_never_quoted(assistant):
    secret = "hunter2-is-my-password"
    broken = late(secret)
    broken["constraints"][1]["op"] = "=="

    refused = assistant.post("answers/lookups", {"question": broken})

    pointers = [error["pointer"] for error in problem(refused)["errors"]]
    assert all(pointer.startswith("/question/constraints/1") for pointer in pointers)
    assert secret not in refused.content.decode()
