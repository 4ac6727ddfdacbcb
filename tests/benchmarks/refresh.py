"""How fresh a budget keeps what is known: the product's rules beside others, and the best.

    python -m tests.benchmarks.refresh

10,000 facts of unit cost, a budget of 5 % of them a tick (``tests.benchmarks.world`` says what
they are like). Figures are shares of the most weighted freshness that the budget can buy, which
is the Lagrangian optimum over the true rates. The product's own functions decide, learn and
solve; each figure is held against what is demanded of it. Takes about two minutes.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.benchmarks.policies import GREEDY, Greedy, Threshold
from tests.benchmarks.world import SWEEP_TICKS, World, at_any_time, at_whole_ticks, best

FACTS = 10_000
PRIOR = (1.0, 1.5 * SWEEP_TICKS)  # Gamma(a, b in ticks) around the true median


@dataclass
class Report:
    """The table, as it grows; ``failed`` once a figure falls short of its demand."""

    failed: bool = field(default=False)

    def line(self, what: str, share: float, at_least: float | None = None) -> None:
        demand = ""
        if at_least is not None:
            held = share >= at_least
            self.failed |= not held
            demand = f"demanded {at_least:.3f}  {'held' if held else 'MISSED'}"
        print(f"{what:58} {share:8.4f}  {demand}".rstrip(), flush=True)


def optimum(world: World, interval: Callable[..., float] = at_any_time) -> float:
    return best(world, world.budget, interval)


def others(report: Report, facts: int) -> None:
    """The policies that the product's is measured against, with known rates, at rest."""
    for name, score in GREEDY.items():
        world = World(facts)
        policy = Greedy(world, score)
        world.run(policy, 10 * SWEEP_TICKS)
        report.line(name, world.run(policy, 10 * SWEEP_TICKS) / optimum(world))


def known_rates(report: Report, facts: int) -> None:
    shares = []
    for floor in (True, False):
        world = World(facts)
        policy = Threshold(world, None, floor=floor)
        world.run(policy, 400)
        shares.append(world.run(policy, 600) / optimum(world))
    whole = optimum(world, at_whole_ticks) / optimum(world)
    report.line("the best in whole ticks", whole)
    report.line("threshold, known rates", shares[0])
    report.line("  as a share of the best in whole ticks", shares[0] / whole, 0.995)
    report.line("  without the floor", shares[1])
    report.line("  the floor keeps", shares[0] / shares[1], 0.997)


def learned_rates(report: Report, facts: int) -> None:
    """From nothing; then a fifth of the rates move; then the budget is halved."""
    world = World(facts)
    policy = Threshold(world, PRIOR)
    most = optimum(world)
    world.run(policy, 100)
    report.line("rates learned from nothing, ticks 100-300", world.run(policy, 200) / most, 0.97)
    world.run(policy, 700)
    report.line("  after 1,000 ticks", world.run(policy, 300) / most, 0.98)
    world.redraw(0.2)
    report.line(
        "  a fifth of the rates redrawn, the 100 ticks after",
        world.run(policy, 100) / optimum(world),
        0.97,
    )
    world.run(policy, 200)
    world.budget //= 2
    world.run(policy, 30)
    report.line(
        "  the budget halved, of the new optimum in ticks 30-100",
        world.run(policy, 70) / optimum(world),
        0.98,
    )


def wrong_priors(report: Report, facts: int) -> None:
    a, b = PRIOR
    for name, wrong in (("slow", (a, b * 10)), ("fast", (a, b / 10))):
        world = World(facts)
        policy = Threshold(world, wrong)
        most = optimum(world)
        world.run(policy, 100)
        for ticks in (200, 700):
            span = f"ticks {world.now}-{world.now + ticks}"
            report.line(
                f"prior ten times too {name}, {span}", world.run(policy, ticks) / most, 0.97
            )


def main() -> int:
    report = Report()
    print(f"{FACTS:,} facts, {FACTS // SWEEP_TICKS} checks a tick; share of the optimum\n")
    for part in (others, known_rates, learned_rates, wrong_priors):
        part(report, FACTS)
    return int(report.failed)


if __name__ == "__main__":
    sys.exit(main())
