"""Law 10. Never measured is unknown, never zero or absent; a failed read keeps the last answer."""

from facts import store
from facts.trust import Trust
from specs.asking import judge_and_ask
from tests.facts.observing import DAY, MINUTE, NINE, ORDERS, observe, stored
from tests.specs.loaded import load, spec
from tests.specs.test_schema import GOOD_NEEDS


def test_a_fact_only_asked_for_has_no_value_and_is_unknown(acme):
    store.request(acme, ORDERS, by="generation", now=NINE)

    fact = stored(acme)
    assert (fact.value, fact.trust(NINE), fact.failing) == (None, Trust.UNKNOWN, False)


def test_found_absent_zero_and_never_measured_are_three_things(acme):
    observe(acme, "data:label:Gone", {"absent": True})
    observe(acme, "data:label:Empty", {"count": 0})
    store.request(acme, ORDERS, by="generation", now=NINE)

    values = dict(acme.facts.values_list("key", "value"))
    assert values == {"Gone": {"absent": True}, "Empty": {"count": 0}, "Order": None}


def test_a_failed_first_read_leaves_the_fact_unknown_and_says_why(acme):
    observe(acme, outcome="failed", failure="42501")

    fact = stored(acme)
    assert (fact.value, fact.failure, fact.measured_at) == (None, "42501", None)
    assert fact.trust(NINE) == Trust.UNKNOWN


def test_a_failed_read_keeps_the_last_answer_with_its_age_and_its_trust(acme):
    observe(acme, value={"count": 830})
    observe(acme, outcome="failed", failure="57014", now=NINE + DAY)

    fact = stored(acme)
    assert (fact.value, fact.measured_at, fact.failure) == ({"count": 830}, NINE, "57014")
    assert fact.trust(NINE + DAY) == Trust.BELIEVED


def test_any_later_success_clears_the_failure(acme):
    observe(acme, outcome="failed", failure="57014")
    observe(acme, now=NINE + MINUTE)

    assert (stored(acme).failure, stored(acme).failing) == ("", False)


def test_a_need_of_any_kind_over_a_fact_never_measured_is_unknown_and_asks(acme):
    load(spec("refunds"), spec("late-orders", *GOOD_NEEDS.values()))

    judgement = judge_and_ask("late-orders", acme, now=NINE)

    assert {judged.state for judged in judgement.needs} == {"unknown"}
    assert (judgement.verdict, judgement.usable) == ("unknown", False)
    assert {fact.ref for fact in acme.facts.open()} == set(judgement.wants)
    assert len(judgement.wants) == len(GOOD_NEEDS)


def test_a_failed_read_takes_no_feature_away(acme):
    load(spec("late-orders"))
    observe(acme)
    observe(acme, outcome="failed", failure="57014", now=NINE + MINUTE)

    assert judge_and_ask("late-orders", acme, now=NINE + MINUTE).verdict == "ready"
