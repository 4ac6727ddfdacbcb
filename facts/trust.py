"""Trust: how well a fact's value is supported, from evidence that fades.

    C = sum over counted confirmations of 2^(-age / 14 days)
    F = sum over counted refutations of 2^(-age / 2 days)
    trust = (4 + C) / (5 + C + F)

The sums run: kept with the moment they are of, each is multiplied by its decay and takes in a new
event with that event's own age, so that updating is O(1), exact, and independent of order.

A refutation fades in days and the number climbs back by itself, so the number alone never decides:
``refuted`` does not fade, only a later counted confirmation clears it. A thing nobody ever counted
evidence for scores 0.8, so a state needs counted evidence.
"""

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

PRIOR_SUPPORT = 4.0
PRIOR_REFUTE = 1.0
CONFIRM_HALF_LIFE = timedelta(days=14)
REFUTE_HALF_LIFE = timedelta(days=2)
STALE_AFTER = 2 * CONFIRM_HALF_LIFE

_TAIL = 0.1  # the lower bound is this quantile
NOTHING = 1e-9  # a sum this small no longer moves a state
_STEP = timedelta(hours=6)  # well under the time in which a fading refutation turns the bound


class Trust(StrEnum):
    """What a reader may make of a fact's value."""

    PROVEN = "proven"
    BELIEVED = "believed"
    STALE = "stale"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class CutOffs:
    """Where the states begin. Placeholders until calibrated against outcomes."""

    proven: float = 0.69  # of the 10 % lower bound
    believed: float = 0.80  # of trust


@dataclass(frozen=True, slots=True)
class Evidence:
    """The running sums at ``at``, and the times of the newest counted events."""

    support: float = 0.0
    refute: float = 0.0
    at: datetime | None = None
    confirmed_at: datetime | None = None
    refuted_at: datetime | None = None

    @property
    def refuted(self) -> bool:
        """Whether the newest counted event is a refutation."""
        if self.refuted_at is None:
            return False
        return self.confirmed_at is None or self.refuted_at >= self.confirmed_at


def confirmed(evidence: Evidence, *, at: datetime, now: datetime, adds: bool = True) -> Evidence:
    """``evidence`` with a counted confirmation of ``at``, a time after now being taken as now.

    ``adds`` is false for an asker's second confirmation of a day: it moves the newest
    confirmation's time, so that it clears a refutation, and leaves the sums alone.
    """
    at = min(at, now)
    if not adds:
        return replace(evidence, confirmed_at=_later(evidence.confirmed_at, at))
    support, refute = sums(evidence, now)
    return Evidence(
        support=support + _faded(now - at, CONFIRM_HALF_LIFE),
        refute=refute,
        at=_later(evidence.at, now),
        confirmed_at=_later(evidence.confirmed_at, at),
        refuted_at=evidence.refuted_at,
    )


def refuted(evidence: Evidence, *, at: datetime, now: datetime) -> Evidence:
    """``evidence`` with a counted refutation of ``at``, a time after now being taken as now."""
    at = min(at, now)
    support, refute = sums(evidence, now)
    return replace(
        evidence,
        support=support,
        refute=refute + _faded(now - at, REFUTE_HALF_LIFE),
        at=_later(evidence.at, now),
        refuted_at=_later(evidence.refuted_at, at),
    )


def sums(evidence: Evidence, now: datetime) -> tuple[float, float]:
    """C and F at ``now``. A clock that went back ages nothing."""
    if evidence.at is None:
        return 0.0, 0.0
    age = max(now - evidence.at, timedelta())
    return (
        evidence.support * _faded(age, CONFIRM_HALF_LIFE),
        evidence.refute * _faded(age, REFUTE_HALF_LIFE),
    )


def number(evidence: Evidence, now: datetime) -> float:
    """Trust at ``now``, between 0 and 1."""
    support, refute = sums(evidence, now)
    return (PRIOR_SUPPORT + support) / (PRIOR_SUPPORT + PRIOR_REFUTE + support + refute)


def lower_bound(evidence: Evidence, now: datetime) -> float:
    """The 10 % quantile of Beta(4 + C, 1 + F) at ``now``, to about 1e-12."""
    support, refute = sums(evidence, now)
    a, b = PRIOR_SUPPORT + support, PRIOR_REFUTE + refute
    if refute == 0:
        return float(_TAIL ** (1 / a))
    low, high = 0.0, 1.0
    while high - low > 1e-13:
        middle = (low + high) / 2
        if _beta_cdf(middle, a, b) < _TAIL:
            low = middle
        else:
            high = middle
    return low


