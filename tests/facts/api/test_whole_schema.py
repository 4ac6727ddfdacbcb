"""Every operation of the API as its document describes it, by everybody who may.

The cases come from the document alone, right ones and wrong ones, always the same. Whatever comes:
no 500, no status, content type, header or body that the document does not name, and nothing that
the document forbids is let by.
"""

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.middleware.csrf import get_token
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings, strategies
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from activities import verbs
from activities.documents import Registry
from facts import derivations
from tests.facts.answers import shop
from tests.facts.observing import NINE, observe, stored
from tests.facts.program import program
from tests.specs.loaded import ORDER, load, spec

EXAMPLES = 5  # of an operation, right or wrong
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
BOUNDED = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
OBSERVERS = {  # who tells what, where it is not the probe
    "POST /api/v1/events": "activities",
    "POST /api/v1/usage": "usage",
    "PUT /api/v1/integrations": "integrations",
    "PUT /api/v1/plan": "plan",
    "POST /api/v1/answers": "answers",
    "POST /api/v1/answers/lookups": "answers",
    "POST /api/v1/answers/{answer}/outcomes": "answers",
    "PUT /api/v1/answers/{answer}/verification": "staff",
    "DELETE /api/v1/answers/{answer}/verification": "staff",
}
PLACES = {
    "ref": "data:label:Order",
    "person": "alice",
    "verb": "refunding",
    "spec": "late-orders",
    "about": "data",
    "answer": None,  # the one of the account
}
TAKEN_ONE_BY_ONE = (  # refused by their line, or a value, which holds whatever it holds
    "/events/0/shoe_size",
    "/events/1/shoe_size",
    "/queries/0/shoe_size",
    "/value/shoe_size",
    "/params/shoe_size",
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tokens(acme, alice, settings, monkeypatch):
    """A token of each kind, in an account where something is known."""
    settings.CALLS_PER_MINUTE = 1_000_000
    verbs.replace(Registry(("refunding",), {}, {"refunding": "Refunding"}), now=NINE)
    load(spec("late-orders", ORDER))
    observe(acme)
    shop.learn(acme)
    derivations.settle(acme)
    monkeypatch.setitem(PLACES, "answer", shop.proven(acme).pk)
    observers = ["probe", *(set(OBSERVERS.values()) - {"staff"})]
    programs = {
        "reader": program(acme),
        "person": program(acme, person=alice, name="hers"),
        **{name: program(acme, observer=name, name=f"its {name}") for name in observers},
    }
    return {
        "staff": login(acme),
        **{
            kind: {"headers": {"Authorization": f"Bearer {one.text}"}}
            for kind, one in programs.items()
        },
    }


def login(account):
    """What a request of a member of staff holds who is logged in and asks about an account."""
    user = User.objects.create_user("sue", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(user)
    secret = get_token(client.get("/healthz").wsgi_request)
    session = client.cookies["sessionid"].value
    return {
        "cookies": {"sessionid": session, "csrftoken": secret},
        "headers": {"X-CSRFToken": secret, "Ken-Account": account.external_id},
    }


@pytest.fixture
def operations(db):
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())
    return [operation.ok() for operation in schema.get_all_operations()]


def who_may(operation):
    """The kinds of tokens that get past the door of an operation."""
    label = operation.label.replace("/people/{person}", "")
    if label in OBSERVERS:
        return [OBSERVERS[label]]
    if label in ("PUT /api/v1/facts/{ref}", "POST /api/v1/facts/observations"):
        return ["probe"]
    return ["person"] if "/feedback" in label or "/preferences" in label else ["person", "reader"]


def exercise(operation, tokens, mode):
    """Send an operation its cases, half of them about something that is there."""

    @BOUNDED
    @given(
        case=operation.as_strategy(generation_mode=mode),
        kind=strategies.sampled_from(who_may(operation)),
        is_there=strategies.booleans(),
    )
    def send(case, kind, is_there):
        case.headers.pop("Ken-Account", None)  # a token of another account than this is refused
        if is_there:
            for name in set(PLACES) & set(case.path_parameters):
                case.path_parameters[name] = PLACES[name]
        answer = case.call(**tokens[kind])
        case.validate_response(answer, checks=CHECKS)

    send()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_whatever_comes_is_answered_as_the_document_says(operations, tokens, mode):
    for operation in operations:
        exercise(operation, tokens, mode)


def bodies_of(operation):
    """The bodies that the document shows for an operation."""
    content = operation.definition.raw.get("requestBody", {}).get("content", {})
    return [example["value"] for kind in content.values() for example in kind["examples"].values()]


def sent(operation, tokens, **parts):
    """The answer to a request of our own at a place where something is."""
    known = {name: PLACES[name] for name in PLACES if f"{{{name}}}" in operation.path}
    case = operation.Case(path_parameters=known, media_type="application/json", **parts)
    answer = case.call(**tokens[who_may(operation)[0]])
    case.validate_response(answer, checks=CHECKS)
    return answer


def test_what_the_document_shows_as_an_example_is_taken(operations, tokens, acme):
    refused = []
    for operation in operations:
        for body in bodies_of(operation) or [NOT_SET]:
            versions = {"If-Match": f'"{stored(acme).version}"'}
            answer = sent(operation, tokens, headers=versions, body=body)
            if not 200 <= answer.status_code < 300:
                refused.append((operation.label, answer.status_code, answer.text))

    assert refused == []


def test_no_operation_passes_over_a_parameter_or_a_field_it_does_not_know(operations, tokens):
    passed_over = []
    for operation in operations:
        answer = sent(operation, tokens, query={"shoe_size": "42"}, headers={"If-Match": '"1"'})
        if pointed_at(answer) != ["shoe_size"]:
            passed_over.append(operation.label)
        for body in bodies_of(operation):
            for place, spoilt in with_one_more(body, ""):
                answer = sent(operation, tokens, body=spoilt, headers={"If-Match": '"1"'})
                if pointed_at(answer) != [place]:
                    passed_over.append(f"{operation.label} {place}")

    assert [each for each in passed_over if not each.endswith(TAKEN_ONE_BY_ONE)] == []


def pointed_at(answer):
    """Where the faults lie that a refusal tells; nothing where it is none."""
    if answer.status_code != 400:
        return []
    return [error.get("pointer") or error.get("parameter") for error in answer.json()["errors"]]


def with_one_more(value, place):
    """The document with a field more in each of its objects, one after the other, and where."""
    if isinstance(value, dict):
        yield f"{place}/shoe_size", {**value, "shoe_size": 42}
        for name, inner in value.items():
            for at, spoilt in with_one_more(inner, f"{place}/{name}"):
                yield at, {**value, name: spoilt}
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            for at, spoilt in with_one_more(inner, f"{place}/{number}"):
                yield at, [*value[:number], spoilt, *value[number + 1 :]]
