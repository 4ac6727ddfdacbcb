"""A world of facts that change by themselves, to measure policies of re-checking in.

``facts`` facts of unit cost, a budget of one in ``SWEEP_TICKS`` of them a tick. Weights are
lognormal (sigma 1.4), change rates lognormal (sigma 1.5) around one change in one and a half
times what a check of everything takes: so that neither checking all alike nor checking what
matters is nearly right by itself. A quarter of the facts are not worth checking at this budget.
At tick 0 every fact was checked within the last ``SWEEP_TICKS``.

Freshness is the chance that the stored value still holds, weighted, integrated over time. The
checks happen at whole ticks, and what they find is drawn.
"""

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

SWEEP_TICKS = 20  # ticks that one check of everything takes


@dataclass
class World:
    """The facts, what is true of them, and the freshness had so far."""

    facts: int
    seed: int = 1
    now: int = 0
    had: float = 0.0  # weighted ticks of freshness, up to each fact's ``since``
    weights: list[float] = field(init=False)
    rates: list[float] = field(init=False)  # changes a tick
    checked: list[int] = field(init=False)
    _since: list[int] = field(init=False)
    _hazard: list[float] = field(init=False)  # at ``since``: 0 just after a check

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.budget = self.facts // SWEEP_TICKS
        self.weights = [self.draw.lognormvariate(0, 1.4) for _ in range(self.facts)]
        self.rates = [self._rate() for _ in range(self.facts)]
        self.checked = [-self.draw.randrange(SWEEP_TICKS) for _ in range(self.facts)]
        self._since = [0] * self.facts
        self._hazard = [-rate * at for rate, at in zip(self.rates, self.checked, strict=True)]

    def check(self, fact: int) -> bool:
        """Check a fact now; whether it had changed since its last check."""
        hazard = self._settle(fact)
        self._hazard[fact] = 0.0
        self.checked[fact] = self.now
        return self.draw.random() < -math.expm1(-hazard)

    def redraw(self, share: float) -> None:
        """Give a share of the facts new rates."""
        for fact in self.draw.sample(range(self.facts), round(share * self.facts)):
            self._hazard[fact] = self._settle(fact)
            self.rates[fact] = self._rate()

    def run(self, policy: Callable[[], Iterable[int]], ticks: int) -> float:
        """The mean weighted freshness over ``ticks`` ticks under a policy."""
        before = self.freshness()
        for _ in range(ticks):
            policy()
            self.now += 1
        return (self.freshness() - before) / ticks

    def freshness(self) -> float:
        """The weighted ticks of freshness had up to now."""
        for fact in range(self.facts):
            self._hazard[fact] = self._settle(fact)
        return self.had

    def _settle(self, fact: int) -> float:
        """Count a fact's freshness up to now; the hazard it has run since its last check."""
        hazard, ran = self._hazard[fact], self.rates[fact] * (self.now - self._since[fact])
        self.had += self.weights[fact] * math.exp(-hazard) * -math.expm1(-ran) / self.rates[fact]
        self._since[fact] = self.now
        return hazard + ran

    def _rate(self) -> float:
        return self.draw.lognormvariate(-math.log(1.5 * SWEEP_TICKS), 1.5)


def best(world: World, budget: float, interval: Callable[[float, float, float], float]) -> float:
    """The most weighted freshness that ``budget`` checks a tick can buy.

    ``interval(weight, rate, price)`` is what a fact is checked at when a check has that price.
    """

    def bought(price: float) -> tuple[float, float]:
        checks = fresh = 0.0
        for weight, rate in zip(world.weights, world.rates, strict=True):
            ticks = interval(weight, rate, price)
            if ticks < math.inf:
                checks += 1 / ticks
                fresh += weight * -math.expm1(-rate * ticks) / (rate * ticks)
        return checks, fresh

    cheap, dear = 1e-9, 1e9
    while dear > cheap * 1.0001:
        price = math.sqrt(cheap * dear)
        cheap, dear = (price, dear) if bought(price)[0] > budget else (cheap, price)
    (many, more), (few, less) = bought(cheap), bought(dear)
    return less + (more - less) * (budget - few) / (many - few)


def at_any_time(weight: float, rate: float, price: float) -> float:
    """The best interval for a price, by bisection on dF/df = price (Cho and Garcia-Molina)."""
    if price * rate >= weight:
        return math.inf
    low, high = 0.0, 1e6 / rate
    for _ in range(60):
        middle = (low + high) / 2
        x = rate * middle
        if weight / rate * (1 - math.exp(-x) * (1 + x)) < price:
            low = middle
        else:
            high = middle
    return high


def at_whole_ticks(weight: float, rate: float, price: float) -> float:
    """The best whole interval for a price: where net freshness a tick is greatest."""
    continuous = at_any_time(weight, rate, price)
    if continuous == math.inf:
        return math.inf

    def net(ticks: int) -> float:
        return (weight * -math.expm1(-rate * ticks) / rate - price) / ticks

    near = max(1, math.floor(continuous))
    around = range(max(1, near - 1), near + 3)
    chosen = max(around, key=net)
    return chosen if net(chosen) > 0 else math.inf
