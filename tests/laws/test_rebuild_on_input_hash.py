"""Law 5: a derived fact is rebuilt when what it was built from is another, and never by a clock."""

from datetime import timedelta

from facts import derivations, store
from facts.derivations import Outcome
from facts.lapses import ask_for_lapsed
from facts.refs import Ref
from tests.facts.derivations.deriving import (
    TOTAL,
    build_from_orders,
    count,
    is_due,
    run,
    target_in,
    total,
)
from tests.facts.observing import DAY, MINUTE, NINE, observe, stored

LATER = NINE + 10 * MINUTE
ORDERS = Ref.parse("data:label:Order")


def test_a_derived_fact_holds_the_hash_of_what_it_was_built_from(acme, derived):
    build_from_orders(acme)

    fact = total(acme)
    assert fact.value == {"records": 833}
    assert fact.built_by == "1"
    assert len(fact.built_from) == 64
    assert fact.built_from == target_in(acme).built_from
    assert derived.builds == [{"counts": {"Carrier": 3, "Order": 830}}]
    assert not is_due(acme, now=LATER + 365 * DAY)


def test_a_changed_input_makes_it_due_and_is_built_once(acme, derived):
    build_from_orders(acme)
    before = total(acme).built_from

    count(acme, "Order", 840, now=LATER)

    assert is_due(acme, now=LATER)
    assert stored(acme, TOTAL).is_open
    after = LATER + MINUTE
    assert derivations.run_due(account=acme, clock=lambda: after) == {Outcome.BUILT: 1}
    assert total(acme).value == {"records": 843}
    assert total(acme).built_from != before
    assert not stored(acme, TOTAL).is_open
    assert derivations.run_due(account=acme, clock=lambda: after) == {}
    assert len(derived.builds) == 2


def test_an_input_confirmed_again_as_it_was_rebuilds_nothing(acme, derived):
    build_from_orders(acme)

    count(acme, "Order", 830, now=LATER)

    assert not is_due(acme, now=LATER)


def test_a_fact_it_does_not_read_makes_nothing_due(acme, derived):
    build_from_orders(acme)

    observe(acme, "data:hop:Order|SHIPPED_BY|Carrier", {"reached": 1, "count": 2}, now=LATER)

    assert not is_due(acme, now=LATER)


def test_the_same_fact_of_another_account_makes_nothing_due(acme, globex, derived):
    build_from_orders(acme)

    count(globex, "Order", 5, now=LATER)

    assert not is_due(acme, now=LATER)


def test_a_new_input_under_a_prefix_makes_it_due(acme, derived):
    build_from_orders(acme)

    count(acme, "Parcel", 7, now=LATER)

    assert is_due(acme, now=LATER)


def test_a_request_with_the_same_inputs_is_answered_by_a_confirmation_and_no_build(acme, derived):
    build_from_orders(acme)
    version = total(acme).version
    store.request(acme, TOTAL, by="alice", now=LATER)
    assert is_due(acme, now=LATER)

    assert run(acme, now=LATER + MINUTE) == Outcome.CONFIRMED

    fact = stored(acme, TOTAL)
    assert len(derived.builds) == 1
    assert not fact.is_open
    assert (fact.version, fact.value, fact.measured_at) == (
        version + 1,
        {"records": 833},
        LATER + MINUTE,
    )
    assert not is_due(acme, now=LATER + DAY)


def test_a_new_code_version_with_the_same_inputs_is_built_exactly_once(acme, derived):
    build_from_orders(acme)
    derived.register(version="2")

    assert derivations.sweep(now=LATER) == 1
    assert derivations.run_due(clock=lambda: LATER) == {Outcome.BUILT: 1}
    assert derivations.sweep(now=LATER) == 0
    assert derivations.run_due(clock=lambda: LATER) == {}

    assert len(derived.builds) == 2
    assert total(acme).built_by == "2"


def test_going_back_to_the_old_code_is_a_change_too(acme, derived):
    build_from_orders(acme)
    first = total(acme).built_from
    derived.register(version="2")
    run(acme, now=LATER)
    derived.register(version="1")

    assert derivations.sweep(now=LATER + MINUTE) == 1
    assert run(acme, now=LATER + MINUTE) == Outcome.BUILT
    assert total(acme).built_from == first


def test_what_is_not_all_there_yet_is_not_built_and_asks_for_what_is_missing(acme, derived):
    build_from_orders(acme)
    derived.missing = (ORDERS, Ref.parse("data:label:Parcel"))
    before = (total(acme), target_in(acme).built_from)
    count(acme, "Order", 900, now=LATER)

    assert run(acme, now=LATER) == Outcome.MISSING

    fact = total(acme)
    assert len(derived.builds) == 1
    assert (fact.value, fact.built_from, fact.version) == (
        before[0].value,
        before[0].built_from,
        before[0].version,
    )
    assert target_in(acme).built_from == before[1]
    assert stored(acme, "data:label:Parcel").is_open
    assert stored(acme, "data:label:Parcel").value is None
    assert not is_due(acme, now=LATER + DAY)


def test_what_was_missing_wakes_it_when_it_comes(acme, derived):
    derived.missing = ()
    assert run(acme) == Outcome.MISSING
    assert total(acme) is None

    derived.missing = None
    count(acme, "Order", 830, now=LATER)

    assert derivations.run_due(clock=lambda: LATER) == {Outcome.BUILT: 1}
    assert total(acme).value == {"records": 830}


def test_what_is_missing_under_new_code_is_looked_at_once(acme, derived):
    derived.missing = ()
    run(acme)
    derived.register(version="2")

    assert derivations.sweep(now=LATER) == 1
    assert run(acme, now=LATER) == Outcome.MISSING
    assert derivations.sweep(now=LATER) == 0


