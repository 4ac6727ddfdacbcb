import json
import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st

from facts import trust
from facts.trust import Evidence, Trust
from tests.conftest import given

START = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def after(days):
    return START + days * DAY


def evidence_of(events, now):
    """Evidence from counted events, each taken in at its own time as the store would."""
    evidence = Evidence()
    for event in events:
        at = after(event["t"])
        if event["kind"] == "confirm" and event["by"] != "reuse":
            evidence = trust.confirmed(evidence, at=at, now=min(at, now))
        elif event["kind"] == "refute":
            evidence = trust.refuted(evidence, at=at, now=min(at, now))
    return evidence


def test_every_given_vector_holds():
    for vector in json.loads(given("cases/trust_vectors.json").read_text())["vectors"]:
        now, expect = after(vector["now_day"]), vector["expect"]
        evidence = evidence_of(vector["events"], now)
        support, refute = trust.sums(evidence, now)
        verified = any(event["kind"] == "verify" for event in vector["events"])
        found = {
            "confirm_weight": round(support, 4),
            "refute_weight": round(refute, 4),
            "trust": round(trust.number(evidence, now), 4),
            "lower90": round(trust.lower_bound(evidence, now), 4),
            "state": trust.state(evidence, now=now, verified=verified),
            "failing": evidence.refuted,
        }
        assert found == expect, vector["name"]


@pytest.mark.parametrize(
    ("confirmations", "number"), [(1, 5 / 6), (2, 6 / 7), (5, 9 / 10), (0, 4 / 5)]
)
def test_each_independent_run_raises_trust_by_the_formula(confirmations, number):
    evidence = evidence_of([{"kind": "confirm", "by": "run", "t": 0}] * confirmations, START)

    assert trust.number(evidence, START) == pytest.approx(number, abs=1e-12)


def test_a_refutation_stays_though_its_weight_fades_and_only_a_later_confirmation_clears_it():
    evidence = trust.refuted(
        trust.confirmed(Evidence(), at=START, now=START), at=after(1), now=after(1)
    )

    assert trust.number(evidence, after(20)) > 0.8
    assert trust.state(evidence, now=after(20)) == Trust.UNKNOWN
    assert trust.confirmed(evidence, at=after(0.5), now=after(20)).refuted
    assert not trust.confirmed(evidence, at=after(2), now=after(20)).refuted
    assert not trust.confirmed(evidence, at=after(2), now=after(20), adds=False).refuted


def test_a_second_confirmation_of_a_day_leaves_the_sums_alone():
    once = trust.confirmed(Evidence(), at=START, now=START)
    twice = trust.confirmed(once, at=after(0.2), now=after(0.2), adds=False)

    assert trust.sums(twice, after(1)) == trust.sums(once, after(1))
    assert twice.confirmed_at == after(0.2)


def test_what_it_rests_on_having_changed_makes_it_stale_but_not_what_a_person_verified():
    evidence = trust.confirmed(Evidence(), at=START, now=START)

    assert trust.state(evidence, now=START, rests_changed=True) == Trust.STALE
    assert trust.state(evidence, now=START, rests_changed=True, verified=True) == Trust.PROVEN


events = st.lists(
    st.tuples(st.booleans(), st.floats(0, 60, allow_nan=False)), min_size=1, max_size=12
)


@given_any(events, st.randoms(use_true_random=False))
def test_the_running_sums_do_not_depend_on_the_order_of_events(drawn, random):
    now = after(60)
    shuffled = random.sample(drawn, len(drawn))

    def running(order):
        evidence = Evidence()
        for confirms, day in order:
            add = trust.confirmed if confirms else trust.refuted
            evidence = add(evidence, at=after(day), now=now)
        return evidence

    first, second = running(drawn), running(shuffled)
    assert trust.sums(first, now) == pytest.approx(trust.sums(second, now), rel=1e-9)
    assert first.refuted == second.refuted


@given_any(events)
def test_running_sums_equal_the_sums_by_definition(drawn):
    now = after(60)
    ordered = sorted(drawn, key=lambda event: event[1])
    evidence = Evidence()
    for confirms, day in ordered:
        add = trust.confirmed if confirms else trust.refuted
        evidence = add(evidence, at=after(day), now=after(day))

    by_definition = (
        math.fsum(2 ** (-(60 - day) / 14) for confirms, day in ordered if confirms),
        math.fsum(2 ** (-(60 - day) / 2) for confirms, day in ordered if not confirms),
    )
    assert trust.sums(evidence, now) == pytest.approx(by_definition, rel=1e-6, abs=1e-12)


@given_any(events)
def test_the_state_holds_until_it_lapses_and_is_another_then(drawn):
    now = after(60)
    evidence = Evidence()
    for confirms, day in drawn:
        add = trust.confirmed if confirms else trust.refuted
        evidence = add(evidence, at=after(day), now=now)
    today = trust.state(evidence, now=now)
    lapse = trust.lapses_at(evidence, now=now)

    if lapse is None:
        assert trust.state(evidence, now=now + 400 * DAY) == today
    else:
        assert trust.state(evidence, now=lapse) != today
        for part in (0.1, 0.5, 0.9, 0.999):
            assert trust.state(evidence, now=now + (lapse - now) * part) == today


def test_five_confirmations_are_proven_until_they_fade_and_stale_after_two_half_lives():
    evidence = evidence_of([{"kind": "confirm", "by": "run", "t": 0}] * 5, START)
    # C = 5 * 2^(-t/14) falls to ln 0.1 / ln 0.69 - 4 = 2.2053 after 14 log2(5/2.2053) days
    proof_ends = trust.lapses_at(evidence, now=START)

    assert (proof_ends - START) / DAY == pytest.approx(16.532, abs=0.001)
    assert trust.state(evidence, now=proof_ends) == Trust.BELIEVED
    stale = trust.lapses_at(evidence, now=proof_ends)
    assert stale == after(28) + timedelta(microseconds=1)
    assert trust.state(evidence, now=stale) == Trust.STALE
    assert trust.lapses_at(evidence, now=stale) is None


def integral(x, a, b, steps=20_000):
    """I_x(a, b) by Simpson's rule: an independent way, slow and plain."""
    width = x / steps
    heights = [
        (width * i) ** (a - 1) * (1 - width * i) ** (b - 1) * (4 if i % 2 else 2)
        for i in range(1, steps)
    ]
    total = (math.fsum(heights) + x ** (a - 1) * (1 - x) ** (b - 1)) * width / 3
    return total / math.exp(math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))


@pytest.mark.parametrize(
    ("support", "refute"), [(0, 1), (1, 1), (0.7807, 0.125), (19.6, 3), (4, 9)]
)
def test_the_lower_bound_leaves_a_tenth_below_it(support, refute):
    evidence = Evidence(support=support, refute=refute, at=START, confirmed_at=START)

    bound = trust.lower_bound(evidence, START)

    assert integral(bound, 4 + support, 1 + refute) == pytest.approx(0.1, abs=1e-7)
