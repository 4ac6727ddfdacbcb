from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from facts import tokens
from facts.models import Observation, Person, Token
from tests.facts.observing import ORDERS, observe, stored
from tests.facts.program import Program, problem, program

ORDER = "/api/v1/facts/data:label:Order"


def refused(answer, code):
    details = problem(answer)
    assert (answer.status_code, details["type"]) == (401, f"/problems/{code}")
    assert answer["WWW-Authenticate"] == 'Bearer realm="ken"'


def test_without_a_credential_nothing_is_told(acme):
    observe(acme)

    refused(Client().get(ORDER), "not-authenticated")


@pytest.mark.parametrize(
    ("authorization", "code"),
    [
        ("Basic YWxhZGRpbg==", "not-authenticated"),
        ("Bearer", "bad-token"),
        ("Bearer ken_0123", "bad-token"),
        ("Bearer \xff\xfe", "bad-token"),
    ],
)
def test_what_is_no_token_is_refused(acme, authorization, code):
    observe(acme)

    refused(Client(headers={"Authorization": authorization}).get(ORDER), code)


def test_a_revoked_and_an_expired_token_are_refused(acme):
    observe(acme)
    reader = program(acme)
    now = timezone.now()
    _, text = tokens.make(account=acme, name="old", expires_at=now + timedelta(days=1), now=now)
    tokens.revoke(Token.objects.filter(name="crm"), now=now)
    Token.objects.filter(name="old").update(expires_at=now)

    refused(reader.get("facts"), "bad-token")
    refused(Program(text).get("facts"), "bad-token")


def test_a_token_of_another_account_than_the_one_named_is_refused(acme, globex):
    observe(acme)
    reader = program(acme)

    assert reader.get("facts", Ken_Account="acme").json()["results"][0]["ref"] == str(ORDERS)
    assert problem(reader.get("facts", Ken_Account="globex"))["type"] == "/problems/not-permitted"


@pytest.fixture
def staff(db):
    user = User.objects.create_user("sue", password="not so secret", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_fact"))
    return user


def login(user, **headers):
    client = Client(enforce_csrf_checks=True, headers=headers)
    client.force_login(user)
    return client


def test_staff_read_the_account_they_name_by_their_login(acme, globex, staff):
    observe(acme, value={"count": 1})
    observe(globex, value={"count": 2})

    assert login(staff, **{"Ken-Account": "acme"}).get(ORDER).json()["value"] == {"count": 1}
    assert login(staff, **{"Ken-Account": "globex"}).get(ORDER).json()["value"] == {"count": 2}


def test_staff_who_name_no_account_or_an_unknown_one_are_told(acme, staff):
    unnamed = problem(login(staff).get(ORDER))
    unknown = problem(login(staff, **{"Ken-Account": "initech"}).get(ORDER))

    assert unnamed["errors"] == [{"header": "Ken-Account", "detail": unnamed["detail"]}]
    assert (unnamed["status"], unknown["status"]) == (400, 404)


def test_staff_without_the_permission_read_nothing(acme, staff):
    staff.user_permissions.clear()

    answer = login(staff, **{"Ken-Account": "acme"}).get(ORDER)

    assert problem(answer)["type"] == "/problems/not-permitted"


def test_staff_request_only_with_the_permission_and_are_named_in_the_history(acme, staff):
    observe(acme)
    path = "/api/v1/facts/requests/data:label:Order"
    client = Client(headers={"Ken-Account": "acme"})
    client.force_login(staff)

    assert client.post(path, content_type="application/json").status_code == 403
    assert not stored(acme).is_open
    staff.user_permissions.add(Permission.objects.get(codename="request_fact"))
    assert client.post(path, content_type="application/json").status_code == 202
    assert Observation.objects.get(outcome="requested").by == "staff:sue"


def test_a_write_by_login_is_protected_against_forgery(acme, staff):
    staff.user_permissions.add(Permission.objects.get(codename="request_fact"))
    client = login(staff, **{"Ken-Account": "acme"})

    answer = client.post("/api/v1/facts/requests/data:label:Order")

    assert problem(answer)["status"] == 403
    assert not acme.facts.exists()


def test_no_login_observes_even_an_administrators(acme):
    root = User.objects.create_superuser("root")
    client = Client(headers={"Ken-Account": "acme"})
    client.force_login(root)

    answer = client.put(
        ORDER,
        '{"value": 1, "measured_from": "2026-03-02T09:00:00Z"}',
        "application/json",
        headers={"If-Match": '"0"'},
    )

    assert answer.status_code == 403
    assert not acme.facts.exists()


def test_a_person_logged_in_reaches_the_account_and_their_own_facts(acme, alice, monkeypatch):
    monkeypatch.setattr(
        "facts.owners._owners", {("user", "label"): "probe", ("data", "label"): "probe"}
    )
    bob = Person.objects.create(account=acme, external_id="bob")
    observe(acme)
    observe(acme, "user:label:refunding", person=alice)
    observe(acme, "user:label:pricing", person=bob)
    alice.user = User.objects.create_user("alice@example.test")
    alice.save()

    found = login(alice.user).get("/api/v1/facts").json()["results"]

    assert [fact["ref"] for fact in found] == ["data:label:Order", "user:label:refunding"]
    assert login(User.objects.create_user("nobody")).get("/api/v1/facts").status_code == 403


def test_a_request_costs_its_token_one_query(acme, django_assert_num_queries):
    observe(acme, now=timezone.now())
    reader = program(acme)
    reader.get("facts/data:label:Order")

    with django_assert_num_queries(2):  # the token, the fact
        reader.get("facts/data:label:Order")
