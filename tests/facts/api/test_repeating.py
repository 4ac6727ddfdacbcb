"""Every write made twice: nothing that is known is another afterwards."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from activities import verbs
from activities.documents import Registry
from activities.models import Feedback, Preferences, Session, Vote
from facts.models import Answer, Fact, Integration
from tests.facts.answers import shop
from tests.facts.observing import NINE, observe
from tests.facts.program import Program, program

EVENTS = {
    "events": [{"person": "alice", "action": "refund paid", "at": "2026-03-02T09:00:00Z"}],
}
DHL = {"name": "dhl", "category": "shipping", "healthy": True}
RUN = {
    "measured_from": "2026-03-02T10:00:00Z",
    "measurements": [{"ref": "data:label:Order", "version": 1, "value": {"count": 831}}],
}
OBSERVED = {"value": {"count": 831}, "measured_from": "2026-03-02T10:00:00Z"}
SHAPE = {"queries": [{"query": "SELECT 1 FROM orders", "dialect": "postgres"}]}
PROPOSAL = {
    "question": shop.late("new"),
    "query": "SELECT id FROM orders WHERE status = 'new'",
}
KEY = {"Idempotency_Key": "a-1"}

WRITES = [  # who, method, path, body, headers, what is answered the first and the second time
    ("probe", "put", "facts/data:label:Order", OBSERVED, {"If_Match": '"1"'}, (200, 412)),
    ("probe", "post", "facts/observations", RUN, {}, (200, 207)),
    ("reader", "post", "facts/requests", {"refs": ["data:label:Carrier"]}, KEY, (202, 202)),
    ("reader", "post", "facts/requests/data:label:Carrier", None, KEY, (202, 202)),
    ("activities", "post", "events", EVENTS, {}, (200, 200)),
    ("usage", "post", "usage", SHAPE, KEY, (200, 200)),
    ("integrations", "put", "integrations", {"integrations": [DHL]}, {}, (200, 200)),
    ("plan", "put", "plan", {"features": ["refunds"]}, {}, (200, 200)),
    ("alice", "put", "feedback/refunding", {"say": "not-mine"}, {}, (200, 200)),
    ("alice", "put", "feedback/refunding", {"say": "hide"}, {}, (200, 200)),
    ("alice", "delete", "feedback/refunding", None, {}, (204, 204)),
    ("answers", "post", "answers", PROPOSAL, {}, (201, 200)),
    ("answers", "post", "answers/{answer}/outcomes", {"outcome": "confirmed"}, KEY, (200, 200)),
    ("staff", "put", "answers/{answer}/verification", None, {}, (200, 200)),
    ("staff", "delete", "answers/{answer}/verification", None, {}, (200, 400)),
    ("alice", "put", "preferences", {"text": "In euros."}, {}, (200, 200)),
]


class Staff(Program):
    """A member of staff who is logged in, for what no program may."""

    def __init__(self):
        self.client = Client(headers={"Ken-Account": "acme"})
        self.client.force_login(User.objects.create_superuser("sue"))


@pytest.fixture
def callers(acme, alice):
    registry = Registry(("refunding",), {"refund paid": "refunding"}, {"refunding": "Refunding"})
    verbs.replace(registry, now=NINE)
    observe(acme)
    shop.learn(acme)
    shop.proven(acme)
    return {
        "staff": Staff(),
        "reader": program(acme),
        "alice": program(acme, person=alice, name="hers"),
        **{
            name: program(acme, observer=name, name=f"its {name}")
            for name in ("probe", "activities", "usage", "integrations", "plan", "answers")
        },
    }


def known():
    """All that is known, and how often it was used or asked for."""
    facts = Fact.objects.order_by("pk")
    return {
        "facts": list(facts.values_list("namespace", "kind", "key", "person", "value", "digest")),
        "asked": list(
            facts.filter(history__outcome__in=["requested", "used"]).values_list(
                "key", "history__outcome", "history__count"
            )
        ),
        **{
            model.__name__: list(model.objects.order_by("pk").values())
            for model in (Vote, Session, Feedback, Preferences, Integration, Answer)
        },
    }


@pytest.mark.parametrize("write", WRITES, ids=[f"{write[1]} {write[2]}" for write in WRITES])
def test_a_write_made_again_changes_nothing(callers, write):
    who, method, path, body, headers, statuses = write
    place = path.format(answer=Answer.objects.get().pk)
    if method == "delete":  # what a PUT made
        puts = {at: body for _, way, at, body, *_ in WRITES if way == "put"}
        callers[who].put(place, puts[path])

    def made():
        told = (place,) if method == "delete" else (place, body)
        return getattr(callers[who], method)(*told, **headers).status_code

    first = made()
    after = known()
    second = made()

    assert (first, second) == statuses
    assert known() == after


def test_every_write_of_the_api_is_made_twice_here():
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    writes = {
        f"{method} {path}"
        for path, item in paths.items()
        for method in item
        if method in ("put", "post", "delete", "patch") and "{person}" not in path
    }
    places = {"data:label:Order": "{ref}", "data:label:Carrier": "{ref}", "refunding": "{verb}"}
    made = set()
    for _, method, path, *_ in WRITES:
        for place, name in places.items():
            path = path.replace(place, name)  # noqa: PLW2901
        made.add(f"{method} /api/v1/{path}")

    assert writes - {"post /api/v1/answers/lookups"} == made  # which reads, and takes a body for it
