"""Judging an account now: two queries, and what is not known is asked for."""

import pytest

from facts import store
from facts.models import Fact
from facts.refs import Ref
from specs import asking
from specs.errors import UnknownSpec
from tests.facts.observing import DAY, MINUTE, NINE, ORDERS, observe, stored
from tests.specs.loaded import CARRIER, ORDER, load, spec
from tests.specs.test_schema import GOOD_NEEDS

CARRIERS = Ref.parse("data:label:Carrier")


def test_what_is_not_known_is_asked_for_by_the_spec(acme):
    load(spec("late-orders", ORDER, CARRIER))
    observe(acme)

    judgement = asking.judge_and_ask("late-orders", acme, now=NINE + MINUTE)

    assert (judgement.verdict, judgement.wants) == ("unknown", [CARRIERS])
    assert [fact.ref for fact in acme.facts.open()] == [CARRIERS]
    assert stored(acme, CARRIERS).history.get().by == "spec:late-orders"


def test_asking_twice_on_a_day_is_one_row(acme):
    load(spec("late-orders", ORDER))
    for minutes in range(3):
        asking.judge_and_ask("late-orders", acme, now=NINE + minutes * MINUTE)

    line = stored(acme).history.get()
    assert (line.outcome, line.count, line.last_at) == ("requested", 3, NINE + 2 * MINUTE)


def test_at_most_25_are_asked_for(acme):
    needs = [{"level": "REQUIRED", "label": f"L{n}", "minCount": 1} for n in range(40)]
    load(spec("wide", *needs))

    judgement = asking.judge_and_ask("wide", acme, now=NINE)

    assert len(judgement.wants) == 40
    assert acme.facts.open().count() == 25


def test_stale_evidence_still_judges_and_is_asked_for(acme):
    load(spec("a"))
    observe(acme, now=NINE)

    judgement = asking.judge_and_ask("a", acme, now=NINE + 29 * DAY)

    assert (judgement.verdict, judgement.needs[0].figure) == (
        "ready",
        "count 830, at least 1, stale",
    )
    assert [fact.ref for fact in acme.facts.open()] == [ORDERS]


def test_a_failed_read_keeps_the_verdict_and_is_said(acme):
    load(spec("a"))
    observe(acme, now=NINE)
    observe(acme, outcome="failed", failure="42501", now=NINE + DAY)

    judgement = asking.preview("a", acme, now=NINE + DAY)

    assert (judgement.verdict, judgement.needs[0].figure) == (
        "ready",
        "count 830, at least 1, could not be read (42501)",
    )


def test_a_refuted_value_is_no_evidence(acme):
    load(spec("a"))
    observe(acme, now=NINE)
    observe(acme, outcome="refuted", now=NINE + DAY)

    assert asking.preview("a", acme, now=NINE + DAY).verdict == "unknown"


def test_another_accounts_facts_settle_nothing(acme, globex):
    load(spec("a"))
    observe(globex)
    assert asking.preview("a", acme, now=NINE).verdict == "unknown"


def test_a_preview_stores_and_asks_for_nothing(acme):
    load(spec("a"))
    asking.preview("a", acme, now=NINE)
    assert not Fact.objects.exists()


def test_judging_ten_needs_takes_two_queries(acme, django_assert_num_queries):
    needs = [{"level": "REQUIRED", "label": f"L{n}", "minCount": 1} for n in range(5)]
    load(spec("refunds"), spec("ten", *needs, *list(GOOD_NEEDS.values())[1:]))
    for n in range(5):
        observe(acme, f"data:label:L{n}")

    with django_assert_num_queries(2):
        judgement = asking.preview("ten", acme, now=NINE)
    assert len(judgement.needs) == 10


@pytest.mark.django_db
def test_a_spec_that_is_not_in_force_can_not_be_judged(acme):
    with pytest.raises(UnknownSpec):
        asking.judge_and_ask("nowhere", acme, now=NINE)
    assert not store.versions(acme, [ORDERS])[ORDERS]
