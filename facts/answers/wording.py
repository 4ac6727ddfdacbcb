"""Saying what a query restricts beside what was asked: names and operators, never values. Pure."""

from collections.abc import Mapping
from typing import Any


def restriction(name: str, domain: Mapping[str, Any]) -> str:
    """What a property is restricted to, such as ``Order.total >= ...``."""
    parts = [_axis(axis, values) for axis, values in sorted(domain["axes"].items())]
    parts += [_atom(*atom) for atom in domain["atoms"]]
    if domain["null"]:
        return f"{name} {' and '.join(parts)} or is null" if _may_be(domain) else f"{name} is null"
    if not parts:
        return f"{name} is not null"
    return f"{name} {' and '.join(parts)}"


def _may_be(domain: Mapping[str, Any]) -> bool:
    return any(values not in ([], {"in": []}) for values in domain["axes"].values())


def _axis(axis: str, values: Any) -> str:
    said = _listed(values) if isinstance(values, dict) else _spans(values)
    start = axis.partition(":")[0]
    return f"{said}, counted from {start}" if start else said


def _listed(values: Mapping[str, Any]) -> str:
    ((name, some),) = values.items()
    if not some:
        return "is of no value"
    if len(some) == 1:
        return "= ..." if name == "in" else "!= ..."
    return f"{'in' if name == 'in' else 'not in'} a list of {len(some)}"


def _spans(spans: list[Any]) -> str:
    if not spans:
        return "is of no value"
    if len(spans) > 1:
        return f"in {len(spans)} ranges"
    low, high = spans[0]
    if high is None:
        return "> ..." if low[1] else ">= ..."
    if low is None:
        return "<= ..." if high[1] else "< ..."
    if low[0] == high[0] or (isinstance(low[0], int) and not high[1] and high[0] == low[0] + 1):
        return "= ..."
    return "between two values"


def _atom(positive: bool, kind: str, text: str) -> str:
    del text
    if kind in ("like", "ilike"):
        return f"{'' if positive else 'not '}{kind} ..."
    return {("lt", True): "< ...", ("le", True): "<= ...", ("lt", False): ">= ..."}.get(
        (kind, positive), "> ..."
    )


def absence(label: str, verb: str, properties: list[str]) -> str:
    """That there is no record across a hop."""
    if not properties:
        return f"no {label} by {verb}"
    return f"no {label} by {verb} with a condition on {', '.join(properties)}"
