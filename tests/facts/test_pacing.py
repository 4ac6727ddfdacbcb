"""Budgets, thresholds and latest moments; and the simulation of the benchmark, in small."""

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts import pacing
from facts.pacing import Pace
from facts.worth import Terms, worth_after
from tests.benchmarks.policies import GREEDY, Greedy, Threshold
from tests.benchmarks.world import World, at_any_time, at_whole_ticks, best

PACE = Pace(tick=1 / 1440, shortest=1 / 24, longest=60)


def some_checks(count: int = 200) -> list[Terms]:
    draw = random.Random(4)
    return [
        Terms(draw.lognormvariate(0, 1), draw.uniform(0.01, 5), 1, draw.lognormvariate(2, 1))
        for _ in range(count)
    ]


@pytest.mark.parametrize("budget", [20, 100, 500, 2000])
def test_the_threshold_spends_the_budget(budget: float) -> None:
    checks = some_checks()
    threshold = pacing.threshold_for(checks, budget, PACE)
    assert budget * 0.99 <= pacing.spent(checks, threshold, PACE) <= budget


def test_the_threshold_is_the_same_wherever_the_search_starts() -> None:
    checks = some_checks()
    afresh = pacing.threshold_for(checks, 100, PACE)
    for near in (1e-6, afresh, 1e6, math.inf):
        assert pacing.threshold_for(checks, 100, PACE, near=near) == pytest.approx(afresh, rel=0.01)


def test_a_budget_for_everything_has_no_threshold() -> None:
    checks = [Terms(1, 0.5, 1, 7)] * 3  # at most one check an hour: 24 x 1.5 s a day
    assert pacing.threshold_for(checks, 36, PACE) == 0
    assert pacing.threshold_for(checks, 35, PACE) > 0
    assert pacing.threshold_for([], 35, PACE) == 0


def test_a_budget_for_nothing_leaves_the_latest_checks() -> None:
    checks = [Terms(1, 0.5, 1, 7)] * 3
    assert pacing.threshold_for(checks, 1e-9, PACE) == math.inf
    assert PACE.interval(checks[0], math.inf) == 60


@given(budget=st.floats(1, 1000), more=st.floats(1.1, 10))
def test_a_larger_budget_has_a_lower_threshold(budget: float, more: float) -> None:
    checks = some_checks(50)
    assert pacing.threshold_for(checks, budget * more, PACE) <= pacing.threshold_for(
        checks, budget, PACE
    )


def test_intervals_are_whole_ticks_within_their_bounds() -> None:
    pace = Pace(tick=1, shortest=2, longest=10)
    checks = {price: Terms(1, price, 1, 7) for price in (1e-6, 0.1, 0.5, 9)}
    waits = {price: worth_after(terms, 1) for price, terms in checks.items()}
    assert 3.4 < waits[0.5] < 3.5
    assert [pace.interval(terms, 1) for terms in checks.values()] == [2, 2, 3, 10]


def test_what_was_learned_together_does_not_reach_its_longest_wait_together() -> None:
    worthless = Terms(1, 1e9, 1, 7)
    waits = sorted(PACE.due_after(worthless, 1, key=key) for key in range(100))
    assert waits[0] >= 54
    assert waits[-1] <= 60
    gaps = [later - sooner for sooner, later in itertools.pairwise(waits)]
    assert max(gaps) < 0.15  # days; 6 days over 100 checks are 0.06 each


def test_nothing_waits_longer_than_ten_checks_of_everything() -> None:
    assert pacing.longest_wait(total_cost=600, budget=2880) == pytest.approx(10 * 600 / 2880)


def test_what_was_saved_is_spent_within_the_hour_and_what_is_overdue_is_saved() -> None:
    assert pacing.paced(2880, 0, within=1 / 24) == 2880
    assert pacing.paced(2880, 120, within=1 / 24) == 5760
    assert pacing.paced(2880, -60, within=1 / 24) == 1440
    assert pacing.paced(2880, -9e9, within=1 / 24) == 288


@pytest.mark.parametrize(
    ("threshold", "applied", "moved"),
    [(1.5, 1, False), (1.51, 1, True), (1, 1.51, True), (0, 0, False), (0.1, 0, True)],
)
def test_a_threshold_has_moved_from_half_as_much_again(
    threshold: float, applied: float, moved: bool
) -> None:
    assert pacing.moved(threshold, applied) is moved
    assert not pacing.moved(math.inf, math.inf)


def test_known_rates_come_near_the_best_and_every_other_policy_falls_short() -> None:
    """The table of ``tests.benchmarks.refresh`` for 600 facts."""
    world = World(600)
    policy = Threshold(world, None)
    world.run(policy, 300)
    ours = world.run(policy, 200)
    assert 0.985 < ours / best(world, world.budget, at_whole_ticks) < 1.005
    for name, score in GREEDY.items():
        other = World(600)
        greedy = Greedy(other, score)
        other.run(greedy, 300)
        assert other.run(greedy, 200) < 0.98 * ours, name


@pytest.mark.parametrize("wrong", [0.1, 1, 10])
def test_rates_are_learned_from_a_prior_however_wrong(wrong: float) -> None:
    world = World(600)
    policy = Threshold(world, (1, 30 * wrong))
    most = best(world, world.budget, at_any_time)
    world.run(policy, 100)
    assert 0.96 < world.run(policy, 200) / most < 1.005
    world.redraw(0.2)
    assert world.run(policy, 100) / best(world, world.budget, at_any_time) > 0.95


def test_the_simulation_counts_freshness_as_the_integral_says() -> None:
    """One fact, rate 1/10, checked every 5 ticks: (1 - e^-1/2) / (1/2)."""
    world = World(20, seed=3)
    world.weights, world.rates = [1.0] + [0.0] * 19, [0.1] + [1.0] * 19
    world.check(0)
    world.freshness()

    def every_fifth() -> list[int]:
        if world.now % 5 == 0:
            world.check(0)
        return []

    assert world.run(every_fifth, 100) == pytest.approx(-math.expm1(-0.5) / 0.5)
