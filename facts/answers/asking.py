"""A question as it is asked: its text, the things it names, and what it constrains. Pure.

Constraints are what the caller understood. A property's constraint restricts values; a shape's
says what is wanted back: ``rows``, ``count`` or ``sum`` of one label (each record once), split by
``group_by``, cut to ``limit``. ``type`` asks that a record of the label stands in relation to it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Self, TypeVar

from facts.errors import KenError

Item = TypeVar("Item")

LONGEST_TEXT = 2_000  # characters of a question
LONGEST_NAME = 200  # characters of a kind, an identity, a label, a property or a value
MOST_THINGS = 20
MOST_CONSTRAINTS = 50
MOST_VALUES = 500  # of one list
LARGEST = 1e30  # nothing that is counted or measured comes near

COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))
FILTERS = COMPARISONS | {"in", "not_in", "between", "like", "is_null", "not_null"}
MEASURES = frozenset(("rows", "count", "sum"))
SHAPES = MEASURES | {"group_by", "limit"}
OPS = FILTERS | SHAPES | {"type"}
_WITHOUT_PROPERTY = frozenset(("rows", "count", "limit", "type"))
_WITHOUT_VALUE = frozenset(("rows", "count", "sum", "group_by", "type", "is_null", "not_null"))


class BadQuestion(KenError):
    """The question is misshapen; the message points at the place and never quotes a value."""

    code = "bad-question"

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(f"{pointer or '/'}: {message}")
        self.pointer = pointer


@dataclass(frozen=True, slots=True)
class Thing:
    """Something a question names: a kind (Carrier) and which one (its name or id).

    ``said`` is how the question's text spells it, where that is not the identity.
    """

    kind: str
    identity: str
    said: str | None = None

    @classmethod
    def from_document(cls, document: Any, pointer: str = "") -> Self:
        """Raises BadQuestion."""
        found = _object(document, pointer, {"kind", "identity"}, {"said"})
        for name in found:
            if name != "said" or found[name] is not None:
                _text(found[name], f"{pointer}/{name}", LONGEST_NAME)
        return cls(found["kind"], found["identity"], found.get("said"))

    def to_document(self) -> dict[str, Any]:
        document = {"kind": self.kind, "identity": self.identity}
        return document if self.said is None else {**document, "said": self.said}


@dataclass(frozen=True, slots=True)
class Constraint:
    """One thing asked: a value of a property, a related type, or the shape of what comes back."""

    label: str
    property: str | None
    op: str
    value: Any = None

    @classmethod
    def from_document(cls, document: Any, pointer: str = "") -> Self:
        """Raises BadQuestion."""
        found = _object(document, pointer, {"label", "op"}, {"property", "value"})
        label, property_, op = found["label"], found.get("property"), found["op"]
        _text(label, f"{pointer}/label", LONGEST_NAME)
        if not isinstance(op, str) or op not in OPS:
            raise BadQuestion(f"{pointer}/op", f"an op is one of {', '.join(sorted(OPS))}")
        if op in _WITHOUT_PROPERTY:
            if property_ is not None:
                raise BadQuestion(f"{pointer}/property", f"{op} is about a label, not a property")
        else:
            _text(property_, f"{pointer}/property", LONGEST_NAME)
        _check_value(op, found.get("value"), f"{pointer}/value")
        return cls(label, property_, op, _frozen(found.get("value")))

    def to_document(self) -> dict[str, Any]:
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {"label": self.label, "property": self.property, "op": self.op, "value": value}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, whole."""

    text: str
    things: tuple[Thing, ...]
    constraints: tuple[Constraint, ...]

    @classmethod
    def from_document(cls, document: Any) -> Self:
        """The question a JSON document says. Raises BadQuestion at the first fault."""
        found = _object(document, "", {"text", "constraints"}, {"things"})
        _text(found["text"], "/text", LONGEST_TEXT)
        things = _items(found.get("things", []), "/things", MOST_THINGS, Thing.from_document)
        constraints = _items(
            found["constraints"], "/constraints", MOST_CONSTRAINTS, Constraint.from_document
        )
        measures = [one.op for one in constraints if one.op in MEASURES]
        if len(measures) != 1:
            raise BadQuestion(
                "/constraints", "exactly one of rows, count or sum says what is asked"
            )
        return cls(found["text"], things, constraints)

    def to_document(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "things": [thing.to_document() for thing in self.things],
            "constraints": [constraint.to_document() for constraint in self.constraints],
        }


def _check_value(op: str, value: Any, pointer: str) -> None:
    if op in _WITHOUT_VALUE:
        if value is not None:
            _refuse(pointer, f"{op} takes no value")
    elif op == "limit":
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            _refuse(pointer, "a limit is a whole number from 1")
    elif op == "like":
        _text(value, pointer, LONGEST_NAME)
    elif op in ("in", "not_in"):
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_VALUES:
            _refuse(pointer, f"{op} takes a list of 1 to {MOST_VALUES} values")
        for place, one in enumerate(value):
            _check_scalar(one, f"{pointer}/{place}")
    elif op == "between":
        if not isinstance(value, list | tuple) or len(value) != 2:
            _refuse(pointer, "between takes a list of two values")
        for place, one in enumerate(value):
            _check_scalar(one, f"{pointer}/{place}")
    else:
        _check_scalar(value, pointer)


def _check_scalar(value: Any, pointer: str) -> None:
    """A text, a number, true or false, or ``{"rel": "-30d"}``; null has its own op."""
    if isinstance(value, Mapping):
        if set(value) - {"rel", "from"} or not isinstance(value.get("rel"), str):
            _refuse(pointer, 'a time from now is {"rel": "-30d"}')
        if value.get("from", "now") not in ("now", "today"):
            _refuse(f"{pointer}/from", "a time is counted from now or from today")
    elif value is None:
        _refuse(pointer, "null is no value to compare with; ask is_null or not_null")
    elif isinstance(value, str):
        if len(value) > LONGEST_NAME:
            _refuse(pointer, f"a text has up to {LONGEST_NAME} characters")
    elif not isinstance(value, bool | int | float) or not abs(value) < LARGEST:
        _refuse(pointer, 'a value is a text, a number, true, false or {"rel": "-30d"}')


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _text(value: Any, pointer: str, longest: int) -> None:
    if not isinstance(value, str) or not value.strip() or len(value) > longest or "\0" in value:
        _refuse(pointer, f"a text of 1 to {longest} characters must stand here")


def _object(document: Any, pointer: str, needed: set[str], possible: set[str]) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        _refuse(pointer, f"an object with {', '.join(sorted(needed))} must stand here")
    for name in sorted(needed):
        if name not in document:
            _refuse(f"{pointer}/{name}", f"{name} is missing")
    if set(document) - needed - possible:
        _refuse(pointer, f"there are no other fields than {', '.join(sorted(needed | possible))}")
    return document


def _items(
    document: Any, pointer: str, most: int, read: Callable[[Any, str], Item]
) -> tuple[Item, ...]:
    if not isinstance(document, list | tuple) or len(document) > most:
        _refuse(pointer, f"a list of up to {most} must stand here")
    return tuple(read(item, f"{pointer}/{place}") for place, item in enumerate(document))


def _refuse(pointer: str, message: str) -> NoReturn:
    raise BadQuestion(pointer, message)
