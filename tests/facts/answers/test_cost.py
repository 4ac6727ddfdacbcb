"""What lookups cost: queries, and the plan of the one that finds the answer."""

import json

import pytest
from django.db import connection

from facts.answers.looking_up import _LOOK_UP
from facts.models import Answer, Fact, Observation
from tests.facts.answers.shop import LATE_ORDERS, LATER, NINE, after, ask, late, proven, tell


def test_a_served_lookup_takes_two_queries(shop, django_assert_num_queries):
    proven(shop)
    with django_assert_num_queries(2):
        assert ask(shop).verdict == "serve"


def test_a_refusal_for_what_is_asked_takes_one(shop, django_assert_num_queries):
    proven(shop)
    with django_assert_num_queries(1):
        assert ask(shop, late("open")).reason == "contradicts"
    with django_assert_num_queries(1):
        assert ask(shop, late(text="Where are they?")).reason == "unknown-question"


def test_a_refusal_for_want_of_trust_asks_for_another_look_in_two_more(
    shop, django_assert_num_queries
):
    proven(shop)
    with django_assert_num_queries(3 + 2):  # and a savepoint's two, within the test's transaction
        assert ask(shop, now=after(30)).reason == "stale"


def test_an_outcome_takes_a_fixed_number_of_queries(shop, django_assert_max_num_queries):
    answer = proven(shop)
    with django_assert_max_num_queries(14) as first:
        tell(answer, now=after(1))
    for day in range(2, 12):
        tell(answer, now=after(day))
    with django_assert_max_num_queries(14) as later:
        tell(answer, now=after(12))

    assert len(first) == len(later)


@pytest.mark.parametrize("facts", [20_000])
def test_the_answer_is_found_by_two_indexes_however_many_there_are(shop, facts):
    answer = proven(shop)
    places = [
        Fact(account=shop, namespace="answer", kind="question", key=f"{number:064x}")
        for number in range(facts)
    ]
    Fact.objects.bulk_create(places)
    fields = [field for field in Answer._meta.concrete_fields if field.name not in ("id", "fact")]
    said = {field.attname: getattr(answer, field.attname) for field in fields}
    Answer.objects.bulk_create([Answer(**said, fact=fact) for fact in places])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE facts_fact")
        cursor.execute("ANALYZE facts_answer")
        cursor.execute(
            f"EXPLAIN (FORMAT JSON) {_LOOK_UP}", {"account": shop.pk, "key": places[7].key}
        )
        plan = json.dumps(cursor.fetchone()[0])

    assert "Seq Scan" not in plan
    assert plan.count("Index Scan") == 2
    for index in ("one_fact_per_ref", "one_answer_in_force"):
        assert index in plan


def test_a_lookup_leaves_one_line_a_day_and_asker(shop):
    answer = proven(shop)
    for _ in range(50):
        ask(shop, LATE_ORDERS, now=LATER)

    [line] = Observation.objects.filter(fact=answer.fact, outcome="used")
    assert (line.by, line.count, line.day) == ("assistant", 50, NINE.date())
