"""Policies of re-checking: the product's, and the ones it is measured against.

A policy is called once a tick and checks what it chooses of the world's facts, within the budget.
"""

import heapq
import math
from collections.abc import Callable

from facts import pacing, worth
from tests.benchmarks.world import World

KNOWN = 1e9  # changes seen: enough for a rate to count as known
SAVED = 60  # ticks' worth of budget that may be saved: an hour's


class Threshold:
    """The product's: a threshold that follows the budget, and due times from it.

    ``prior`` is Gamma(a, b) in ticks, or None for known rates. What a tick leaves of the budget
    is saved, as it is for a source.
    """

    def __init__(
        self, world: World, prior: tuple[float, float] | None, *, floor: bool = True
    ) -> None:
        self.world, self.floor, self.learns = world, floor, prior is not None
        self.rates = [prior or (KNOWN, KNOWN / rate) for rate in world.rates]
        self.due = [math.inf] * world.facts
        self.queue: list[tuple[float, int]] = []  # of (due, fact); stale where due has moved
        self.credit = 0.0
        self.threshold = self.applied = 0.0

    def __call__(self) -> None:
        world = self.world
        self.credit = min(self.credit + world.budget, SAVED * world.budget)
        if world.now % pacing.SOLVE_TICKS == 0:
            self._solve()
        slices = round(1 / pacing.SWEEP)
        for fact in range(world.now % slices, world.facts, slices):
            self._reckon(fact)
        for fact in self._take_due():
            age = world.now - world.checked[fact]
            changed = world.check(fact)
            if self.learns:
                self.rates[fact] = worth.learned(*self.rates[fact], age, changed=changed)
            self._reckon(fact)

    def _take_due(self) -> list[int]:
        """What is due by the middle of the coming tick, as far as the budget goes."""
        taken: list[int] = []
        while len(taken) < self.credit and self.queue and self.queue[0][0] <= self.world.now + 0.5:
            due, fact = heapq.heappop(self.queue)
            if due == self.due[fact]:
                taken.append(fact)
                self.due[fact] = math.inf
        self.credit -= len(taken)
        return taken

    def _pace(self) -> pacing.Pace:
        longest = pacing.longest_wait(self.world.facts, self.world.budget)
        return pacing.Pace(tick=1, shortest=1, longest=longest if self.floor else worth.HORIZON)

    def _terms(self, fact: int) -> worth.Terms:
        rate = worth.doubted(*self.rates[fact]) if self.learns else self.rates[fact]
        return worth.Terms(self.world.weights[fact], 1, *rate)

    def _reckon(self, fact: int) -> None:
        wait = self._pace().due_after(self._terms(fact), self.threshold, key=fact)
        due = self.world.checked[fact] + wait
        if due != self.due[fact]:
            self.due[fact] = due
            heapq.heappush(self.queue, (due, fact))

    def _solve(self) -> None:
        world = self.world
        some = world.draw.sample(range(world.facts), min(pacing.SAMPLE, world.facts))
        overdue = sum(due < world.now - 0.5 for due in self.due)
        budget = pacing.paced(world.budget, self.credit - overdue, within=SAVED)
        self.threshold = pacing.threshold_for(
            [self._terms(fact) for fact in some],
            budget * len(some) / world.facts,
            self._pace(),
            near=self.threshold,
        )
        if world.now == 0 or pacing.moved(self.threshold, self.applied):
            self.applied = self.threshold
            for fact in range(world.facts):
                self._reckon(fact)


class Greedy:
    """Checks what scores highest at each tick."""

    def __init__(self, world: World, score: Callable[[World, int], float]) -> None:
        self.world, self.score = world, score

    def __call__(self) -> None:
        world = self.world
        for fact in heapq.nlargest(
            world.budget, range(world.facts), key=lambda fact: self.score(world, fact)
        ):
            world.check(fact)


def age(world: World, fact: int) -> float:
    return world.now - world.checked[fact]


def changed(world: World, fact: int) -> float:
    """The chance that a fact changed since its last check."""
    return -math.expm1(-world.rates[fact] * age(world, fact))


def entropy(world: World, fact: int) -> float:
    """The uncertainty whether a fact changed, in nats."""
    p = changed(world, fact)
    return -p * math.log(p) - (1 - p) * math.log(1 - p) if 0 < p < 1 else 0.0


GREEDY: dict[str, Callable[[World, int], float]] = {
    "random": lambda world, fact: world.draw.random(),
    "oldest first": age,
    "time-to-live by change rate": lambda world, fact: age(world, fact) - 1 / world.rates[fact],
    "proportional to change rate": lambda world, fact: age(world, fact) * world.rates[fact],
    "w x P(changed)": lambda world, fact: world.weights[fact] * changed(world, fact),
    "w x entropy x P(changed)": lambda world, fact: (
        world.weights[fact] * entropy(world, fact) * changed(world, fact)
    ),
    "importance only": lambda world, fact: math.log(1 - world.draw.random()) / world.weights[fact],
    "w x age": lambda world, fact: world.weights[fact] * age(world, fact),
}
