import re

import pytest
from django.utils import timezone

from facts.models import Check, Fact, Observation
from tests.facts.observing import DAY, observe, stored

LIST = "/admin/facts/fact/"


def refs(answer):
    assert answer.status_code == 200
    return re.findall(r"field-address[^>]*><a[^>]*>([^<]*)</a>", answer.content.decode())


def page_of(client, fact):
    answer = client.get(f"{LIST}{fact.pk}/change/")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def known(acme, globex):
    now = timezone.now()
    observe(acme, "data:label:Order", now=now - 40 * DAY)
    observe(acme, "data:label:Carrier", now=now)
    observe(acme, "data:label:Carrier", outcome="failed", failure="42501", now=now)
    observe(acme, "data:hop:Order|SHIPPED_BY|Carrier", {"reached": 1, "count": 1}, now=now)
    observe(globex, "data:label:Ship", now=now)
    return Fact.objects.create(
        account=acme, namespace="data", kind="label", key="Depot", requested_at=now
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("of=data:hop", {"data:hop:Order|SHIPPED_BY|Carrier"}),
        ("trust=stale", {"data:label:Order"}),
        ("trust=unknown", {"data:label:Depot"}),
        ("trust=believed&of=data:label", {"data:label:Carrier", "data:label:Ship"}),
        ("standing=failing", {"data:label:Carrier"}),
        ("standing=open", {"data:label:Depot"}),
        ("standing=never", {"data:label:Depot"}),
        ("q=globex", {"data:label:Ship"}),
        ("q=Carrier", {"data:label:Carrier", "data:hop:Order|SHIPPED_BY|Carrier"}),
        ("q=data:label:O", {"data:label:Order"}),
        ("q=data:lable:", set()),
    ],
)
def test_facts_are_found_by_kind_trust_standing_and_text(support, known, query, expected):
    assert set(refs(support.get(f"{LIST}?{query}"))) == expected


def test_a_misspelt_prefix_is_answered_with_the_kinds_there_are(support, known):
    assert "the kinds are" in support.get(f"{LIST}?q=data:lable:").content.decode()


def test_a_list_takes_the_same_queries_however_long(support, acme, django_assert_max_num_queries):
    for number in range(30):
        observe(acme, f"data:label:T{number}")

    with django_assert_max_num_queries(8):
        assert len(refs(support.get(LIST))) == 30


def test_a_page_shows_the_value_trust_history_and_its_check(support, acme):
    check = Check.objects.create(account=acme, kind="derivation", derivation="x")
    observe(acme, value={"count": 830})
    fact = observe(acme, outcome="failed", failure="42501")
    Fact.objects.update(settled_by=check)

    text = page_of(support, fact)

    assert "&quot;count&quot;: 830" in text
    assert "failing: permission denied (42501)" in text
    assert "written by" in text.lower()
    assert "probe" in text
    assert f"/admin/facts/check/{check.pk}/change/" in text
    assert "data:label:Order" in refs(support.get(f"{LIST}?settled_by={check.pk}"))
    back = support.get(f"/admin/facts/check/{check.pk}/change/").content.decode()
    assert f"/admin/facts/fact/?settled_by={check.pk}" in back


def test_a_long_history_is_cut_and_says_by_how_much(support, acme):
    for _ in range(53):
        fact = observe(acme)

    text = page_of(support, fact)

    assert text.count("badge-confirmed") == 50
    assert "and 3 more" in text


def test_what_a_database_named_is_text_on_the_page_and_nothing_else(support, acme):
    fact = observe(acme, 'data:label:<script>alert("x")<', {"<b>": "</pre><script>"})

    text = page_of(support, fact) + support.get(LIST).content.decode()

    assert "<script>alert" not in text
    assert "</pre><script>" not in text


def test_check_again_files_requests_by_the_member_of_staff(support, acme, globex):
    facts = [observe(acme), observe(acme, "data:label:Carrier"), observe(globex)]

    answer = support.post(
        LIST, {"action": "check_again", "_selected_action": [f.pk for f in facts]}, follow=True
    )

    assert "Asked for 3 facts to be read." in answer.content.decode()
    asked = Observation.objects.filter(outcome="requested")
    assert list(asked.values_list("by", "count")) == [("staff:support", 1)] * 3
    assert Fact.objects.open().count() == 3
    assert {fact.version for fact in Fact.objects.all()} == {1}


def test_one_fact_is_asked_for_from_its_page(support, acme):
    fact = observe(acme)

    answer = support.post(f"{LIST}{fact.pk}/check-again/", follow=True)

    assert "Asked for data:label:Order to be read." in answer.content.decode()
    assert stored(acme).is_open
    assert support.get(f"{LIST}{fact.pk}/check-again/").status_code == 405


def test_whoever_may_only_look_is_offered_no_request(login, acme):
    from django.contrib.auth.models import Permission, User

    fact = observe(acme)
    looker = login("nobody")
    User.objects.get().user_permissions.add(Permission.objects.get(codename="view_fact"))

    assert "Check again" not in page_of(looker, fact)
    assert "check_again" not in looker.get(LIST).content.decode()
    assert looker.post(f"{LIST}{fact.pk}/check-again/").status_code == 403
    assert not stored(acme).is_open
