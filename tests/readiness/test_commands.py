"""The reads as commands print them: what the assistant's planner would be told."""

import json

import pytest
from django.core.management import call_command
from django.utils import timezone

from facts import derivations
from tests.facts.observing import observe


@pytest.fixture
def told(acme, alice, capsys):
    observe(acme, "account:plan:features", {"features": ["reports"]}, by="plan", now=timezone.now())
    derivations.settle(acme)

    def call(*arguments):
        call_command(*arguments)
        return capsys.readouterr().out

    return call


def test_the_header_is_printed_for_the_account_and_for_a_person(told):
    assert told("header", "acme") == "Knowledge: not-ready.\n"
    assert told("header", "acme", "--person", "alice") == "Knowledge: not-ready.\n"


def test_knowledge_is_printed_as_json_of_each_subject(told):
    assert json.loads(told("knowledge", "acme", "--about", "data", "--json"))["types"] == []
    account = json.loads(told("knowledge", "acme", "--about", "account"))
    assert account["plan"]["features"] == ["reports"]
    user = json.loads(told("knowledge", "acme", "--about", "user", "--person", "alice", "--json"))
    assert user["activities"] == []


def test_readiness_is_printed_as_json_with_its_age(told):
    found = json.loads(told("readiness", "acme", "--json"))
    assert (found["level"], found["shown"], found["gap"]) == ("not-ready", None, None)
