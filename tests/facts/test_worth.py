"""What a check is worth, held against numeric integration and against figures worked by hand."""

import math
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from facts import worth
from facts.worth import HORIZON, KNOWN, Terms

LOW, HIGH = -3.0, 3.0


def powers(low: float = LOW, high: float = HIGH) -> st.SearchStrategy[float]:
    """Powers of ten, so that every magnitude comes up."""
    return st.floats(low, high).map(lambda power: 10**power)


TERMS = st.builds(Terms, powers(0, 3), powers(), powers(-2, 4), powers())


def simpson(curve: Callable[[float], float], to: float, steps: int = 4000) -> float:
    """The integral of ``curve`` from 0 to ``to``."""
    step = to / steps
    inner = sum(curve(n * step) * (4 if n % 2 else 2) for n in range(1, steps))
    return (curve(0) + inner + curve(to)) * step / 3


def integrated(days: float, terms: Terms) -> float:
    """V by quadrature: w times the integral of -u S'(u), over the logarithm of 1 + u/b."""
    weight, _, a, b = terms
    return simpson(
        lambda stretch: weight * a * b * math.expm1(stretch) * math.exp(-a * stretch),
        math.log1p(days / b),
    )


def test_the_weight_is_one_and_what_hangs_on_the_facts() -> None:
    assert worth.weight(askers=0, use=0, demand=0) == 1
    assert worth.weight(askers=2, use=0.5, demand=3) == 6.5


@pytest.mark.parametrize(
    ("a", "days", "value"),
    [
        (1, 1.0, math.log(2) - 0.5),  # b (ln(1 + t/b) - (t/b) / (1 + t/b))
        (2, 1.0, 0.25),  # b - b / (1 + t) - t / (1 + t)^2 = 1/2 - 1/4
        (2, 3.0, 0.5625),  # 3/4 - 3/16
        (0.5, 3.0, 0.5),  # 2 (sqrt(4) - 1) - 3 / sqrt(4)
    ],
)
def test_the_value_of_a_check_by_hand(a: float, days: float, value: float) -> None:
    assert worth.value(days, Terms(1, 1, a, 1)) == pytest.approx(value, rel=1e-12)
    assert worth.value(days, Terms(7, 1, a, 1)) == pytest.approx(7 * value, rel=1e-12)


def test_a_known_rate_s_value_by_hand() -> None:
    half_a_day = Terms(3, 1, KNOWN * 2, KNOWN)  # two changes a day
    assert worth.value(0.5, half_a_day) == pytest.approx(1.5 * (1 - 2 / math.e), rel=1e-12)


@given(terms=TERMS, days=powers(-2, 3))
def test_the_value_is_the_integral_of_the_predictive_curve(terms: Terms, days: float) -> None:
    assume(terms.a * math.log1p(days / terms.b) < 30)  # beyond, the steps are too wide
    assert worth.value(days, terms) == pytest.approx(integrated(days, terms), rel=1e-6)


@given(terms=TERMS, threshold=powers())
def test_a_check_is_due_when_the_integral_reaches_its_price(terms: Terms, threshold: float) -> None:
    days = worth.worth_after(terms, threshold)
    assume(days < HORIZON and terms.a * math.log1p(days / terms.b) < 30)
    assert integrated(days, terms) == pytest.approx(threshold * terms.cost, rel=1e-6)


@given(rate=powers(), weight=powers(0, 3), share=st.floats(1e-6, 1 - 1e-6))
def test_a_known_rate_crosses_where_the_closed_form_does(
    rate: float, weight: float, share: float
) -> None:
    terms = Terms(weight, 1, KNOWN * rate * 1e3, KNOWN * 1e3)
    days = worth.worth_after(terms, share * weight / rate)
    assume(days < HORIZON)
    x = rate * days
    assert -math.expm1(-x) - x * math.exp(-x) == pytest.approx(share, rel=1e-9)


@given(terms=TERMS, threshold=powers())
def test_a_well_known_rate_s_curve_is_the_exponential(terms: Terms, threshold: float) -> None:
    learned = Terms(terms.weight, terms.cost, KNOWN * 0.999, KNOWN * terms.b)
    known = learned._replace(a=KNOWN * 1.001, b=KNOWN * terms.b * 1.001 / 0.999)
    days = worth.worth_after(learned, threshold)
    assume(days < HORIZON and days < 10 * terms.b)
    assert worth.worth_after(known, threshold) == pytest.approx(days, rel=1e-3)


