"""What a question asks, and what a query keeps, as plain specs; and the naive SQL of a spec."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from tests.facts.answers.fuzzing.world import DOCUMENT, TABLES, TIES


@dataclass(frozen=True)
class Pred:
    """A condition on one label: an op and a value on a property, or SQL as it stands.

    ``raw`` has ``{a}`` for the row; ``absent`` asks that no row of that label is tied to it.
    """

    label: str
    properties: tuple[str, ...]
    op: str
    value: Any = None
    raw: str = ""
    absent: str = ""

    @property
    def property(self) -> str:
        return self.properties[0]


@dataclass(frozen=True)
class Spec:
    """Rows, a count or a sum of one label, where conditions hold and labels are in relation."""

    base: str
    measure: str = "rows"
    summed: str = ""
    preds: tuple[Pred, ...] = ()
    labels: tuple[str, ...] = ()  # that a row must stand in relation to
    groups: tuple[tuple[str, str], ...] = ()
    limit: int | None = None

    def all_labels(self) -> set[str]:
        named = {pred.label for pred in self.preds} | {label for label, _ in self.groups}
        return (named | set(self.labels)) - {self.base}

    def named(self) -> set[tuple[str, str]]:
        found = {(pred.label, one) for pred in self.preds for one in pred.properties}
        found |= set(self.groups)
        return found | ({(self.base, self.summed)} if self.measure == "sum" else set())

    def constraints(self) -> list[dict[str, Any]]:
        """The question's constraints; a spec with raw conditions asks nothing."""
        shape = {"label": self.base, "property": self.summed or None, "op": self.measure}
        found = [{**shape, "value": None}]
        found += [_constraint(one.label, one.property, one.op, one.value) for one in self.preds]
        found += [_constraint(label, None, "type", None) for label in self.labels]
        found += [_constraint(label, name, "group_by", None) for label, name in self.groups]
        if self.limit is not None:
            found.append(_constraint(self.base, None, "limit", self.limit))
        return found


def _constraint(label: str, property_: str | None, op: str, value: Any) -> dict[str, Any]:
    return {"label": label, "property": property_, "op": op, "value": json_value(value)}


def json_value(value: Any) -> Any:
    if isinstance(value, list):
        return [json_value(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, date) else value


def column(label: str, property_: str) -> str:
    name: str = DOCUMENT["labels"][label]["columns"][property_][0]
    return name


def type_of(label: str, property_: str) -> str:
    name: str = DOCUMENT["labels"][label]["columns"][property_][1]
    return name


def literal(value: Any) -> str:
    """A value in SQL, in the one plainest way."""
    if isinstance(value, dict):
        return relative(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, datetime):
        return f"timestamp '{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"date '{value.isoformat()}'"
    return repr(value)


def relative(value: dict[str, str]) -> str:
    number, unit = int(value["rel"][:-1]), {"d": "day", "h": "hour", "w": "week"}[value["rel"][-1]]
    start = "current_date" if value.get("from") == "today" else "localtimestamp"
    return f"({start} + interval '{number} {unit}')"


def naive_condition(pred: Pred, alias: str) -> str:
    """What a condition means, in the plainest SQL there is for it."""
    if pred.absent:
        mine, theirs, _ = TIES[pred.label][pred.absent]
        inner = pred.raw.replace("{a}", "no") or "true"
        return (
            f"NOT EXISTS (SELECT 1 FROM {TABLES[pred.absent]} no "
            f"WHERE no.{theirs} = {alias}.{mine} AND ({inner}))"
        )
    if pred.raw:
        return f"({pred.raw.replace('{a}', alias)})"
    name = f"{alias}.{column(pred.label, pred.property)}"
    value = pred.value
    if pred.op in ("is_null", "not_null"):
        return f"{name} IS {'NOT ' if pred.op == 'not_null' else ''}NULL"
    if pred.op in ("in", "not_in"):
        word = "NOT IN" if pred.op == "not_in" else "IN"
        return f"{name} {word} ({', '.join(map(literal, value))})"
    if pred.op == "between":
        return f"{name} BETWEEN {literal(value[0])} AND {literal(value[1])}"
    if pred.op == "like":
        return f"{name} LIKE {literal(value)}"
    return f"{name} {pred.op} {literal(value)}"


def way(start: str, end: str) -> list[str]:
    """The labels on the way from one to another."""
    ways = [[start]]
    while True:
        for one in ways:
            if one[-1] == end:
                return one
        ways = [[*one, to] for one in ways for to in TIES[one[-1]] if to not in one]


def tree(base: str, labels: Iterable[str]) -> dict[str, list[str]]:
    """Which labels hang on which, for all that are needed."""
    children: dict[str, list[str]] = {base: []}
    for label in sorted(labels):
        path = way(base, label)
        for parent, child in pairwise(path):
            children.setdefault(child, [])
            if child not in children[parent]:
                children[parent].append(child)
    return children


def naive_sql(spec: Spec) -> str:
    """What ``spec`` asks, by nested EXISTS; with groups of other labels by plain joins to them."""
    children = tree(spec.base, spec.all_labels())

    def holds(label: str, alias: str) -> str:
        own = [naive_condition(pred, alias) for pred in spec.preds if pred.label == label]
        for child in children[label]:
            mine, theirs, _ = TIES[label][child]
            inner = f"{alias}x{child[:3].lower()}"
            own.append(
                f"EXISTS (SELECT 1 FROM {TABLES[child]} {inner} "
                f"WHERE {inner}.{theirs} = {alias}.{mine} AND {holds(child, inner)})"
            )
        return " AND ".join(own) or "true"

    source, shown = f"{TABLES[spec.base]} b", []
    for number, (label, property_) in enumerate(spec.groups):
        if label == spec.base:
            shown.append(f"b.{column(label, property_)}")
            continue
        before = "b"
        path = way(spec.base, label)
        for step, (parent, child) in enumerate(pairwise(path)):
            mine, theirs, _ = TIES[parent][child]
            alias = f"g{number}s{step}"
            source += f" JOIN {TABLES[child]} {alias} ON {alias}.{theirs} = {before}.{mine}"
            before = alias
        shown.append(f"{before}.{column(label, property_)}")
    if spec.measure == "rows":
        return f"SELECT b.id FROM {source} WHERE {holds(spec.base, 'b')}"
    number_of = f"sum(b.{column(spec.base, spec.summed)})" if spec.measure == "sum" else "count(*)"
    grouped = f" GROUP BY {', '.join(shown)}" if shown else ""
    given = ", ".join([*shown, number_of])
    return f"SELECT {given} FROM {source} WHERE {holds(spec.base, 'b')}{grouped}"


def restricted(asked: Spec, stored: Spec) -> Spec:
    """``asked`` with what ``stored`` restricts on nothing that ``asked`` names."""
    named = asked.named()
    extra = tuple(
        pred
        for pred in stored.preds
        if pred.absent or not any((pred.label, one) in named for one in pred.properties)
    )
    more = tuple(label for label in stored.labels if label not in asked.labels)
    return replace(asked, preds=asked.preds + extra, labels=asked.labels + more)
