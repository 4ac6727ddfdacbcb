"""What each group may do in the admin of the store: a table that is walked whole."""

import pytest
from django.contrib.auth.models import Group

from facts.models import Check, Fact, Integration, Person, Source, Token
from facts.probing.keys import encrypted
from tests.facts.observing import observe

READ, CHANGE = "GET", "POST"
TABLE = [  # method, page, and the groups that may
    (READ, "account/", "Support, Operators, Spec reviewers"),
    (READ, "account/{account}/change/", "Support, Operators, Spec reviewers"),
    (READ, "account/add/", "Operators"),
    (READ, "account/{account}/forget/", ""),
    (CHANGE, "account/{account}/forget/", ""),
    (READ, "account/{account}/delete/", ""),
    (READ, "account/{account}/plan/", "Operators"),
    (CHANGE, "account/{account}/plan/", "Operators"),
    (READ, "integration/", "Support, Operators, Spec reviewers"),
    (READ, "integration/{integration}/change/", "Support, Operators, Spec reviewers"),
    (READ, "integration/add/", "Operators"),
    (READ, "integration/{integration}/delete/", "Operators"),
    (READ, "person/", "Support, Operators, Spec reviewers"),
    (READ, "person/{person}/change/", "Support, Operators, Spec reviewers"),
    (READ, "person/add/", "Operators"),
    (READ, "person/{person}/forget/", ""),
    (READ, "person/{person}/delete/", ""),
    (READ, "source/", "Support, Operators, Spec reviewers"),
    (READ, "source/{source}/change/", "Support, Operators, Spec reviewers"),
    (READ, "source/add/", "Operators"),
    (READ, "source/{source}/delete/", "Operators"),
    (CHANGE, "source/{source}/test/", "Operators"),
    (CHANGE, "source/{source}/learn/", "Operators"),
    (READ, "token/", "Operators"),
    (READ, "token/{token}/change/", "Operators"),
    (READ, "token/add/", "Operators"),
    (READ, "token/{token}/delete/", ""),
    (CHANGE, "token/{token}/revoke/", "Operators"),
    (READ, "fact/", "Support, Operators, Spec reviewers"),
    (READ, "fact/{fact}/change/", "Support, Operators, Spec reviewers"),
    (READ, "fact/add/", ""),
    (READ, "fact/{fact}/delete/", ""),
    (CHANGE, "fact/{fact}/check-again/", "Support, Operators, Spec reviewers"),
    (READ, "check/", "Support, Operators, Spec reviewers"),
    (READ, "check/{check}/change/", "Support, Operators, Spec reviewers"),
    (READ, "check/add/", ""),
    (READ, "check/{check}/delete/", ""),
    (READ, "ledger/", "Support, Operators, Spec reviewers"),
    (READ, "ledger/add/", ""),
    (READ, "spending/", "Support, Operators, Spec reviewers"),
    (READ, "spending/add/", ""),
    (READ, "table/", "Support, Operators, Spec reviewers"),
    (READ, "table/add/", ""),
]


@pytest.fixture
def keys(acme, alice, tmp_path):
    database = tmp_path / "shop.sqlite"
    database.touch()
    source = Source.objects.create(account=acme, encrypted_url=encrypted(f"sqlite:///{database}"))
    return {
        "account": acme.pk,
        "integration": Integration.objects.create(account=acme, name="dhl").pk,
        "person": alice.pk,
        "source": source.pk,
        "token": Token.objects.create(account=acme, name="crm", handle="x", digest="x").pk,
        "fact": observe(acme).pk,
        "check": Check.objects.create(account=acme, kind="catalogue", source=source).pk,
    }


@pytest.mark.parametrize("group", ["Support", "Operators", "Spec reviewers", "nobody"])
def test_a_group_may_do_what_the_table_says_and_no_more(login, keys, group):
    client, allowed, said = login(group), {}, {}
    for method, page, groups in TABLE:
        path = f"/admin/facts/{page.format(**keys)}"
        answer = client.get(path) if method == READ else client.post(path)
        assert answer.status_code in (200, 302, 403), (path, answer.status_code)
        allowed[method, page] = answer.status_code != 403
        said[method, page] = group in groups.split(", ")

    assert allowed == said


def test_no_fact_or_check_is_changed_in_the_admin_even_by_an_administrator(administrator, keys):
    before = list(Fact.objects.values()), list(Check.objects.values())

    for page in ("fact/{fact}", "check/{check}"):
        answer = administrator.post(
            f"/admin/facts/{page.format(**keys)}/change/", {"value": "1", "version": "9"}
        )
        assert answer.status_code == 403

    assert (list(Fact.objects.values()), list(Check.objects.values())) == before


def test_an_account_and_a_person_keep_their_ids(operator, administrator, keys):
    for client in (operator, administrator):
        client.post(f"/admin/facts/person/{keys['person']}/change/", {"external_id": "eve"})
        client.post(f"/admin/facts/account/{keys['account']}/change/", {"external_id": "evil"})

    assert [(p.external_id, p.account.external_id) for p in Person.objects.all()] == [
        ("alice", "acme")
    ]


def test_the_groups_stand_after_migrating(db):
    assert {"Support", "Operators", "Spec reviewers"} <= set(
        Group.objects.values_list("name", flat=True)
    )


def test_who_is_not_staff_sees_nothing(client, keys, django_user_model):
    client.force_login(django_user_model.objects.create_user("alice"))

    for method, page, _ in TABLE:
        path = f"/admin/facts/{page.format(**keys)}"
        answer = client.get(path) if method == READ else client.post(path)
        assert answer["Location"].startswith("/admin/login/")
