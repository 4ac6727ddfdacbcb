"""People who are new have a header from the next tick on, however they came."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from facts.models import Check, Person
from readiness import turn
from readiness.header import NOTHING_KNOWN

HEADERS = {"derivation": "header"}


@pytest.fixture
def told(tmp_path):
    def load(command, text):
        file = tmp_path / "told"
        file.write_text(text)
        call_command(command, str(file))

    return load


def headers(account):
    """Whose headers stand, and what they say."""
    facts = account.facts.at(turn.OF_PERSON).exclude(value=None).select_related("person")
    return {fact.person.external_id: fact.value["text"] for fact in facts}


def test_people_first_seen_in_events_have_a_header_after_a_tick(acme, told):
    told("load_verbs", json.dumps({"verbs": ["refund"], "actions": {"refund.made": "refund"}}))
    line = {"account": "acme", "action": "refund.made", "at": timezone.now().isoformat()}
    told("load_events", "\n".join(json.dumps(line | {"person": who}) for who in ("ann", "bob")))
    assert headers(acme) == {}

    call_command("tick")

    assert headers(acme) == dict.fromkeys(["ann", "bob"], NOTHING_KNOWN)


def test_people_of_load_people_have_a_header_after_a_tick(acme, told):
    told("load_people", json.dumps({"acme": {"zones": {"ann": "Europe/Oslo"}, "service": ["bot"]}}))

    call_command("tick")

    assert sorted(headers(acme)) == ["ann", "bot"]


def test_a_second_tick_greets_nobody_again(acme, alice, globex, django_assert_num_queries):
    Person.objects.create(account=globex, external_id="alice")
    now = timezone.now()
    assert turn.greet(now) == 2
    before = list(Check.objects.filter(**HEADERS).values())

    with django_assert_num_queries(1):
        assert turn.greet(now) == 0

    assert list(Check.objects.filter(**HEADERS).values()) == before


def test_who_came_long_ago_is_left_to_the_first_read(acme, alice):
    Person.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert turn.greet(timezone.now()) == 0
