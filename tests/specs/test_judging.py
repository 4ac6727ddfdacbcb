"""Judging: plain facts in, a verdict with its reasons out."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from facts.refs import Ref
from specs.judging import MOST_ASKED, FactView, Judgement, judge
from specs.needs import read
from tests.conftest import given
from tests.specs.test_schema import GOOD_NEEDS, spec_of

ORDER = {"level": "REQUIRED", "label": "Order", "minCount": 1}
CARRIER = {"level": "REQUIRED", "label": "Carrier", "minCount": 1}
HOP = GOOD_NEEDS["hop"]
FILL = GOOD_NEEDS["fill"]
SIGNAL = GOOD_NEEDS["signal"]

ORDERS = "data:label:Order"
CARRIERS = "data:label:Carrier"
SHIPPED_BY = "data:hop:Order|SHIPPED_BY|Carrier"
PROMISED = "data:fill:Order|promisedAt"
SHIPPING = "account:signal:integration_health|shipping"


def judged(*needs: dict, **facts: Any) -> Judgement:
    return judge(read(spec_of(*needs)), views(facts.pop("facts", {})))


def views(facts: dict[str, Any]) -> dict[Ref, FactView]:
    return {
        Ref.parse(ref): fact if isinstance(fact, FactView) else FactView(fact)
        for ref, fact in facts.items()
    }


def states(judgement: Judgement) -> list[str]:
    return [str(need.state) for need in judgement.needs]


def only(need: dict, value: Any) -> tuple[str, str]:
    """The state and figure of one need over one value."""
    (found,) = read(spec_of(need))
    (one,) = judge([found], {found.ref: FactView(value)}).needs
    return str(one.state), one.figure


def given_fact(name: str, value: Any) -> tuple[str, Any]:
    """A fact of the given cases, whose short names stand for refs and whose figures for values."""
    kind, _, key = name.partition(":")
    if kind == "count":
        return f"data:label:{key}", {"count": value}
    if kind == "fill":
        exact = Fraction(str(value))
        counts = {"filled": exact.numerator, "count": exact.denominator}
        return f"data:fill:{key.replace('.', '|')}", counts
    assert kind == "signal"
    return f"account:signal:{key.replace(':', '|')}", {"healthy": value}


@pytest.mark.parametrize(
    "issue",
    [
        "backstage/backstage#8516",
        "inmanta/inmanta-core#6033",
        "open-feature/dotnet-sdk-contrib#739",
        "growthbook/growthbook#3498",
    ],
)
def test_the_given_cases_are_judged_as_they_say(issue):
    cases = json.loads(given("cases/judging_cases.json").read_text())
    (case,) = [case for case in cases if case["issue"] == issue]
    expected = case["expect"]

    judgement = judge(
        read(case["spec"]),
        views(dict(given_fact(name, value) for name, value in case["facts"].items())),
    )

    requested = [given_fact(name, 0)[0] for name in expected["requested"]]
    assert judgement.verdict == expected["verdict"]
    assert [str(ref) for ref in judgement.asks] == requested
    assert states(judgement).count("unknown") == expected["unknown_facts"]
    assert judgement.usable is expected.get("usable", expected["verdict"] == "ready")


@pytest.mark.parametrize(
    ("required", "improves", "verdict", "usable"),
    [
        ("met", "met", "ready", True),
        ("met", "unmet", "almost-ready", True),
        ("met", "unknown", "ready", True),
        ("unmet", "met", "not-ready", False),
        ("unmet", "unmet", "not-ready", False),
        ("unmet", "unknown", "not-ready", False),
        ("unknown", "met", "unknown", False),
        ("unknown", "unmet", "unknown", False),
        ("unknown", "unknown", "unknown", False),
    ],
)
@pytest.mark.parametrize("advisory", ["met", "unmet", "unknown"])
def test_the_verdict_follows_from_the_states(required, improves, verdict, usable, advisory):
    values = {"met": {"count": 1}, "unmet": {"count": 0}, "unknown": None}
    wanted = {"REQUIRED": required, "IMPROVES": improves, "ADVISORY": advisory}
    judgement = judged(
        *[{"level": level, "label": level, "minCount": 1} for level in wanted],
        facts={f"data:label:{level}": values[state] for level, state in wanted.items()},
    )

    assert states(judgement) == [required, improves, advisory]
    assert (judgement.verdict, judgement.usable) == (verdict, usable)


def test_one_unmet_among_unknown_required_needs_is_not_ready():
    judgement = judged(ORDER, CARRIER, facts={CARRIERS: {"count": 0}})
    assert (judgement.verdict, states(judgement)) == ("not-ready", ["unknown", "unmet"])


def test_a_spec_without_required_needs_is_usable():
    judgement = judged(FILL, SIGNAL)
    assert (judgement.verdict, judgement.usable) == ("ready", True)


@pytest.mark.parametrize(
    ("need", "value", "expected"),
    [
        (ORDER, {"count": 830}, ("met", "count 830, at least 1")),
        (ORDER, {"count": 0}, ("unmet", "count 0, at least 1")),
        (ORDER | {"minCount": 0}, {"count": 0}, ("met", "count 0, at least 0")),
        (ORDER | {"minCount": 1e3}, {"count": 1000}, ("met", "count 1000, at least 1000")),
        (HOP, {"reached": 31, "count": 100}, ("unmet", "coverage 0.31, at least 0.50")),
        (HOP, {"reached": 50, "count": 100}, ("met", "coverage 0.50, at least 0.50")),
        (FILL, {"filled": 829, "count": 830}, ("met", "fill 0.99, at least 0.60")),
        (FILL, {"filled": 830, "count": 830}, ("met", "fill 1.00, at least 0.60")),
        (SIGNAL, {"healthy": True}, ("met", "healthy")),
        (SIGNAL, {"healthy": False}, ("unmet", "not healthy")),
        (GOOD_NEEDS["plan"], {"features": ["reports", "x"]}, ("met", "in the plan")),
        (GOOD_NEEDS["plan"], {"features": []}, ("unmet", "not in the plan")),
        (GOOD_NEEDS["feature"], {"verdict": "ready", "usable": True}, ("met", "usable")),
        (GOOD_NEEDS["feature"], {"verdict": "almost-ready", "usable": True}, ("met", "usable")),
        (GOOD_NEEDS["feature"], {"verdict": "not-ready", "usable": False}, ("unmet", "not-ready")),
        (GOOD_NEEDS["feature"], {"verdict": "unknown", "usable": False}, ("unknown", "unknown")),
    ],
)
def test_a_need_is_compared_with_what_was_measured(need, value, expected):
    assert only(need, value) == expected


@pytest.mark.parametrize("kind", GOOD_NEEDS)
def test_what_was_never_measured_is_unknown_and_never_false(kind):
    assert only(GOOD_NEEDS[kind], None) == ("unknown", "not measured yet")


@pytest.mark.parametrize("kind", GOOD_NEEDS)
def test_what_is_absent_is_unmet(kind):
    assert only(GOOD_NEEDS[kind], {"absent": True}) == ("unmet", "absent")


@pytest.mark.parametrize("need", [HOP, FILL, HOP | {"minCoverage": 0}])
def test_nothing_of_nothing_is_unknown(need):
    assert only(need, {"reached": 0, "filled": 0, "count": 0}) == ("unknown", "nothing to measure")


@pytest.mark.parametrize("kind", GOOD_NEEDS)
@pytest.mark.parametrize(
    "value",
    [{}, [], "ready", 5, {"count": "9"}, {"count": True}, {"count": -1}, {"absent": "yes"},
     {"count": 2, "filled": 3, "reached": 3}, {"fill": 0.9, "coverage": 0.9}, {"healthy": 1},
     {"withheld": "credential"}, {"features": "reports"}, {"usable": "yes", "verdict": "ok"}],
)  # fmt: skip
def test_a_value_that_is_not_understood_is_unknown(kind, value):
    if (kind, value) == ("label", {"count": 2, "filled": 3, "reached": 3}):
        value = {"count": 2.0}
    assert only(GOOD_NEEDS[kind], value) == (
        "unknown",
        "measured in a form that is not understood",
    )


@pytest.mark.parametrize(
    ("filled", "count", "threshold", "state"),
    [
        (3, 5, 0.6, "met"),  # the float 0.6 is a little less than three fifths, 3 / 5 is not
        (36, 45, 0.8, "met"),
        (7, 10, 0.7, "met"),
        (29, 100, 0.29, "met"),
        (10**17 - 1, 10**17, 1, "unmet"),  # as floats the two are equal
        (10**17 + 1, 10**17 + 1, 1, "met"),
        (333_333_333, 10**9, 0.333333334, "unmet"),
    ],
)
def test_shares_are_compared_exactly(filled, count, threshold, state):
    assert only(FILL | {"minFill": threshold}, {"filled": filled, "count": count})[0] == state


@pytest.mark.parametrize(
    ("filled", "count", "threshold", "figure"),
    [
        (4999, 10_000, 0.5, "fill 0.49, at least 0.50"),
        (5049, 10_000, 0.505, "fill 0.504, at least 0.505"),
        (505, 1000, 0.5, "fill 0.51, at least 0.50"),
        (999_999, 10**6, 0.5, "fill 0.99, at least 0.50"),
        (999_999, 10**6, 1, "fill 0.99, at least 1.00"),
        (1, 3, 0, "fill 0.33, at least 0.00"),
    ],
)
def test_a_figure_is_never_shown_across_its_threshold_nor_as_all(filled, count, threshold, figure):
    assert only(FILL | {"minFill": threshold}, {"filled": filled, "count": count})[1] == figure


@for_all(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 1000))
def test_the_shown_figures_agree_with_the_state(some, count, thousandths):
    some = min(some, count)
    state, figure = only(FILL | {"minFill": thousandths / 1000}, {"filled": some, "count": count})

    shown, threshold = figure.removeprefix("fill ").split(", at least ")
    assert (Fraction(shown) >= Fraction(threshold)) is (state == "met")
    assert (Fraction(shown) == 1) is (some == count)


def test_stale_evidence_still_judges_is_marked_and_is_asked_for():
    judgement = judged(ORDER, facts={ORDERS: FactView({"count": 9}, stale=True)})

    (need,) = judgement.needs
    assert judgement.verdict == "ready"
    assert (need.stale, need.figure) == (True, "count 9, at least 1, stale")
    assert (judgement.wants, judgement.asks) == ([], [Ref.parse(ORDERS)])


def test_a_failing_read_keeps_the_last_answer_and_is_said():
    judgement = judged(ORDER, facts={ORDERS: FactView({"count": 9}, failure="42501")})

    (need,) = judgement.needs
    assert judgement.verdict == "ready"
    assert (need.failure, need.figure) == (
        "42501",
        "count 9, at least 1, could not be read (42501)",
    )


def test_a_read_that_only_ever_failed_is_unknown_and_is_asked_for():
    judgement = judged(ORDER, facts={ORDERS: FactView(failure="42501")})

    assert judgement.verdict == "unknown"
    assert judgement.needs[0].figure == "could not be read (42501)"
    assert judgement.asks == [Ref.parse(ORDERS)]


def test_a_value_known_to_be_wrong_is_unknown_and_is_asked_for():
    judgement = judged(ORDER, facts={ORDERS: FactView({"count": 9}, refuted=True)})

    assert judgement.verdict == "unknown"
    assert judgement.needs[0].figure == "refuted since it was measured"
    assert judgement.asks == [Ref.parse(ORDERS)]


def test_the_heaviest_wants_come_first():
    judgement = judged(
        SIGNAL,
        FILL,
        CARRIER,
        ORDER,
        ORDER | {"level": "IMPROVES", "minCount": 100},
        facts={SHIPPED_BY: FactView({"reached": 1, "count": 1}, stale=True)},
    )
    assert [str(ref) for ref in judgement.wants] == [ORDERS, CARRIERS, PROMISED, SHIPPING]


def test_what_is_asked_for_is_bounded_and_unknowns_come_before_stale_evidence():
    needs = [{"level": "ADVISORY", "label": f"L{n}", "minCount": 1} for n in range(26)]
    judgement = judged(ORDER, *needs, facts={ORDERS: FactView({"count": 1}, stale=True)})

    assert len(judgement.wants) == 26
    assert judgement.asks == judgement.wants[:MOST_ASKED]


def test_asked_for_twice_is_asked_for_once():
    judgement = judged(FILL, FILL | {"level": "REQUIRED", "minFill": 0.1}, facts={PROMISED: None})
    assert judgement.asks == [Ref.parse(PROMISED)]


@pytest.mark.parametrize(
    "document",
    [
        spec_of(ORDER | {"level": "MUST"}),
        spec_of(ORDER | {"maxCount": 9}),
        spec_of({"level": "ADVISORY", "census": "Order"}),
        spec_of(ORDER, {"level": "IMPROVES", "label": "Order", "hop": {}}),
        spec_of(ORDER, "Carrier"),
        spec_of(ORDER | {"minCount": "1"}),
        spec_of(ORDER) | {"gates": []},
        {"id": "x", "needs": []},
        {"id": "x", "needs": {}},
        {"id": "x"},
        {},
    ],
)
def test_a_stored_document_with_an_unknown_word_is_unknown_and_never_ready(document):
    judgement = judge(read(document), views({ORDERS: {"count": 9}}))

    assert (judgement.verdict, judgement.usable) == ("unknown", False)
    assert judgement.wants == []
    assert judgement.needs[-1].figure == "not understood by this version"


def test_an_unmet_required_need_beside_an_unknown_word_is_not_ready():
    document = spec_of(ORDER, {"level": "ADVISORY", "census": "Order"})
    assert judge(read(document), views({ORDERS: {"count": 0}})).verdict == "not-ready"


def test_a_judgement_is_stored_and_printed_in_one_shape():
    judgement = judged(ORDER, HOP, facts={ORDERS: {"count": 9}})

    assert judgement.as_json() == {
        "verdict": "unknown",
        "usable": False,
        "needs": [
            {
                "level": "REQUIRED",
                "need": {"label": "Order", "minCount": 1},
                "state": "met",
                "figure": "count 9, at least 1",
                "refs": [ORDERS],
            },
            {
                "level": "REQUIRED",
                "need": {
                    "hop": {"from": "Order", "verb": "SHIPPED_BY", "to": "Carrier"},
                    "minCoverage": 0.5,
                },
                "state": "unknown",
                "figure": "not measured yet",
                "refs": [SHIPPED_BY],
            },
        ],
        "wants": [SHIPPED_BY],
    }
