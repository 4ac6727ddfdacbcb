"""What is asked, in the form that an analysis has. Pure.

The records of one label are asked for, each once. Constraints on other labels are on records it
stands in relation to by the one shortest way of hops: there is one such record of each label, and
it meets all that is asked of that label together.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from facts.answers import domains
from facts.answers.asking import MEASURES, Constraint
from facts.answers.constants import Constant, Unplaced, constant_of
from facts.answers.domains import Domain, Mixed, Truth
from facts.answers.predicates import text_atom
from facts.answers.schema import Schema
from facts.answers.scopes import is_key_in, type_in

_TEXTUAL = frozenset(("like", "<", "<=", ">", ">="))


class NotAsked(Exception):
    """What is asked can't be told; the message says why, without a value."""


@dataclass(slots=True)
class Asked:
    """``domains`` holds every property that is named; None where it is not restricted."""

    label: str
    measure: str
    property: str | None
    labels: list[str]
    domains: dict[tuple[str, str], dict[str, Any] | None] = field(default_factory=dict)
    groups: list[tuple[str, str]] = field(default_factory=list)
    limit: int | None = None


def asked_of(constraints: Iterable[Constraint], schema: Schema, dialect: str) -> Asked:
    """Raises NotAsked."""
    constraints = list(constraints)
    measures = [one for one in constraints if one.op in MEASURES]
    if len(measures) != 1:
        raise NotAsked("one of rows, count or sum must be asked")
    wanted = measures[0]
    asked = Asked(wanted.label, wanted.op, wanted.property, [])
    by_property: dict[tuple[str, str], list[Constraint]] = {}
    for one in constraints:
        _check_known(one, schema)
        if one.label not in asked.labels:
            asked.labels.append(one.label)
        if one.property is not None:
            by_property.setdefault((one.label, one.property), []).append(one)
        if one.op == "group_by":
            asked.groups.append((one.label, str(one.property)))
        if one.op == "limit":
            asked.limit = one.value if asked.limit is None else min(asked.limit, one.value)
    for (label, property_), found in by_property.items():
        asked.domains[(label, property_)] = _domain(label, property_, found, schema, dialect)
    return asked


def _check_known(one: Constraint, schema: Schema) -> None:
    table = schema.tables.get(one.label)
    if table is None:
        raise NotAsked(f"there is no {one.label}")
    if one.property is not None and one.property not in table.columns:
        raise NotAsked(f"there is no {one.label}.{one.property}")


def _domain(
    label: str, property_: str, constraints: list[Constraint], schema: Schema, dialect: str
) -> dict[str, Any] | None:
    table = schema.tables[label]
    type_ = type_in(dialect, table.columns[property_].type)
    limits: list[tuple[str | None, Domain]] = []
    atoms: list[list[Any]] = []
    try:
        for one in constraints:
            if one.op in ("group_by", "sum"):
                continue
            if type_ == "text" and one.op == "between":
                low, high = one.value
                atoms += [_atom(">=", low), _atom("<=", high)]
            elif type_ == "text" and one.op in _TEXTUAL:
                atoms.append(_atom(one.op, one.value))
            else:
                truth = _truth(type_, one)
                limits.append((truth.axis, truth.true))
        return domains.document_of(
            type_, limits, atoms, is_key=is_key_in(dialect, property_, table)
        )
    except (Mixed, Unplaced):
        raise NotAsked(f"what is asked of {label}.{property_} can't be compared") from None


def _atom(op: str, value: Any) -> list[Any]:
    atom = text_atom(op, value) if isinstance(value, str) else None
    if atom is None:
        raise Unplaced
    return list(atom)


def _truth(type_: str, one: Constraint) -> Truth:
    if one.op == "is_null":
        return domains.is_null(type_)
    if one.op == "not_null":
        return domains.is_null(type_).negated()
    if one.op in ("in", "not_in"):
        truth = domains.one_of(type_, map(constant_of, one.value))
        return truth if one.op == "in" else truth.negated()
    if one.op == "between":
        low, high = map(constant_of, one.value)
        return domains.between(type_, low, high)
    if one.op == "like":
        raise Unplaced
    constant: Constant = constant_of(one.value)
    return domains.compare(type_, one.op, constant)
