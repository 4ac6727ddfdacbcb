"""A need beside the value it rests on: met, unmet or unknown, and the figure that was compared.

Comparisons are between exact fractions of counts. The figures name types and numbers, never a
value of the customer's.
"""

from collections.abc import Callable
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from specs.needs import Need


class State(StrEnum):
    """What became of a need."""

    MET = "met"
    UNMET = "unmet"
    UNKNOWN = "unknown"


Settled = tuple[State, str]

_NOT_UNDERSTOOD: Settled = (State.UNKNOWN, "measured in a form that is not understood")


def figure_of(need: Need, value: Any) -> Settled:
    """The state of a need over a measured value, with its figure."""
    if not isinstance(value, dict):
        return _NOT_UNDERSTOOD
    if value.get("absent") is True:
        return State.UNMET, "absent"
    return _SETTLERS[need.kind](need, value)


def _count(need: Need, value: dict[str, Any]) -> Settled:
    count = _whole(value.get("count"))
    if count is None or need.threshold is None:
        return _NOT_UNDERSTOOD
    return _met(count >= need.threshold), f"count {count}, at least {need.threshold}"


def _share(word: str, part: str) -> Callable[[Need, dict[str, Any]], Settled]:
    def settle(need: Need, value: dict[str, Any]) -> Settled:
        some, all_ = _whole(value.get(part)), _whole(value.get("count"))
        if some is None or all_ is None or some > all_ or need.threshold is None:
            return _NOT_UNDERSTOOD
        if all_ == 0:
            return State.UNKNOWN, "nothing to measure"
        share = Fraction(some, all_)
        shown = _shown(share, need.threshold)
        return _met(
            share >= need.threshold
        ), f"{word} {shown}, at least {_decimals(need.threshold)}"

    return settle


def _signal(_need: Need, value: dict[str, Any]) -> Settled:
    healthy = value.get("healthy")
    if not isinstance(healthy, bool):
        return _NOT_UNDERSTOOD
    return _met(healthy), "healthy" if healthy else "not healthy"


def _plan(need: Need, value: dict[str, Any]) -> Settled:
    features = value.get("features")
    if not isinstance(features, list):
        return _NOT_UNDERSTOOD
    included = need.said["plan"] in features
    return _met(included), "in the plan" if included else "not in the plan"


def _feature(_need: Need, value: dict[str, Any]) -> Settled:
    verdict = value.get("verdict")
    if value.get("usable") is True:
        return State.MET, "usable"
    return (State.UNMET if verdict == "not-ready" else State.UNKNOWN), (
        verdict if verdict in {"not-ready", "unknown"} else _NOT_UNDERSTOOD[1]
    )


_SETTLERS: dict[str, Callable[[Need, dict[str, Any]], Settled]] = {
    "label": _count,
    "hop": _share("coverage", "reached"),
    "fill": _share("fill", "filled"),
    "signal": _signal,
    "plan": _plan,
    "feature": _feature,
}


def _met(holds: bool) -> State:
    return State.MET if holds else State.UNMET


def _whole(number: Any) -> int | None:
    """A count, or None for what is none: true is no 1, and nothing is counted below zero."""
    return number if type(number) is int and number >= 0 else None


def _shown(share: Fraction, threshold: Fraction) -> str:
    """A share in as many decimals as its threshold, at least two.

    Rounded half up, but never across the threshold nor to one: 0.4999 beside 0.50 shows 0.49, and
    a single record that is missing in a million does not read 1.00.
    """
    unit = Decimal(1).scaleb(-_places(threshold))
    exact = Decimal(share.numerator) / Decimal(share.denominator)
    rounded = exact.quantize(unit, ROUND_HALF_UP)
    if share < threshold <= Fraction(rounded) or share < 1 <= rounded:
        rounded = exact.quantize(unit, ROUND_FLOOR)
    return f"{rounded:f}"


def _decimals(threshold: Fraction) -> str:
    return f"{Decimal(threshold.numerator) / Decimal(threshold.denominator):.{_places(threshold)}f}"


def _places(threshold: Fraction) -> int:
    """The decimals a threshold is written with, from two to twelve."""
    places = 2
    while (threshold * 10**places).denominator != 1 and places < 12:
        places += 1
    return places
