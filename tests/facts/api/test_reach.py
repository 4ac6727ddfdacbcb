"""Every read of the API: the same by a login as by a token, and nothing of another account."""

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from activities import preferences
from facts import derivations, intake
from facts.models import Account, Person
from tests.facts.observing import MINUTE, NINE, observe
from tests.facts.program import program
from tests.readiness.test_reading import work_on
from tests.specs.loaded import ORDER, load, spec

PLACES = {
    "ref": "data:label:Order",
    "person": "alice",
    "spec": "late-orders",
    "about": "account",
    "answer": "1",
}
OWN = ("feedback", "preferences")  # the person's alone


def reads():
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    return sorted(
        path.removeprefix("/api/v1/").format(**PLACES)
        for path, item in paths.items()
        if "get" in item
    )


def known(name, mark):
    """An account with something of every kind, in which ``mark`` stands."""
    account = Account.objects.create(external_id=name)
    person = Person.objects.create(account=account, external_id="alice")
    observe(account)
    observe(account, f"data:label:{mark}")
    work_on(person, mark, lift="9/2")
    intake.set_plan(account, [mark], now=NINE)
    intake.set_integrations(account, [intake.IntegrationState(
        name=mark, category="shipping", healthy=True)], now=NINE)  # fmt: skip
    preferences.write(person, mark, now=NINE)
    derivations.settle(account, clock=lambda: NINE)
    return account, person


@pytest.fixture
def accounts(db):
    load(spec("late-orders", ORDER))
    with time_machine.travel(NINE + MINUTE, tick=False):
        yield known("acme", "Zebra"), known("globex", "Gnu")


def said(path, *callers):
    """What each caller is told, after all have asked for what is stale."""
    for caller in callers:
        caller(path)
    answers = [caller(path) for caller in callers]
    if "history" in path:  # which counts how often each of them asked
        return [answer.status_code for answer in answers]
    return [(answer.status_code, answer.content) for answer in answers]


def test_no_read_shows_another_accounts_things(accounts):
    _, (globex, alice) = accounts
    shown = 0
    for caller in (program(globex), program(globex, person=alice, name="hers")):
        for path in reads():
            text = caller.get(path).content.decode()
            shown += "Gnu" in text
            assert "Zebra" not in text, path

    assert shown > 20  # of its own things


def test_a_persons_login_reads_what_their_token_reads(accounts):
    (acme, alice), _ = accounts
    alice.user = User.objects.create_user("alice")
    alice.save()
    token, login = program(acme, person=alice), Client()
    login.force_login(alice.user)

    for path in reads():
        by_token, by_login = said(path, token.get, lambda path: login.get(f"/api/v1/{path}"))
        assert by_token == by_login, path
        assert token.get(path).status_code == 200, path


def test_staff_read_what_a_token_of_the_account_reads(accounts):
    (acme, _), _ = accounts
    staff = User.objects.create_user("sue", is_staff=True)
    staff.user_permissions.set(
        Permission.objects.filter(codename__in=["view_fact", "request_fact"])
    )
    token, login = program(acme), Client(headers={"Ken-Account": "acme"})
    login.force_login(staff)

    for path in reads():
        by_token, by_login = said(path, token.get, lambda path: login.get(f"/api/v1/{path}"))
        assert by_token == by_login, path
        forbidden = 403 if path.endswith(OWN) else 200
        assert token.get(path).status_code == (404 if path == "activities" else forbidden), path


def test_a_login_that_may_read_nothing_reads_nothing(accounts):
    login = Client(headers={"Ken-Account": "acme"})
    login.force_login(User.objects.create_user("sue", is_staff=True))

    assert {login.get(f"/api/v1/{path}").status_code for path in reads()} == {403}
