from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from facts import forgetting, replies, scheduling
from facts.models import Observation, Reply
from tests.facts.observing import ORDERS, observe
from tests.facts.program import problem, program

WISH = {"refs": ["data:label:Order", "data:label:Carrier"]}
PATH = "facts/requests"
ONE = "facts/requests/data:label:Order"


def times_asked():
    return list(Observation.objects.filter(outcome="requested").values_list("count", flat=True))


def test_a_request_sent_again_with_its_key_is_made_once_and_answered_the_same(acme, reader):
    first = reader.post(PATH, WISH, Idempotency_Key="a-1")
    again = reader.post(PATH, WISH, Idempotency_Key="a-1")

    assert (first.status_code, again.status_code) == (202, 202)
    assert again.content == first.content
    assert ("Idempotency-Replayed" in first, again["Idempotency-Replayed"]) == (False, "true")
    assert times_asked() == [1, 1]


def test_the_answer_is_the_first_ones_whatever_became_of_the_fact(acme, reader):
    first = reader.post(ONE, Idempotency_Key="a-1")
    observe(acme, now=timezone.now())

    assert reader.post(ONE, Idempotency_Key="a-1").json() == first.json()
    assert reader.post(ONE, Idempotency_Key="a-2").json()["version"] == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (PATH, {"refs": ["data:label:Order"]}),
        (PATH, {"refs": ["data:label:Carrier", "data:label:Order"]}),
        (ONE, None),
        ("people/alice/facts/requests", WISH),
    ],
)
def test_a_key_that_comes_with_something_else_is_a_conflict(acme, alice, reader, path, body):
    reader.post(PATH, WISH, Idempotency_Key="a-1")

    details = problem(reader.post(path, body, Idempotency_Key="a-1"))

    assert (details["status"], details["type"]) == (409, "/problems/key-reused")
    assert times_asked() == [1, 1]


def test_only_what_the_body_says_counts_and_not_how_it_is_spelled(acme, reader):
    reader.post(PATH, WISH, Idempotency_Key="a-1")

    again = reader.post(
        PATH,
        '{ "refs" : ["data:label:Order","data:label:C\\u0061rrier"] }',
        Idempotency_Key="a-1",
    )

    assert again["Idempotency-Replayed"] == "true"


def test_a_refused_request_leaves_its_key_free(acme, reader):
    refused = reader.post(PATH, {"refs": ["data:label"]}, Idempotency_Key="a-1")

    assert (refused.status_code, Reply.objects.count()) == (400, 0)
    assert reader.post(PATH, WISH, Idempotency_Key="a-1").status_code == 202


def test_a_key_is_its_tokens_own(acme, globex, reader):
    for caller in (reader, program(acme, name="other"), program(globex)):
        answer = caller.post(PATH, WISH, Idempotency_Key="a-1")
        assert "Idempotency-Replayed" not in answer

    assert Reply.objects.count() == 3


def test_a_logins_key_is_another_in_each_account(acme, globex):
    staff = User.objects.create_user("sue", is_staff=True)
    staff.user_permissions.set(
        Permission.objects.filter(codename__in=["view_fact", "request_fact"])
    )
    client = Client()
    client.force_login(staff)

    def ask(account):
        headers = {"Ken-Account": account, "Idempotency-Key": "a-1"}
        path = f"/api/v1/{ONE}"
        return client.post(path, content_type="application/json", headers=headers)

    assert "Idempotency-Replayed" not in ask("acme")
    assert "Idempotency-Replayed" not in ask("globex")
    assert ask("acme")["Idempotency-Replayed"] == "true"


def test_a_key_is_good_for_a_day_and_then_forgotten(acme, reader):
    reader.post(PATH, WISH, Idempotency_Key="a-1")
    now = timezone.now()

    assert replies.prune(now=now + replies.KEPT - timedelta(minutes=1)) == 0
    Reply.objects.update(at=now - replies.KEPT)
    assert "Idempotency-Replayed" not in reader.post(PATH, WISH, Idempotency_Key="a-1")
    assert replies.prune(now=now + replies.KEPT + timedelta(minutes=1)) == 1


def test_the_tick_forgets_what_is_past_its_day(acme, reader):
    reader.post(PATH, WISH, Idempotency_Key="a-1")
    Reply.objects.update(at=timezone.now() - replies.KEPT)
    reader.post(PATH, WISH, Idempotency_Key="a-2")

    scheduling.tick(now=timezone.now()).demand_success()

    assert Reply.objects.count() == 1


@pytest.mark.parametrize("key", ["", "x" * 201, "two words", "clé"])
def test_a_key_that_is_none_is_refused_by_the_headers_name(acme, reader, key):
    details = problem(reader.post(PATH, WISH, Idempotency_Key=key))

    assert [error["header"] for error in details["errors"]] == ["Idempotency-Key"]
    assert times_asked() == []


def test_neither_the_key_nor_the_body_is_kept_in_words(acme, reader):
    reader.post(PATH, WISH, Idempotency_Key="alice@example.test")

    with connection.cursor() as cursor:
        cursor.execute("SELECT row.key || row.asked || row.caller FROM facts_reply AS row")
        [(kept,)] = cursor.fetchall()
    assert "alice" not in kept
    assert "Order" not in kept


def test_replies_go_with_whom_they_are_about(acme, alice, reader, monkeypatch):
    kinds = {("user", "label"): "probe", ("data", "label"): "probe"}
    monkeypatch.setattr("facts.owners._owners", kinds)
    hers, refs = program(acme, person=alice, name="hers"), {"refs": ["user:label:refunding"]}
    hers.post(PATH, refs, Idempotency_Key="a-1")
    reader.post("people/alice/facts/requests", refs, Idempotency_Key="alice-1")
    reader.post(PATH, WISH, Idempotency_Key="a-1")
    assert Reply.objects.filter(body__contains="alice").count() == 2

    forgotten = forgetting.forget(acme, alice, now=timezone.now())
    assert (forgotten.searched.is_clean, forgotten.searched.left) == (True, [])
    assert Reply.objects.count() == 1
    forgotten = forgetting.forget(acme, now=timezone.now())
    assert forgotten.searched.is_clean
    assert not Reply.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_moment_one_is_made_and_both_are_answered_the_same(acme):
    reader = program(acme)
    observe(acme, ORDERS)

    def ask(_number):
        try:
            answer = reader.post(ONE, Idempotency_Key="a-1")
            return answer.content, answer.get("Idempotency-Replayed", "false")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        with transaction.atomic():  # none gets past the fact's row before all have come
            acme.facts.select_for_update().get()
            asked = [threads.submit(ask, number) for number in range(4)]
            _wait_for_locks(4)
        answers = [each.result(timeout=30) for each in asked]

    assert len({content for content, _ in answers}) == 1
    assert sorted(replayed for _, replayed in answers) == ["false", "true", "true", "true"]
    assert times_asked() == [1]


def _wait_for_locks(number):
    """Until so many other connections wait for a lock."""
    waiting = 0
    while waiting < number:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
            [(waiting,)] = cursor.fetchall()
