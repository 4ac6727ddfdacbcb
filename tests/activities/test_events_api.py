"""Events pushed over HTTP."""

import pytest
import time_machine

from activities.models import UnmappedAction, Vote
from facts.models import Account, Person
from tests.activities.diary import DAY, LATER, MONDAY, Diary
from tests.facts.program import problem, program

NINE = MONDAY.isoformat()


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(LATER, tick=False):
        yield


@pytest.fixture
def product(diary):
    """The product behind acme, with a token of the observer of activities."""
    return program(diary.account, observer="activities", name="product")


def act(person="alice", action="refund", at=NINE, **more):
    return {"person": person, "action": action, "at": at, **more}


def push(program, *events):
    return program.post("events", {"events": events})


def test_events_are_taken_like_those_of_a_file(product, diary):
    answer = push(
        product,
        act(),
        act(at=(MONDAY).isoformat()),
        act(action="merge"),
        act(on_behalf_of="bob"),
        act(at="2026-03-02T09:00:00"),
        act(at=(LATER + DAY).isoformat()),
        "refund",
    )

    assert answer.status_code == 200
    assert answer.json() == {
        "accepted": 1,
        "folded": 1,
        "unmapped": 1,
        "on_behalf": 1,
        "refused": [
            {"line": 4, "reason": "at has no offset from UTC, so it is no instant"},
            {"line": 5, "reason": "at lies in the future"},
            {"line": 6, "reason": "an event is an object with account, person, action and at"},
        ],
    }
    assert diary.sessions("alice") == [(MONDAY, MONDAY, "refund")]
    assert UnmappedAction.objects.get().name == "merge"


def test_the_same_push_again_changes_nothing(product, diary):
    days = [act(at=(MONDAY + DAY * day).isoformat()) for day in range(3)]
    push(product, *days)
    before = diary.sessions("alice"), list(Vote.objects.values())

    again = push(product, *reversed(days)).json()

    assert (again["accepted"], again["folded"]) == (0, 3)
    assert (diary.sessions("alice"), list(Vote.objects.values())) == before
    assert diary.activities() == [("alice", "refund")]


def test_an_event_of_another_account_is_refused_and_lands_nowhere(product, diary):
    globex = Diary("globex")

    answer = push(product, act(account="globex"), act(account="acme"))

    assert answer.json()["accepted"] == 1
    assert answer.json()["refused"] == [
        {"line": 0, "reason": "account is another than the credential's"}
    ]
    assert not Vote.objects.filter(account=globex.account).exists()
    assert not Person.objects.filter(account=globex.account).exists()


def test_a_token_of_one_person_pushes_that_persons_events(diary):
    diary.did("alice", "reply", MONDAY + DAY)
    alice = program(diary.account, person=diary.person("alice"), observer="activities")

    answer = push(alice, act("bob"), {"action": "refund", "at": NINE})

    assert answer.json()["refused"] == [
        {"line": 0, "reason": "person is another than the credential's"}
    ]
    assert len(diary.sessions("alice")) == 2
    assert not diary.account.people.filter(external_id="bob").exists()


@pytest.mark.parametrize("observer", ["", "probe"])
def test_other_tokens_push_nothing(diary, observer):
    answer = push(program(diary.account, observer=observer), act())

    assert answer.status_code == 403
    assert problem(answer)["detail"] == "this is told by a token of the observer activities"
    assert not Vote.objects.exists()


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/events"),
        ({"events": {}}, "/events"),
        ({"events": [], "account": "globex"}, "/account"),
        ({"events": [{}] * 10_001}, "/events"),
    ],
)
def test_a_body_that_holds_no_list_of_events_is_refused_whole(product, body, pointer):
    answer = product.post("events", body)

    assert answer.status_code == 400
    assert problem(answer)["errors"][0]["pointer"] == pointer
    assert not Account.objects.filter(external_id="globex").exists()


def test_nothing_sent_but_names_of_fields_comes_back(product):
    answer = push(product, act(action="mail alice@example.com"), act(person="\x07bell"))

    assert answer.json()["refused"] == [
        {"line": 0, "reason": "the action's name may not be kept: email"},
        {"line": 1, "reason": "person must be a text of 1 to 200 printable characters"},
    ]


def test_an_event_with_a_field_nobody_reads_is_refused_by_its_place(product):
    answer = push(product, act(), act(payload={"amount": 12}))

    assert answer.json()["accepted"] == 1
    assert answer.json()["refused"] == [
        {
            "line": 1,
            "reason": "an event has no other fields than account, action, at, on_behalf_of, person",
        }
    ]
