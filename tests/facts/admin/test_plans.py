"""The plan of an account in the admin: its features, told by staff."""

from django.contrib.admin.models import LogEntry

from facts.intake import FEATURES, set_plan
from facts.models import Observation
from tests.facts.observing import NINE, stored


def page_of(account, page="plan"):
    return f"/admin/facts/account/{account.pk}/{page}/"


def form_of(client, account):
    form = client.get(page_of(account)).context["form"]
    return {name: form[name].value() for name in form.fields}


def features(account):
    fact = account.facts.at(FEATURES).first()
    return None if fact is None else fact.value["features"]


def test_a_plan_nobody_told_is_set_and_says_by_whom(operator, acme):
    assert form_of(operator, acme) == {"features": "", "version": 0}

    answer = operator.post(
        page_of(acme), {"features": "exports\r\n\r\n reports \r\nexports", "version": 0}
    )

    assert answer["Location"] == page_of(acme, "change")
    assert features(acme) == ["exports", "reports"]
    line = Observation.objects.get(fact=stored(acme, FEATURES))
    assert (line.by, line.outcome) == ("staff:operators", "confirmed")
    assert LogEntry.objects.get().get_change_message() == "Set the features of the plan."


def test_a_plan_can_be_emptied(operator, acme):
    set_plan(acme, ["exports"], now=NINE)

    operator.post(page_of(acme), {"features": "", "version": 1})

    assert features(acme) == []


def test_a_page_that_a_push_overtook_changes_nothing_and_says_so(operator, acme):
    told = form_of(operator, acme)
    set_plan(acme, ["exports"], now=NINE)

    answer = operator.post(page_of(acme), {**told, "features": "reports"}, follow=True)

    assert "The plan was told anew meanwhile" in answer.content.decode()
    assert answer.context["form"]["features"].value() == "exports"
    assert features(acme) == ["exports"]
    assert not LogEntry.objects.exists()


def test_a_feature_that_must_not_be_kept_is_refused_on_the_page(operator, acme):
    answer = operator.post(page_of(acme), {"features": "bob@example.com", "version": 0})

    assert "a feature of the plan can&#x27;t be kept" in answer.content.decode()
    assert features(acme) is None


def test_the_account_shows_its_plan_to_who_may_only_look(support, operator, acme):
    assert "nobody has told it" in support.get(page_of(acme, "change")).content.decode()
    set_plan(acme, ["exports", "reports"], now=NINE)

    looks = support.get(page_of(acme, "change")).content.decode()
    tells = operator.get(page_of(acme, "change")).content.decode()

    assert "exports, reports" in looks
    assert page_of(acme) not in looks
    assert page_of(acme) in tells