def state(
    evidence: Evidence,
    *,
    now: datetime,
    verified: bool = False,
    rests_changed: bool = False,
    cut_offs: CutOffs = CutOffs(),
) -> Trust:
    """The first state that matches, in the order of the design.

    ``rests_changed`` says that what the fact rests on (a schema, say) changed since it was last
    confirmed.
    """
    if verified:
        return Trust.PROVEN
    if evidence.refuted or evidence.confirmed_at is None:
        return Trust.UNKNOWN
    if rests_changed or now - evidence.confirmed_at > STALE_AFTER:
        return Trust.STALE
    support, refute = sums(evidence, now)
    if _is_proven(support, refute, cut_offs):
        return Trust.PROVEN
    return Trust.BELIEVED if _is_believed(support, refute, cut_offs) else Trust.UNKNOWN


def lapses_at(
    evidence: Evidence,
    *,
    now: datetime,
    verified: bool = False,
    rests_changed: bool = False,
    cut_offs: CutOffs = CutOffs(),
) -> datetime | None:
    """The first moment after ``now`` at which the state is another, if nothing new happens.

    None where it stays for good: verified, refuted, never counted, or stale already.
    """
    if verified or rests_changed or evidence.refuted or evidence.confirmed_at is None:
        return None
    stale_at = evidence.confirmed_at + STALE_AFTER + timedelta(microseconds=1)
    if now >= stale_at:
        return None
    support, refute = sums(evidence, now)
    if refute < NOTHING:
        return _end_of_proof(support, now, stale_at, cut_offs)
    return _first_change(evidence, now, stale_at, cut_offs)


def support_for_proof(cut_offs: CutOffs) -> float:
    """The C from which the lower bound reaches ``proven``, without refutations."""
    return math.log(_TAIL) / math.log(cut_offs.proven) - PRIOR_SUPPORT


def support_for_belief(cut_offs: CutOffs) -> float:
    """The C from which trust reaches ``believed``, without refutations."""
    doubt = 1 - cut_offs.believed
    return (cut_offs.believed * (PRIOR_SUPPORT + PRIOR_REFUTE) - PRIOR_SUPPORT) / doubt


def _end_of_proof(support: float, now: datetime, stale_at: datetime, cut_offs: CutOffs) -> datetime:
    """Without refutations: proven until C fades to what the bound needs, then believed."""
    needed = support_for_proof(cut_offs)
    if needed <= 0 or support < needed:
        return stale_at
    left = CONFIRM_HALF_LIFE * math.log2(support / needed)
    return min(now + left + timedelta(microseconds=1), stale_at)


def _first_change(
    evidence: Evidence, now: datetime, stale_at: datetime, cut_offs: CutOffs
) -> datetime:
    """With refutations fading: the bound may rise before it falls, so walk and bisect."""
    today = state(evidence, now=now, cut_offs=cut_offs)
    same = now
    while same < stale_at:
        other = min(same + _STEP, stale_at)
        if state(evidence, now=other, cut_offs=cut_offs) != today:
            while other - same > timedelta(microseconds=1):
                middle = same + (other - same) / 2
                if state(evidence, now=middle, cut_offs=cut_offs) == today:
                    same = middle
                else:
                    other = middle
            return other
        same = other
    return stale_at


def _is_proven(support: float, refute: float, cut_offs: CutOffs) -> bool:
    a, b = PRIOR_SUPPORT + support, PRIOR_REFUTE + refute
    if refute < NOTHING:
        return bool(_TAIL ** (1 / a) >= cut_offs.proven)
    return _beta_cdf(cut_offs.proven, a, b) <= _TAIL


def _is_believed(support: float, refute: float, cut_offs: CutOffs) -> bool:
    trust = (PRIOR_SUPPORT + support) / (PRIOR_SUPPORT + PRIOR_REFUTE + support + refute)
    return trust >= cut_offs.believed


def _faded(age: timedelta, half_life: timedelta) -> float:
    return float(2.0 ** -(age / half_life))


def _later(known: datetime | None, at: datetime) -> datetime:
    return at if known is None else max(known, at)


def _beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b).

    Lentz's continued fraction (Numerical Recipes, 6.4), on the side where it converges quickly.
    """
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(x, a, b) / a
    return 1 - front * _beta_fraction(1 - x, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    fraction = d
    for m in range(1, 1000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            c = 1 + numerator / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return fraction