def test_a_fact_never_measured_is_an_input_and_unknown(acme, derived):
    store.request(acme, ORDERS, by="alice", now=NINE)

    assert run(acme) == Outcome.BUILT
    assert derived.builds == [{"counts": {"Order": None}}]


def test_what_a_build_no_longer_returns_becomes_absent_and_comes_back(acme, derived):
    other = Ref.parse("account:total:carriers")
    derived.result = lambda inputs: {(None, TOTAL): {"records": 1}, (None, other): {"records": 2}}
    build_from_orders(acme)
    assert stored(acme, other).value == {"records": 2}

    derived.result = lambda inputs: {(None, TOTAL): {"records": 1}}
    count(acme, "Order", 840, now=LATER)
    run(acme, now=LATER + MINUTE)
    retired = stored(acme, other)
    assert retired.value == {"absent": True}

    count(acme, "Order", 850, now=LATER + 2 * MINUTE)
    run(acme, now=LATER + 3 * MINUTE)
    assert stored(acme, other).version == retired.version  # absent once is absent

    derived.result = lambda inputs: {(None, other): {"records": 3}}
    count(acme, "Order", 860, now=LATER + 4 * MINUTE)
    run(acme, now=LATER + 5 * MINUTE)
    assert stored(acme, other).value == {"records": 3}
    assert stored(acme, TOTAL).value == {"absent": True}


def test_a_build_that_fails_keeps_the_value_and_says_why_by_a_code(acme, derived, caplog):
    build_from_orders(acme)
    count(acme, "Order", 840, now=LATER)

    def fail(inputs):
        raise ValueError("secret 840")

    derived.result = fail
    assert run(acme, now=LATER) == Outcome.FAILED

    fact = stored(acme, TOTAL)
    assert (fact.value, fact.failure) == ({"records": 833}, "ValueError")
    assert fact.is_open
    assert "840" not in caplog.text
    assert "ValueError in fail, line" in caplog.text
    assert not is_due(acme, now=LATER + MINUTE)
    assert is_due(acme, now=LATER + 2 * MINUTE)

    derived.result = None
    assert run(acme, now=LATER + 2 * MINUTE) == Outcome.BUILT
    assert (total(acme).value, total(acme).failure) == ({"records": 843}, "")
    assert target_in(acme).failures == 0


def test_inputs_that_are_no_plain_data_are_a_failure_of_the_build(acme, derived):
    build_from_orders(acme)
    derived.register(version="2", inputs=lambda target, reading: {"part": object()})

    assert run(acme, now=LATER) == Outcome.FAILED
    assert total(acme).failure == "not-plain-data"
    assert total(acme).value == {"records": 833}


def test_a_build_may_only_write_what_its_owner_owns(acme, derived):
    build_from_orders(acme)
    derived.result = lambda inputs: {(None, ORDERS): {"count": 1}}
    count(acme, "Order", 840, now=LATER)

    assert run(acme, now=LATER) == Outcome.FAILED
    assert total(acme).failure == "not-the-owner"
    assert stored(acme, ORDERS).value == {"count": 840}


def test_what_changes_trust_or_failing_of_an_input_makes_it_due(acme, derived):
    build_from_orders(acme)

    observe(acme, ORDERS, outcome="failed", failure="42501", now=LATER)
    assert is_due(acme, now=LATER)
    run(acme, now=LATER)

    observe(acme, ORDERS, {"count": 830}, now=LATER + MINUTE)
    assert is_due(acme, now=LATER + MINUTE)
    run(acme, now=LATER + MINUTE)

    observe(acme, ORDERS, outcome="refuted", now=LATER + 2 * MINUTE)
    assert is_due(acme, now=LATER + 2 * MINUTE)


def test_trust_that_lapses_by_itself_asks_for_the_fact_and_what_rests_on_it(acme, derived):
    build_from_orders(acme)
    lapses_at = stored(acme, ORDERS).trust_lapses_at
    just_before = lapses_at - timedelta(microseconds=1)
    assert ask_for_lapsed(now=just_before) == 0

    assert ask_for_lapsed(now=lapses_at) == 3  # two labels and the total, of one moment
    assert stored(acme, ORDERS).is_open
    assert stored(acme, ORDERS).trust_lapses_at is None
    assert is_due(acme, now=lapses_at)
    assert ask_for_lapsed(now=lapses_at) == 0


def test_a_lapse_that_the_tick_missed_is_told_by_the_next_observation(acme, derived):
    build_from_orders(acme)
    late = stored(acme, ORDERS).trust_lapses_at + DAY

    count(acme, "Order", 830, now=late)

    assert is_due(acme, now=late)


def test_inputs_that_change_by_themselves_are_looked_at_when_they_do(acme, derived):
    ends = NINE + 3 * DAY

    def inputs(target, reading):
        reading.changes_at(ends + DAY)
        reading.changes_at(ends)
        return {"counts": {"Order": 2 if reading.now < ends else 1}}

    derived.register(inputs=inputs)
    run(acme)

    assert target_in(acme).due_at == ends
    assert derivations.run_due(clock=lambda: ends - MINUTE) == {}
    assert derivations.run_due(clock=lambda: ends) == {Outcome.BUILT: 1}
    assert total(acme).value == {"records": 1}


def test_a_room_that_changes_its_own_tables_wakes_its_targets(acme, derived):
    build_from_orders(acme)

    assert derivations.wake("total", now=LATER, account=acme, targets=[""]) == 1
    assert derivations.run_due(clock=lambda: LATER) == {Outcome.CONFIRMED: 1}
    assert len(derived.builds) == 1
