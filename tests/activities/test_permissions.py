"""What each group may do in the admin of activities: a table that is walked whole."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from activities.models import AccountSettings, Action, Feedback, UnmappedAction, Verb
from tests.facts.observing import NINE

ALL = "Support, Operators, Spec reviewers"
MAPS = "Support, Operators"
TABLE = [  # page, and the groups that may see it
    ("verb/", ALL),
    ("verb/{verb}/change/", ALL),
    ("verb/add/", MAPS),
    ("verb/{verb}/delete/", ""),
    ("action/", ALL),
    ("action/add/", ""),
    ("action/map/?name=pay", MAPS),
    ("action/{action}/delete/", ""),
    ("unmappedname/", ALL),
    ("unmappedname/add/", ""),
    ("feedback/", ALL),
    ("feedback/by-verb/", ALL),
    ("feedback/add/", ""),
    ("feedback/{feedback}/delete/", ""),
    ("accountsettings/", ALL),
    ("accountsettings/add/", "Operators"),
    ("accountsettings/{account}/delete/", ""),
    ("personsettings/", ALL),
    ("personsettings/add/", "Operators"),
]


@pytest.fixture
def keys(acme, alice):
    verb = Verb.objects.create(name="pay", title="Pay", rank=1)
    AccountSettings.objects.get_or_create(account=acme)
    UnmappedAction.objects.create(account=acme, person=alice, name="pay", count=1, last_at=NINE)
    said = Feedback.objects.create(account=acme, person=alice, verb=verb, kind="hide", at=NINE)
    action = Action.objects.create(name="payment_made", verb=verb)
    return {"verb": verb.pk, "action": action.pk, "feedback": said.pk, "account": acme.pk}


@pytest.mark.parametrize("group", ["Support", "Operators", "Spec reviewers", "nobody"])
def test_a_group_may_do_what_the_table_says_and_no_more(group, keys):
    user = User.objects.create_user("staff", is_staff=True)
    user.groups.set(Group.objects.filter(name=group))
    client, allowed, said = Client(), {}, {}
    client.force_login(user)
    for page, groups in TABLE:
        answer = client.get(f"/admin/activities/{page.format(**keys)}")
        assert answer.status_code in (200, 403), (page, answer.status_code)
        allowed[page] = answer.status_code == 200
        said[page] = group in groups.split(", ")

    assert allowed == said


def test_support_changes_a_title_and_a_reviewer_of_specs_does_not(keys):
    for group, status in [("Support", 302), ("Spec reviewers", 403)]:
        user = User.objects.create_user(group, is_staff=True)
        user.groups.set(Group.objects.filter(name=group))
        client = Client()
        client.force_login(user)
        path = f"/admin/activities/verb/{keys['verb']}/change/"
        assert client.post(path, {"title": f"Paying, {group}"}).status_code == status

    assert Verb.objects.get(name="pay").title == "Paying, Support"
