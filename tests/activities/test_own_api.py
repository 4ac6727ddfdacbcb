"""What a person works on and says of it, over HTTP."""

import json
from urllib.parse import quote

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.test import Client

from activities.models import Feedback, Preferences
from facts.derivations import settle
from tests.activities.diary import DAY, LATER, MONDAY
from tests.facts.program import problem, program


@pytest.fixture(autouse=True)
def clock(db):
    with time_machine.travel(LATER, tick=False) as traveller:
        yield traveller


@pytest.fixture
def acme(diary):
    """alice refunds in 4 sessions and invoices in 3; bob replies in 3."""
    diary.came_back_to("alice", "refund", sessions=4)
    diary.came_back_to("alice", "invoice", since=MONDAY + 6 * DAY)
    diary.came_back_to("bob", "reply")
    settle(diary.account, clock=lambda: LATER)
    return diary.account


@pytest.fixture
def hers(acme, diary):
    return program(acme, person=diary.person("alice"), name="her assistant")


@pytest.fixture
def reader(acme):
    return program(acme)


def verbs(answer):
    assert answer.status_code == 200, answer.content
    return [activity["verb"] for activity in answer.json()["activities"]]


def test_activities_are_read_as_stored_with_their_trust_and_age(hers):
    activity = hers.get("activities").json()["activities"][0]

    assert activity == {
        "verb": "refund",
        "title": "Refund",
        "sessions": 4,
        "days": 4,
        "colleagues": 1,
        "others": None,  # of one colleague, which would be a figure about somebody
        "lift": None,
        "first": "2026-03-02T09:00:00+00:00",
        "last": "2026-03-05T09:00:00+00:00",
        "trust": "believed",
        "measured_at": "2026-03-22T09:00:00Z",
    }


def test_colleagues_are_told_of_where_there_are_three(acme, diary, hers):
    for name in ("carol", "dave"):
        diary.did(name, "reply", MONDAY)
    settle(acme, clock=lambda: LATER)

    activity = hers.get("activities").json()["activities"][0]

    assert (activity["colleagues"], activity["others"], activity["lift"]) == (3, 0, "5/1")


def test_a_reader_of_the_account_names_the_person_and_others_have_none(reader, hers):
    assert verbs(reader.get("people/alice/activities")) == ["refund", "invoice"]
    assert verbs(reader.get("people/bob/activities")) == ["reply"]
    assert problem(reader.get("activities"))["type"] == "/problems/unknown-person"
    assert problem(hers.get("people/bob/activities"))["type"] == "/problems/unknown-person"


def test_an_observer_reads_no_activities(acme, diary):
    product = program(acme, person=diary.person("alice"), observer="activities", name="product")

    assert product.get("activities").status_code == 403


def test_what_is_not_hers_is_gone_from_the_next_read_and_comes_back_when_taken_back(hers):
    said = hers.put("feedback/refund", {"say": "not-mine"})

    assert said.json() == {
        "verb": "refund",
        "title": "Refund",
        "say": "not-mine",
        "at": "2026-03-22T09:00:00Z",
        "ends_at": None,
    }
    assert verbs(hers.get("activities")) == ["invoice"]
    assert hers.get("feedback").json() == {"feedback": [said.json()]}

    assert hers.delete("feedback/refund").status_code == 204
    assert verbs(hers.get("activities")) == ["refund", "invoice"]
    assert hers.get("feedback").json() == {"feedback": []}


def test_what_is_hidden_says_until_when(hers):
    said = hers.put("feedback/invoice", {"say": "hide"}).json()

    assert said["ends_at"] == "2026-04-21T09:00:00Z"
    assert verbs(hers.get("activities")) == ["refund"]


def test_saying_and_taking_back_again_change_nothing(hers, clock):
    first = hers.put("feedback/invoice", {"say": "hide"})
    clock.shift(DAY)
    again = hers.put("feedback/invoice", {"say": "hide"})

    assert again.content == first.content
    assert Feedback.objects.count() == 1
    assert [hers.delete("feedback/invoice").status_code for _ in range(2)] == [204, 204]
    assert Feedback.objects.get().withdrawn_at == LATER + DAY


