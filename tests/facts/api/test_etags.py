"""Every read has a tag, and says 304 to whoever has it."""

import pytest
from django.utils import timezone

from facts.models import Fact
from tests.facts.observing import observe
from tests.facts.program import program

READS = [
    "facts",
    "facts/data:label:Order",
    "facts/history/data:label:Order",
    "specs",
    "verdicts",
    "activities",
    "feedback",
    "preferences",
    "integrations",
    "plan",
    "header",
    "readiness",
    "knowledge/data",
    "knowledge/account",
    "knowledge/user",
]


@pytest.fixture
def hers(acme, alice):
    observe(acme, now=timezone.now())
    caller = program(acme, person=alice)
    for path in READS:
        caller.get(path)  # asks for what is not there, which shows in the list of facts
    return caller


@pytest.mark.parametrize("path", READS)
def test_a_read_is_tagged_and_not_sent_to_whoever_has_it(hers, path):
    first = hers.get(path)
    again = hers.get(path, If_None_Match=first["ETag"])
    other = hers.get(path, If_None_Match='"another"')

    assert (first.status_code, again.status_code, other.status_code) == (200, 304, 200)
    assert (again.content, again["ETag"]) == (b"", first["ETag"])
    assert "Content-Type" not in again
    assert first["Cache-Control"] == again["Cache-Control"] == "private, no-cache"


def test_another_answer_has_another_tag(hers, acme):
    tag = hers.get("facts")["ETag"]
    observe(acme, "data:label:Carrier", now=timezone.now())

    assert hers.get("facts", If_None_Match=tag).status_code == 200


def test_what_another_account_is_told_is_tagged_apart_and_a_refusal_not_at_all(hers, globex):
    other = program(globex)

    assert other.get("facts")["ETag"] != hers.get("facts")["ETag"]
    assert "ETag" not in other.get("facts/data:label:Order")


@pytest.mark.parametrize("path", ["facts", "facts/data:label:Order"])
def test_a_304_costs_one_query_besides_the_token(hers, path, django_assert_num_queries):
    Fact.objects.exclude(kind="label").delete()
    tag = hers.get(path)["ETag"]

    with django_assert_num_queries(2):
        assert hers.get(path, If_None_Match=tag).status_code == 304
