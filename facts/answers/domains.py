"""Which values of one property make a condition true, and which make it false. Pure.

SQL has three truths, so a condition is the pair of both sets; for what is in neither it is
unknown. NOT swaps them, which is why ``NOT (status = 'late')`` does not let NULL in.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from facts.answers import sets
from facts.answers.constants import ABSOLUTE, NULL, Constant, Unplaced, apart, place
from facts.answers.sets import Values

ANY_AXIS = None  # of a condition on nothing but NULL


class Mixed(Exception):
    """Two conditions can't be told as one set: they lie on two axes, or values may blur."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Values, and whether NULL is among them."""

    values: Values
    null: bool

    def union(self, other: "Domain") -> "Domain":
        return Domain(self.values.union(other.values), self.null or other.null)

    def intersection(self, other: "Domain") -> "Domain":
        return Domain(self.values.intersection(other.values), self.null and other.null)

    def complement(self) -> "Domain":
        return Domain(self.values.complement(), not self.null)


@dataclass(frozen=True, slots=True)
class Truth:
    """What makes a condition on a property of ``type`` true, and what makes it false."""

    type: str
    axis: str | None
    true: Domain
    false: Domain

    def negated(self) -> "Truth":
        return Truth(self.type, self.axis, self.false, self.true)

    def both(self, other: "Truth") -> "Truth":
        axis = self._axis_with(other)
        true = self.true.intersection(other.true)
        return Truth(self.type, axis, true, self.false.union(other.false))

    def either(self, other: "Truth") -> "Truth":
        return self.negated().both(other.negated()).negated()

    def known(self) -> "Truth":
        """``IS TRUE``: never unknown."""
        return Truth(self.type, self.axis, self.true, self.true.complement())

    def defaulting_to(self, constant: Constant) -> "Truth":
        """This of ``COALESCE(property, constant)``: NULL counts as that. Raises Unplaced, Mixed."""
        default = compare(self.type, "=", constant)
        self._axis_with(default)
        null = [default.true.values.is_within(one.values) for one in (self.true, self.false)]
        true, false = Domain(self.true.values, null[0]), Domain(self.false.values, null[1])
        return Truth(self.type, self.axis, true, false)

    def _axis_with(self, other: "Truth") -> str | None:
        if None not in (self.axis, other.axis) and self.axis != other.axis:
            raise Mixed
        check_apart(self.type, self.true.values, other.true.values)
        check_apart(self.type, self.false.values.complement(), other.false.values.complement())
        return other.axis if self.axis is None else self.axis


def check_apart(type_: str, one: Values, other: Values) -> None:
    """Raise Mixed where what two lists share can't be told: two values may be one to the database.

    All but these and all but those is all but both, whatever the values are.
    """
    if type_ in sets.LISTED and not (one.but and other.but):
        for left in one.values:
            for right in other.values:
                if left != right and not apart(type_, left, right):
                    raise Mixed


def compare(type_: str, op: str, constant: Constant) -> Truth:
    """``property op constant`` for ``=``, ``!=`` and the orders. Raises Unplaced.

    Unlisted are texts' orders: they are the collation's, and no set we could tell.
    """
    if constant is NULL:
        return never(type_)
    if op == "!=":
        return compare(type_, "=", constant).negated()
    if type_ in sets.LISTED and op != "=":
        raise Unplaced
    axis, point = place(type_, constant)
    discrete = axis == ABSOLUTE and type_ in sets.DISCRETE
    kind = type_ if axis == ABSOLUTE else "timestamp"
    values = sets.compared(kind, op, point, discrete=discrete)
    return Truth(type_, axis, Domain(values, False), Domain(values.complement(), False))


def is_null(type_: str) -> Truth:
    full = sets.everything(type_)
    return Truth(type_, ANY_AXIS, Domain(full.complement(), True), Domain(full, False))


def never(type_: str) -> Truth:
    """Unknown whatever the value, as a comparison with NULL is."""
    empty = Domain(sets.everything(type_).complement(), False)
    return Truth(type_, ANY_AXIS, empty, empty)


def one_of(type_: str, constants: Iterable[Constant]) -> Truth:
    """``IN``: equal to one of them. A NULL in the list can only make it unknown."""
    all_of_them = list(constants)
    placed = [place(type_, constant) for constant in all_of_them if constant is not NULL]
    if len({axis for axis, _ in placed}) > 1:
        raise Mixed
    axis = placed[0][0] if placed else ANY_AXIS
    discrete = axis == ABSOLUTE and type_ in sets.DISCRETE
    values = sets.any_of(type_, [point for _, point in placed], discrete=discrete)
    false = values if NULL in all_of_them else values.complement()
    if NULL in all_of_them:
        false = false.intersection(false.complement())
    return Truth(type_, axis, Domain(values, False), Domain(false, False))


def between(type_: str, low: Constant, high: Constant) -> Truth:
    return compare(type_, ">=", low).both(compare(type_, "<=", high))


def same(type_: str, constant: Constant) -> Truth:
    """``IS NOT DISTINCT FROM``."""
    return is_null(type_) if constant is NULL else compare(type_, "=", constant).known()


def document_of(
    type_: str,
    domains: Iterable[tuple[str | None, Domain]],
    atoms: Iterable[list[Any]],
    *,
    is_key: bool,
) -> dict[str, Any] | None:
    """The one form of all conditions on a property together; None where they restrict nothing.

    ``atoms`` are conditions told apart by their spelling alone (``like``). Raises Mixed.
    """
    axes: dict[str, Values] = {}
    null = not is_key
    for axis, domain in domains:
        null = null and domain.null
        name = ABSOLUTE if axis is None else axis
        if name in axes:
            check_apart(type_, axes[name], domain.values)
            axes[name] = axes[name].intersection(domain.values)
        else:
            axes[name] = domain.values
    kept = [list(atom) for atom in sorted(set(map(tuple, atoms)))]
    if kept:
        null = False
    if any(values.is_empty for values in axes.values()):
        axes, kept = {ABSOLUTE: sets.everything(type_).complement()}, []
    limited = {name: values.to_document() for name, values in axes.items() if not values.is_full}
    if not limited and not kept and null is not is_key:
        return None
    return {"null": null, "axes": limited, "atoms": kept}


def is_empty(document: dict[str, Any]) -> bool:
    """Whether no value at all is let in."""
    return not document["null"] and any(
        values in ([], {"in": []}) for values in document["axes"].values()
    )


def shuts_out(asked: dict[str, Any] | None, stored: dict[str, Any]) -> bool:
    """Whether ``stored`` surely keeps out something that ``asked`` lets in."""
    if asked is None or (asked["null"] and not stored["null"]):
        return True
    for axis, values in stored["axes"].items():
        theirs = asked["axes"].get(axis)
        if theirs is None:
            return True
        if not sets.from_document(theirs).is_within(sets.from_document(values)):
            return True
    return False
