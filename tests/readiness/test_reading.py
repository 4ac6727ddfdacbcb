import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from facts import derivations
from facts.models import Fact, Observation, Person
from facts.refs import Ref
from readiness import turn
from readiness.reading import header_of
from tests.facts.observing import MINUTE, NINE, observe

LATER = NINE + MINUTE


def settle(account, now=LATER):
    return derivations.settle(account, clock=lambda: now)


def work_on(person, verb, *, lift, sessions=5, rank=1, title=None):
    observe(
        person.account,
        Ref.of("user", "activity", verb),
        {"title": title or verb.title(), "rank": rank, "sessions": sessions, "days": 3,
         "others": 1, "colleagues": 4, "lift": lift, "first": NINE.isoformat(),
         "last": NINE.isoformat()},
        person=person,
        by="activities",
    )  # fmt: skip


def test_a_header_is_one_query_and_no_work(acme, alice, django_assert_num_queries):
    settle(acme)
    with django_assert_num_queries(1):
        assert header_of(acme, alice, now=LATER) == "Knowledge: not-ready."


def test_a_header_not_built_yet_says_that_nothing_is_known_and_is_asked_for(acme):
    bob = Person.objects.create(account=acme, external_id="bob")

    assert header_of(acme, bob, now=LATER) == "Knowledge: not-ready."
    assert bob.facts.at(turn.OF_PERSON).get().is_open
    settle(acme)
    assert bob.facts.at(turn.OF_PERSON).get().value == {"text": "Knowledge: not-ready."}


def test_activities_stand_in_order_of_lift_then_sessions_then_rank(acme, alice):
    work_on(alice, "auditing", lift="2/1", sessions=9, rank=2)
    work_on(alice, "refunding", lift="9/2", rank=3)
    work_on(alice, "counting", lift="2/1", sessions=9, rank=1)
    work_on(alice, "packing", lift="2/1", sessions=10, rank=4)
    settle(acme)

    assert header_of(acme, alice, now=LATER).splitlines()[0] == (
        "Works on: Refunding, Packing, Counting and 1 more."
    )


def test_what_one_person_works_on_is_in_nobody_elses_header(acme, alice):
    bob = Person.objects.create(account=acme, external_id="bob")
    work_on(alice, "refunding", lift="9/2")
    settle(acme)

    assert "Refunding" in header_of(acme, alice, now=LATER)
    assert "Refunding" not in header_of(acme, bob, now=LATER)
    assert "Refunding" not in header_of(acme, None, now=LATER)


@pytest.mark.django_db(transaction=True)
def test_two_hundred_readers_during_a_rebuild_cause_no_build_and_no_error(acme, alice):
    settle(acme)
    ran = Observation.objects.filter(fact__kind="header").count()
    gate = threading.Barrier(8)

    def read():
        try:
            gate.wait(timeout=20)
            return [header_of(acme, alice, now=LATER) for _ in range(25)]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        texts = [
            text for future in [pool.submit(read) for _ in range(8)] for text in future.result()
        ]

    assert texts == ["Knowledge: not-ready."] * 200
    assert Observation.objects.filter(fact__kind="header").count() == ran
    assert Fact.objects.get(person=alice, kind="header").version == 1
