"""Cut-offs from outcomes: from which figure on answers are right as often as a level promises.

Below 1,000 outcomes a logistic curve is fitted, which needs few and bends little; from there on
isotonic regression, which supposes nothing but that a higher figure is no worse. Below 50 nothing
can be said. How far a cut-off is to be trusted comes from resampling the answers, not the outcomes:
many outcomes of one answer are not many answers.

Pure, and the same for the same outcomes: the resampling has a fixed seed. The fits are short enough
to stand here; scikit-learn, which the tests hold them against, is heavier than all of Ken.
"""

import math
import random
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FEWEST = 50  # outcomes, below which nothing is proposed
ISOTONIC_FROM = 1_000  # outcomes
STEPS = 200  # that a figure's range is divided into
RESAMPLES = 200
SEED = 1
TAIL = 0.05  # of the resamples, beyond each end of the interval
RIDGE = 0.01  # on the slope of a standardised figure: where right and wrong never overlap, it ends

NEVER, ALWAYS = math.inf, -math.inf
"""Cut-offs of what no figure reaches, and of what every figure that was seen does."""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it was given: the figure it stood at, and whether it was right."""

    figure: float
    right: bool
    answer: int


@dataclass(frozen=True, slots=True)
class CutOff:
    """The figure from which on the share of right answers is at least ``target``.

    ``low`` and ``high`` hold nine resamples of ten. Each may be NEVER or ALWAYS.
    """

    target: float
    at: float
    low: float
    high: float
    method: str  # logistic or isotonic
    outcomes: int


@dataclass(slots=True)
class Tally:
    """How many were right and wrong at each step of a figure."""

    right: list[float]
    wrong: list[float]

    @property
    def total(self) -> float:
        """How many outcomes there are."""
        return sum(self.right) + sum(self.wrong)


def cut_off(given: Sequence[Given], *, target: float, top: float) -> CutOff | None:
    """The cut-off for ``target``, of figures from 0 to ``top``; None for fewer than 50 outcomes."""
    if len(given) < FEWEST:
        return None
    is_logistic = len(given) < ISOTONIC_FROM
    at = _logistic_at if is_logistic else _isotonic_at
    step = top / STEPS
    by_answer = _by_answer(given, step)
    found = sorted(
        at(_tallied(resampled), target) * step for resampled in _resamples(list(by_answer))
    )
    return CutOff(
        target=target,
        at=at(_tallied(by_answer), target) * step,
        low=found[math.floor(TAIL * RESAMPLES)],
        high=found[math.ceil((1 - TAIL) * RESAMPLES) - 1],
        method="logistic" if is_logistic else "isotonic",
        outcomes=len(given),
    )


def logistic(tally: Tally) -> tuple[float, float]:
    """Intercept and slope of the log-odds of being right, by step. Newton's method.

    The penalised likelihood is concave; each step is halved until it does not fall.
    """
    steps = [step for step in range(STEPS + 1) if tally.right[step] or tally.wrong[step]]
    counts = [tally.right[step] + tally.wrong[step] for step in steps]
    total = sum(counts)
    mean = sum(step * count for step, count in zip(steps, counts, strict=True)) / total
    spread = math.sqrt(
        sum(count * (step - mean) ** 2 for step, count in zip(steps, counts, strict=True)) / total
    )
    scale = spread or 1.0
    points = [
        ((step - mean) / scale, tally.right[step], count)
        for step, count in zip(steps, counts, strict=True)
    ]
    a, b, before = 0.0, 0.0, -math.inf
    for _ in range(100):
        da, db = _newton_step(points, a, b)
        length = 1.0
        while (after := _likelihood(points, a + length * da, b + length * db)) < before:
            length /= 2
            if length < 1e-9:
                break
        a, b = a + length * da, b + length * db
        if after - before < 1e-12 * max(1.0, abs(after)):
            break
        before = after
    return a - b * mean / scale, b / scale


def isotonic(tally: Tally) -> list[tuple[int, float]]:
    """The best shares of right answers that never fall, as (first step, share) of each block.

    Pool adjacent violators: a block that is not better than the one before it joins it.
    """
    blocks: list[tuple[int, float, float]] = []  # first step, right, of how many
    for step in range(STEPS + 1):
        right, count = tally.right[step], tally.right[step] + tally.wrong[step]
        if not count:
            continue
        first = step
        while blocks and blocks[-1][1] * count >= right * blocks[-1][2]:
            first, more_right, more = blocks.pop()
            right, count = right + more_right, count + more
        blocks.append((first, right, count))
    return [(first, right / count) for first, right, count in blocks]


def tallied(given: Iterable[Given], *, top: float) -> Tally:
    """The outcomes by step of their figure, from 0 to ``top``."""
    return _tallied(_by_answer(given, top / STEPS))


Counts = dict[int, tuple[int, int]]  # by step: right and wrong, of one answer


def _by_answer(given: Iterable[Given], step: float) -> list[Counts]:
    found: dict[int, Counts] = defaultdict(dict)
    for one in given:
        at = min(max(round(one.figure / step), 0), STEPS)
        right, wrong = found[one.answer].get(at, (0, 0))
        found[one.answer][at] = (right + one.right, wrong + (not one.right))
    return [found[answer] for answer in sorted(found)]


def _tallied(answers: Iterable[Counts]) -> Tally:
    tally = Tally([0.0] * (STEPS + 1), [0.0] * (STEPS + 1))
    for answer in answers:
        for step, (right, wrong) in answer.items():
            tally.right[step] += right
            tally.wrong[step] += wrong
    return tally


def _resamples(answers: list[Counts]) -> Iterable[list[Counts]]:
    chance = random.Random(SEED)  # noqa: S311 - a figure's uncertainty, nobody's secret
    for _ in range(RESAMPLES):
        yield chance.choices(answers, k=len(answers))


def _logistic_at(tally: Tally, target: float) -> float:
    """The step at which the curve reaches ``target``, within the steps that were seen."""
    intercept, slope = logistic(tally)
    wanted = math.log(target / (1 - target))
    first, last = _seen(tally)
    if slope <= 0:  # a higher figure is no better: all or none
        middle = (first + last) / 2
        return ALWAYS if intercept + slope * middle >= wanted else NEVER
    at = (wanted - intercept) / slope
    return ALWAYS if at < first else NEVER if at > last else at


def _isotonic_at(tally: Tally, target: float) -> float:
    blocks = isotonic(_grouped(tally))
    index = bisect_left(blocks, target, key=lambda block: block[1])
    if index == len(blocks):
        return NEVER
    return ALWAYS if index == 0 else blocks[index][0]


def _grouped(tally: Tally) -> Tally:
    """The tally with neighbouring steps joined until each holds as many as tell anything.

    Alone, the few at either end make blocks of their own, right or wrong by chance.
    """
    grouped = Tally([0.0] * (STEPS + 1), [0.0] * (STEPS + 1))
    first, held = 0, 0.0
    left = tally.total
    for step in range(STEPS + 1):
        if held >= FEWEST and left >= FEWEST:
            first, held = step, 0.0
        grouped.right[first] += tally.right[step]
        grouped.wrong[first] += tally.wrong[step]
        count = tally.right[step] + tally.wrong[step]
        held, left = held + count, left - count
    return grouped


def _seen(tally: Tally) -> tuple[int, int]:
    steps = [step for step in range(STEPS + 1) if tally.right[step] or tally.wrong[step]]
    return steps[0], steps[-1]


Point = tuple[float, float, float]  # standardised figure, right, of how many


def _newton_step(points: Sequence[Point], a: float, b: float) -> tuple[float, float]:
    ga, gb = 0.0, -RIDGE * b
    haa, hab, hbb = 1e-12, 0.0, RIDGE
    for x, right, count in points:
        share = 1 / (1 + math.exp(-max(min(a + b * x, 500.0), -500.0)))
        residual, weight = right - count * share, count * share * (1 - share)
        ga, gb = ga + residual, gb + residual * x
        haa, hab, hbb = haa + weight, hab + weight * x, hbb + weight * x * x
    determinant = haa * hbb - hab * hab
    return (hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant


def _likelihood(points: Sequence[Point], a: float, b: float) -> float:
    total = -RIDGE * b * b / 2
    for x, right, count in points:
        odds = a + b * x
        total += right * odds - count * (max(odds, 0.0) + math.log1p(math.exp(-abs(odds))))
    return total
