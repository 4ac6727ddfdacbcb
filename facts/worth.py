"""What a check is worth, and when it has become worth its cost.

The score is the fresh time that a check buys (Olston and Pandey, WWW 2008; it is what the
Lagrangian optimum of Cho and Garcia-Molina, TODS 2003, equalises). For facts of weight w that
still hold after t with probability S(t):

    V(t) = w (integral of S from 0 to t  -  t S(t))        check as soon as  V(t) >= threshold cost

V only rises with t, so the moment is a constant until a weight, a rate, a cost or the threshold
moves: it is computed when one of them is written, and never by a reader.

Times are in days, rates per day, costs in seconds of the source's time, budgets in seconds a day,
thresholds in weighted days of freshness a second. A rate is known as Gamma(a, b): about a changes
seen in b days. It is uncertain, so S is the predictive curve (b / (b + t))^a and not the
exponential of the mean rate: it looks again at what it knows little of, all by itself.
"""

import math
from typing import NamedTuple

HORIZON = 36_500.0  # days; what becomes worth its cost later than this never does
KNOWN = 1e6  # changes seen; from there the rate is known, and the curve the exponential's
MEMORY = 15.0  # changes that a rate remembers, so that one that moved is learned again
DOUBT = 0.5  # changes; see ``doubted``
PRECISION = 1e-10  # of a crossing, relative


class Terms(NamedTuple):
    """What the worth of a check depends on."""

    weight: float
    cost: float  # seconds of the source's time
    a: float
    b: float  # days


def weight(*, askers: float, use: float, demand: float) -> float:
    """The weight of a check: one for being there, and what hangs on its facts.

    ``askers`` have an open request, ``use`` is in uses a day, ``demand`` is that of what is built
    on the facts.
    """
    return 1 + askers + use + demand


def learned(a: float, b: float, days: float, *, changed: bool) -> tuple[float, float]:
    """The rate Gamma(a, b) after a check found its facts (un)changed since ``days`` ago.

    A change says only that there was at least one, so the posterior is no Gamma: the one with its
    mean and variance takes its place.
    """
    days = max(days, 0.0)  # a clock that jumped back teaches nothing
    if not changed:
        return a, b + days
    if days <= b * 1e-9:
        return _remembered(a + 1, b)
    log_q = -math.log1p(days / b)

    def lost(power: float) -> float:
        return -math.expm1(power * log_q)

    mean = (a / b) * lost(a + 1) / lost(a)
    square = a * (a + 1) / b**2 * lost(a + 2) / lost(a)
    variance = square - mean**2
    return _remembered(mean**2 / variance, mean / variance)


def doubted(a: float, b: float) -> tuple[float, float]:
    """The rate to judge by: slower than the one learned, by about half a change.

    A rate thought too fast is hardly looked at, found changed whenever it is, and so never
    corrected; one thought too slow is corrected by its next check. Hence the doubt has a side.
    """
    return a, b * (1 + DOUBT / a)


def value(days: float, terms: Terms) -> float:
    """V: the weighted days of freshness that a check after ``days`` buys."""
    scale = _scale(terms)
    if terms.a >= KNOWN:
        x = days / scale
        return terms.weight * scale * (-math.expm1(-x) - x * math.exp(-x))
    return terms.weight * scale * _bought(terms.a, math.log1p(days / scale))


def worth_after(terms: Terms, threshold: float) -> float:
    """The days after which a check is worth its cost; ``inf`` where it never is."""
    scale = _scale(terms)
    target = threshold * terms.cost / (terms.weight * scale)
    if target <= 0:
        return 0.0
    if terms.a >= KNOWN:
        days = scale * _exponential_crossing(target)
    elif target >= _bought(terms.a, math.log1p(HORIZON / scale)):
        return math.inf
    else:
        days = scale * math.expm1(_crossing(terms.a, target))
    return days if days <= HORIZON else math.inf


def _scale(terms: Terms) -> float:
    """The unit of time of a rate's curve, in days."""
    return terms.b / terms.a if terms.a >= KNOWN else terms.b


def _remembered(a: float, b: float) -> tuple[float, float]:
    """Gamma(a, b) with at most MEMORY changes in it, its mean unmoved."""
    kept = min(1.0, MEMORY / a)
    return a * kept, b * kept


def _bought(a: float, stretch: float) -> float:
    """V / (w b) of the predictive curve at t = b (e^stretch - 1)."""
    if stretch < 1e-4 and a * stretch < 1e-4:  # the closed form loses its digits here
        return a * stretch**2 * (0.5 + (1 - 2 * a) * stretch / 6)
    k = a - 1
    fresh = -math.expm1(-k * stretch) / k if abs(k) * stretch > 1e-12 else stretch
    return a * fresh + math.expm1(-a * stretch)


def _left(a: float, stretch: float) -> float:
    """What V / (w b) has left to rise, for a > 1."""
    return math.exp((1 - a) * stretch) * (a / (a - 1) - math.exp(-stretch))


def _crossing(a: float, target: float) -> float:
    """The stretch at which ``_bought`` reaches ``target``, by Newton on a logarithm.

    ln _bought is concave in the stretch, and so is ln _left: from below its root the first rises
    to it without overshooting, and from above the second falls to it.
    """
    stretch = math.log1p(math.sqrt(2 * target / a))  # below the root: V is at most w a t^2 / 2b
    left = 1 / (a - 1) - target if a > 1 else math.inf
    for _ in range(100):
        density = a * math.exp(-a * stretch) * math.expm1(stretch)
        if left < target:
            rest = _left(a, stretch)
            step = rest * math.log(rest / left) / density
        else:
            so_far = _bought(a, stretch)
            step = so_far * math.log(target / so_far) / density
        stretch += step
        if abs(step) <= PRECISION * stretch:
            break
    return stretch


def _exponential_crossing(target: float) -> float:
    """The x at which 1 - e^-x (1 + x) reaches ``target``: Newton on x - ln(1 + x) = u."""
    if target >= 1:
        return math.inf
    u = -math.log1p(-target)
    x = math.sqrt(2 * u) + 5 * u / 6
    for _ in range(3):
        x -= (x - math.log1p(x) - u) * (1 + x) / x
    return x