@pytest.mark.parametrize("a", [1.5, 2, 40, 2e6])
def test_what_never_buys_its_cost_is_never_due(a: float) -> None:
    most = 1 / (a - 1) if a < KNOWN else 1 / a  # all the time there is to buy, b = 1
    assert worth.worth_after(Terms(1, 1, a, 1), most * 1.0001) == math.inf
    assert worth.worth_after(Terms(1, 1, a, 1), most * 0.7) < math.inf


def test_a_free_check_is_due_at_once() -> None:
    assert worth.worth_after(Terms(1, 0, 1, 7), 5) == 0
    assert worth.worth_after(Terms(1, 1, 1, 7), 0) == 0


@given(terms=TERMS, threshold=powers(), more=st.floats(1.001, 10))
def test_more_weight_comes_sooner_and_more_cost_or_threshold_later(
    terms: Terms, threshold: float, more: float
) -> None:
    days = worth.worth_after(terms, threshold)
    heavier = worth.worth_after(terms._replace(weight=terms.weight * more), threshold)
    dearer = worth.worth_after(terms._replace(cost=terms.cost * more), threshold)
    scarcer = worth.worth_after(terms, threshold * more)
    assert heavier <= days <= min(dearer, scarcer)
    assert dearer == pytest.approx(scarcer, rel=1e-8)
    if days < HORIZON:
        assert heavier < days < dearer


@given(terms=TERMS, sooner=powers(-2, 3), later=powers(-2, 3))
def test_the_value_only_rises(terms: Terms, sooner: float, later: float) -> None:
    sooner, later = sorted((sooner, later))
    assert worth.value(sooner, terms) <= worth.value(later, terms) * (1 + 1e-9)


def test_an_unchanged_fact_adds_its_time() -> None:
    assert worth.learned(1, 7, 3, changed=False) == (1, 10)


@pytest.mark.parametrize(("a", "b", "days"), [(1, 7, 3), (0.5, 1, 20), (4, 2, 0.1), (9, 30, 200)])
def test_a_changed_fact_leaves_the_mean_and_variance_of_the_true_posterior(
    a: float, b: float, days: float
) -> None:
    def posterior(power: int) -> float:
        """The integral of d^power over the posterior; d = e^z so that a < 1 is smooth."""

        def curve(z: float) -> float:
            d = math.exp(z - 30)
            return d ** (a + power) * math.exp(-b * d) * -math.expm1(-d * days)

        return simpson(curve, 36, steps=20_000)

    mean = posterior(1) / posterior(0)
    variance = posterior(2) / posterior(0) - mean**2
    learned_a, learned_b = worth.learned(a, b, days, changed=True)
    assert learned_a / learned_b == pytest.approx(mean, rel=1e-6)
    assert learned_a / learned_b**2 == pytest.approx(variance, rel=1e-6)


@given(a=powers(-1, 1), b=powers(), days=powers())
def test_a_change_raises_the_rate_and_none_lowers_it(a: float, b: float, days: float) -> None:
    faster_a, faster_b = worth.learned(a, b, days, changed=True)
    slower_a, slower_b = worth.learned(a, b, days, changed=False)
    assert slower_a / slower_b < a / b <= faster_a / faster_b * (1 + 1e-9)


def test_a_change_at_once_is_one_more_change() -> None:
    assert worth.learned(2, 7, 0, changed=True) == (3, 7)
    near_a, near_b = worth.learned(2, 7, 1e-6, changed=True)
    assert (near_a, near_b) == (pytest.approx(3, rel=1e-5), pytest.approx(7, rel=1e-5))


def test_a_clock_that_jumped_back_teaches_nothing() -> None:
    assert worth.learned(1, 7, -5, changed=False) == (1, 7)


def test_a_rate_remembers_so_many_changes_and_keeps_its_mean() -> None:
    a, b = 1.0, 7.0
    for _ in range(200):
        a, b = worth.learned(a, b, 0.01, changed=True)
    assert a == pytest.approx(worth.MEMORY)
    assert a / b > 1  # a change at every look, a hundred looks a day


def test_doubt_has_a_side_and_shrinks_with_what_was_seen() -> None:
    assert worth.doubted(1, 8) == (1, 12)
    assert worth.doubted(10, 8) == (10, pytest.approx(8.4))