def own_requests(caller):
    """Every request that only the person may make."""
    yield caller.get("people/alice/feedback")
    yield caller.put("people/alice/feedback/refund", {"say": "not-mine"})
    yield caller.delete("people/alice/feedback/refund")
    yield caller.get("people/alice/preferences")
    yield caller.put("people/alice/preferences", {"text": "In euros."})


def test_nobody_says_it_for_her(acme, diary, reader):
    alice, bob = diary.person("alice"), diary.person("bob")
    product = program(acme, person=alice, observer="activities", name="product")
    his = program(acme, person=bob, name="his assistant")

    assert [answer.status_code for answer in own_requests(reader)] == [403] * 5
    assert [answer.status_code for answer in own_requests(product)] == [403] * 5
    assert [answer.status_code for answer in own_requests(his)] == [404] * 5
    assert not Feedback.objects.exists()
    assert not Preferences.objects.exists()


class Login:
    """The same requests by a login, JSON in and out."""

    def __init__(self, user, **headers):
        self.client = Client(headers=headers)
        self.client.force_login(user)

    def get(self, path):
        return self.client.get(f"/api/v1/{path}")

    def put(self, path, body):
        return self.client.put(f"/api/v1/{path}", json.dumps(body), "application/json")

    def delete(self, path):
        return self.client.delete(f"/api/v1/{path}")


def test_her_login_may_all_that_her_token_may(diary, acme):
    alice = diary.person("alice")
    alice.user = User.objects.create_user("alice")
    alice.save()
    login = Login(alice.user)

    assert [answer.status_code for answer in own_requests(login)] == [200, 200, 204, 200, 200]
    assert verbs(login.get("activities")) == ["refund", "invoice"]
    assert login.get("preferences").json()["text"] == "In euros."


def test_not_even_an_administrator_says_it_for_her(acme):
    root = User.objects.create_superuser("root")
    sue = User.objects.create_user("sue", is_staff=True)
    sue.user_permissions.set(Permission.objects.filter(codename="view_fact"))

    for user in (root, sue):
        login = Login(user, **{"Ken-Account": "acme"})
        assert [answer.status_code for answer in own_requests(login)] == [403] * 5
        assert verbs(login.get("people/alice/activities")) == ["refund", "invoice"]
    assert not Feedback.objects.exists()


@pytest.mark.parametrize(
    ("verb", "body", "status", "type_"),
    [
        ("juggle", {"say": "hide"}, 404, "unknown-verb"),
        ("refund", {"say": "loathe"}, 400, "invalid"),
        ("refund", {"say": "hide", "person": "bob"}, 400, "invalid"),
        ("refund", {}, 400, "invalid"),
        (quote("a\x01b"), {"say": "hide"}, 404, "unknown-verb"),
    ],
)
def test_what_makes_no_sense_is_refused(hers, verb, body, status, type_):
    details = problem(hers.put(f"feedback/{verb}", body))

    assert (details["status"], details["type"]) == (status, f"/problems/{type_}")
    assert not Feedback.objects.exists()


def test_preferences_are_written_read_and_taken_back(hers):
    assert hers.get("preferences").json() == {"text": "", "written_at": None}
    written = hers.put("preferences", {"text": "  Amounts in euros.\n"})

    assert written.json() == {"text": "Amounts in euros.", "written_at": "2026-03-22T09:00:00Z"}
    assert hers.get("preferences").json() == written.json()
    assert hers.put("preferences", {"text": ""}).json()["text"] == ""


def test_preferences_written_again_change_nothing(hers, clock):
    first = hers.put("preferences", {"text": "In euros."})
    clock.shift(DAY)

    assert hers.put("preferences", {"text": "In euros."}).content == first.content


@pytest.mark.parametrize("text", ["x" * 501, "Mail me at alice@example.com", "a\x00b"])
def test_preferences_that_can_not_be_kept_are_refused_and_what_stood_stays(hers, text):
    hers.put("preferences", {"text": "In euros."})

    answer = hers.put("preferences", {"text": text})

    assert answer.status_code == 400
    assert "example.com" not in answer.content.decode()
    assert hers.get("preferences").json()["text"] == "In euros."


def test_a_refusal_of_preferences_points_at_the_text(hers):
    details = problem(hers.put("preferences", {"text": "x" * 501}))

    assert [error["pointer"] for error in details["errors"]] == ["/text"]
