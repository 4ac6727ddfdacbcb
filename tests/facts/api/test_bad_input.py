"""Input that is no request: answered within the limits, and without a trace."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from facts.api.parsing import BODY_LIMIT
from facts.models import Fact, Observation, Person, Reply
from tests.facts.program import problem, program

DEEP = 5_000  # levels


@pytest.mark.parametrize(
    "path",
    [
        "people/%00/header",
        "people/a%00b/facts",
        "people/%ED%A0%80/facts",
        "people/%FF/facts",
        "facts/data:label:%00",
        "facts/data:label:%ED%A0%80",
        "facts/history/data:label:a%00",
        "facts?prefix=data:label:%00",
        "facts?kind=%00",
        "facts?cursor=%00",
        "facts?%00=1",
        "specs?cursor=cD0AAA==",
        "verdicts/%00",
        "knowledge/%00",
    ],
)
def test_characters_that_no_name_has_are_refused(reader, path):
    details = problem(reader.get(path))

    assert details["status"] in {400, 404}
    assert "\0" not in json.dumps(details)


def test_a_verb_that_no_registry_can_have_is_unknown(acme, alice):
    hers = program(acme, person=alice)

    for verb in ("%00", "a%00b", "%FF"):
        assert problem(hers.put(f"feedback/{verb}", {"say": "hide"}))["status"] == 404
        assert problem(hers.delete(f"feedback/{verb}"))["status"] == 404


@pytest.mark.parametrize("account", ["\0", "a\0b", "\x7f", "é", "x" * 5_000])
def test_an_account_that_can_not_be_is_unknown(acme, account):
    client = Client(headers={"Ken-Account": account})
    client.force_login(User.objects.create_superuser("root"))

    assert problem(client.get("/api/v1/facts"))["type"] == "/problems/unknown-account"


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_value_nested_past_what_a_reader_takes_is_refused(acme, prober, opening):
    closing = "]" if opening == "[" else "}"
    value = opening * DEEP + "1" + closing * DEEP
    body = f'{{"value": {value}, "measured_from": "2026-03-02T09:00:00Z"}}'

    answer = prober.put("facts/data:label:Order", body, If_Match='"0"')

    assert problem(answer)["detail"] == "the body is nested too deeply"
    assert not Fact.objects.exists()


def test_a_body_nested_deeply_is_refused_with_a_key_too(reader):
    body = f'{{"refs": {"[" * DEEP}{"]" * DEEP}}}'

    assert problem(reader.post("facts/requests", body, Idempotency_Key="a"))["status"] == 400
    assert not Reply.objects.exists()


WRITERS = {
    "facts/observations": ("post", "probe"),
    "facts/requests": ("post", ""),
    "events": ("post", "activities"),
    "usage": ("post", "usage"),
    "integrations": ("put", "integrations"),
    "plan": ("put", "plan"),
}


@pytest.mark.parametrize("path", WRITERS)
def test_a_body_past_the_limit_is_refused_at_every_door_and_nothing_is_kept(acme, path):
    method, observer = WRITERS[path]
    caller = program(acme, observer=observer)
    body = b'{"refs": ["' + b"x" * BODY_LIMIT + b'"]}'

    details = problem(getattr(caller, method)(path, body))

    assert (details["status"], details["type"]) == (413, "/problems/too-large")
    assert not Fact.objects.exclude(version=0).exists()


@pytest.mark.parametrize("path", WRITERS)
@pytest.mark.parametrize("body", ["", "[]", "{}", "null", '"text"', '{"secret-xyzzy": 1}', "{"])
def test_what_is_no_body_of_the_door_leaves_no_trace(acme, path, body):
    method, observer = WRITERS[path]
    caller = program(acme, observer=observer)
    before = (Person.objects.count(), Fact.objects.count(), Observation.objects.count())

    details = problem(getattr(caller, method)(path, body))

    assert details["status"] == 400
    assert (Person.objects.count(), Fact.objects.count(), Observation.objects.count()) == before
