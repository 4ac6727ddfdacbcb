import re

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from facts import tokens
from facts.errors import BadToken
from facts.models import Person, Token

LIST = "/admin/facts/token/"


def add(client, **told):
    told = {"name": "crm", "observer": "", "expires_at_0": "", "expires_at_1": "", **told}
    return client.post(f"{LIST}add/", told)


def test_a_new_token_is_shown_once_in_an_answer_that_nothing_keeps(operator, acme, alice):
    answer = add(operator, account=acme.pk, person=alice.pk)
    [text] = re.findall(r'value="(ken_[^"]+)"', answer.content.decode())
    secret = text.split("_", 2)[2]

    scope = tokens.scope_of(text, now=timezone.now())
    assert (scope.account, scope.person, scope.asker) == (acme, alice, "crm")
    assert "no-store" in answer["Cache-Control"]
    assert not any(secret in cookie.value for cookie in operator.cookies.values())
    token = Token.objects.get()
    for page in (LIST, f"{LIST}{token.pk}/change/", f"{LIST}{token.pk}/history/"):
        assert secret not in operator.get(page).content.decode()
    logged = LogEntry.objects.get()
    assert logged.object_repr == "acme/crm"
    assert secret not in logged.change_message


def test_a_token_of_an_observer_is_made_by_choosing_it(operator, acme):
    add(operator, account=acme.pk, observer="probe")

    assert Token.objects.get().observer == "probe"


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"name": "probe"}, "somebody else&#x27;s name"),
        ({"name": "a:b"}, "no colon"),
        ({"name": ""}, "required"),
        ({"observer": "prober"}, "not one of the available choices"),
        ({"expires_at_0": "2020-01-01", "expires_at_1": "00:00"}, "expire before it is made"),
    ],
)
def test_a_token_that_can_not_be_is_refused_on_the_form(operator, acme, told, reason):
    answer = add(operator, account=acme.pk, **told)

    assert reason in answer.content.decode()
    assert not Token.objects.exists()


def test_a_person_of_another_account_and_a_name_in_use_are_refused(operator, acme, globex):
    stranger = Person.objects.create(account=globex, external_id="eve")

    assert (
        "not in account acme" in add(operator, account=acme.pk, person=stranger.pk).content.decode()
    )
    add(operator, account=acme.pk)
    assert (
        "already; revoke it first: `manage.py token acme "
        in add(operator, account=acme.pk).content.decode()
    )
    assert Token.objects.count() == 1


@pytest.mark.parametrize("by_action", [True, False])
def test_a_token_is_revoked_for_good_and_stays_to_be_seen(operator, acme, by_action):
    token, text = tokens.make(account=acme, name="crm", now=timezone.now())

    if by_action:
        chosen = {"action": "revoke", "_selected_action": [token.pk]}
        answer = operator.post(LIST, chosen, follow=True)
    else:
        answer = operator.post(f"{LIST}{token.pk}/revoke/", follow=True)

    assert "Revoked 1 token." in answer.content.decode()
    assert "badge-failing" in operator.get(LIST).content.decode()
    assert LogEntry.objects.get().change_message == "Revoked."
    with pytest.raises(BadToken, match="revoked"):
        tokens.scope_of(text, now=timezone.now())


@pytest.mark.parametrize(
    ("state", "names"), [("in force", ["good"]), ("expired", ["old"]), ("revoked", ["gone"])]
)
def test_tokens_are_found_by_their_state(operator, acme, state, names):
    now = timezone.now()
    for name in ("good", "old", "gone"):
        tokens.make(account=acme, name=name, now=now)
    Token.objects.filter(name="old").update(expires_at=now)
    Token.objects.filter(name="gone").update(revoked_at=now)

    answer = operator.get(LIST, {"state": state}).content.decode()

    assert re.findall(r"field-name[^>]*><a[^>]*>([^<]*)</a>", answer) == names
