"""Making questions, and specs that differ from them a little."""

import random
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from tests.facts.answers.fuzzing.specs import Pred, Spec, column, type_of
from tests.facts.answers.fuzzing.world import DAYS, DOCUMENT, NUMBERS, TEXTS, TIES, TIMES, WHOLE

_PROPERTIES = {
    "Order": ["status", "channel", "total", "priority", "isTest", "placedAt", "shipDate"],
    "Carrier": ["name", "country", "rating"],
    "Customer": ["name", "tier"],
    "Region": ["name"],
    "Refund": ["amount", "reason"],
}
_RELATIVE = [{"rel": "-30d"}, {"rel": "-7d"}, {"rel": "-1w"}, {"rel": "-12h"}]
_TODAY = [{"rel": "-30d", "from": "today"}, {"rel": "-7d", "from": "today"}]
_RAW = [
    ("Order", ("status",), "lower({a}.status) = 'late'"),
    ("Order", ("status", "channel"), "({a}.status = 'late' OR {a}.channel = 'web')"),
    ("Order", ("priority", "total"), "{a}.priority < {a}.total"),
    ("Order", ("total",), "coalesce({a}.total, 0) > 50"),
    ("Order", ("isTest",), "NOT coalesce({a}.is_test, false)"),
    ("Order", ("isTest",), "coalesce({a}.is_test, false) = false"),
    ("Order", ("priority",), "{a}.priority NOT IN (1, NULL)"),
    ("Order", ("status",), "{a}.status <> 'late' OR {a}.status IS NULL"),
    ("Order", ("status",), "{a}.status IS DISTINCT FROM 'late'"),
    ("Order", ("status",), "CASE WHEN {a}.status = 'late' THEN true ELSE false END"),
    ("Order", ("placedAt",), "extract(year from {a}.placed_at) = 2026"),
    ("Order", ("placedAt",), "{a}.placed_at::date = '2026-12-31'"),
    ("Order", ("placedAt",), "{a}.placed_at BETWEEN '2026-01-01' AND '2026-12-31'"),
    ("Order", ("placedAt", "shipDate"), "{a}.placed_at < {a}.ship_date"),
    ("Order", ("shipDate",), "{a}.ship_date > '2026-01-01 12:00'"),
    ("Order", ("priority",), "{a}.priority = NULL"),
    ("Order", ("shipDate",), "{a}.ship_date >= timestamp '2026-01-01 12:00'"),
    ("Order", ("shipDate",), "{a}.ship_date <> timestamp '2026-01-01 12:00'"),
    ("Order", ("shipDate",), "{a}.ship_date <= timestamp '2026-12-31 00:00'"),
    ("Order", ("placedAt",), "{a}.placed_at > date '2026-12-31'"),
    (
        *("Order", ("status", "channel")),
        "({a}.status = 'late' AND {a}.channel = 'web') IS NOT FALSE",
    ),
    ("Order", ("priority",), "{a}.priority % 2 = 0"),
    ("Order", ("carrierId",), "{a}.carrier_id IS NOT NULL"),
    ("Order", ("total",), "{a}.total NOT BETWEEN 100 AND 50"),
    ("Order", ("total",), "{a}.total BETWEEN 100 AND 50"),
    ("Order", ("status",), "{a}.status ILIKE 'late'"),
    ("Order", ("status",), "{a}.status > 'l'"),
    ("Carrier", ("name",), "lower({a}.name) = 'ups'"),
    ("Carrier", ("name",), "{a}.name ~ 'U'"),
    ("Carrier", ("rating",), "({a}.rating > 2 OR {a}.rating IS NULL)"),
    ("Customer", ("tier",), "trim({a}.tier) = 'gold'"),
    ("Refund", ("amount",), "abs({a}.amount) = 50"),
]


def question(chance: random.Random) -> Spec:
    """Something that could be asked."""
    base = chance.choices(("Order", "Refund", "Customer", "Carrier"), (70, 12, 10, 8))[0]
    near = [label for label in _PROPERTIES if label != base]
    others = chance.sample(near, chance.choices((0, 1, 2), (55, 35, 10))[0])
    labels: list[str] = []
    own = chance.choices((0, 1, 2, 3), (8, 42, 35, 15))[0]
    preds = [predicate(chance, base) for _ in range(own)]
    for label in others:
        if chance.random() < 0.25:
            labels.append(label)
        else:
            preds += [predicate(chance, label) for _ in range(chance.choice((1, 1, 2)))]
    spec = Spec(base, preds=tuple(preds), labels=tuple(labels))
    way = chance.random()
    if way < 0.22:
        return replace(spec, measure="count")
    if way < 0.32 and base in ("Order", "Refund"):
        return replace(spec, measure="sum", summed="total" if base == "Order" else "amount")
    if way < 0.42:
        group = chance.choice(_groupable(base))
        if group not in spec.named():
            return replace(spec, measure="count", groups=(group,))
    if way > 0.95:
        return replace(spec, limit=chance.choice((1, 3, 5)))
    return spec


def _groupable(base: str) -> list[tuple[str, str]]:
    own = [(base, name) for name in _PROPERTIES[base]]
    return own + [
        (label, name) for label, tie in TIES[base].items() if tie[2] for name in _PROPERTIES[label]
    ]


def predicate(chance: random.Random, label: str, property_: str | None = None) -> Pred:
    """A condition on one property of a label."""
    name = property_ or chance.choice(_PROPERTIES[label])
    type_ = type_of(label, name)
    if chance.random() < 0.08:
        return Pred(label, (name,), chance.choice(("is_null", "not_null")))
    values = _values(label, name, type_)
    if type_ == "boolean":
        return Pred(label, (name,), chance.choice(("=", "=", "!=")), chance.choice(values))
    ops = ["=", "=", "!=", "in", "not_in"]
    if type_ == "text":
        ops = [*ops, "=", "=", "in", "like", chance.choice(("<", ">="))]
    else:
        ops += ["<", "<=", ">", ">=", "between", "between"]
    op = chance.choice(ops)
    if type_ == "timestamp" and chance.random() < 0.3:
        far = _TODAY if chance.random() < 0.25 else _RELATIVE
        return Pred(label, (name,), chance.choice((">=", ">", "<")), chance.choice(far))
    if op in ("in", "not_in"):
        return Pred(label, (name,), op, _some(values, chance))
    if op == "between":
        return Pred(label, (name,), op, sorted(chance.sample(values, 2)))
    if op == "like":
        return Pred(label, (name,), op, chance.choice(("l%", "%a%", "U_S", "late", "%")))
    return Pred(label, (name,), op, chance.choice(values))


def _values(label: str, name: str, type_: str) -> list[Any]:
    if type_ == "text":
        return TEXTS[column(label, name)]
    return {
        "number": NUMBERS,
        "integer": WHOLE,
        "boolean": [True, False],
        "timestamp": TIMES,
        "date": DAYS,
    }[type_]


def _some(values: list[Any], chance: random.Random) -> list[Any]:
    return chance.sample(values, chance.choice((1, 2, 2, 3)))


def stored_for(asked: Spec, chance: random.Random) -> Spec:
    """``asked`` with one or two things changed in what it means."""
    spec = asked
    for _ in range(chance.choice((1, 1, 1, 2))):
        spec = chance.choice(_CHANGES)(spec, chance)
    return spec


def _drop(spec: Spec, chance: random.Random) -> Spec:
    if not spec.preds:
        return spec
    gone = chance.choice(spec.preds)
    return replace(spec, preds=tuple(one for one in spec.preds if one is not gone))


def _add(spec: Spec, chance: random.Random) -> Spec:
    label = chance.choice([spec.base, spec.base, *spec.all_labels(), "Customer", "Carrier"])
    return replace(spec, preds=(*spec.preds, predicate(chance, label)))


def _add_raw(spec: Spec, chance: random.Random) -> Spec:
    labels = {spec.base, *spec.all_labels()}
    fitting = [one for one in _RAW if one[0] in labels]
    if not fitting:
        return _add(spec, chance)
    label, properties, raw = chance.choice(fitting)
    return replace(spec, preds=(*spec.preds, Pred(label, properties, "raw", raw=raw)))


def _add_absent(spec: Spec, chance: random.Random) -> Spec:
    of = chance.choice([spec.base, spec.base, *sorted(spec.all_labels())])
    label = chance.choice(list(TIES[of]))
    raw = chance.choice(("", "", "{a}.id > 2"))
    return replace(spec, preds=(*spec.preds, Pred(of, ("id",), "raw", raw=raw, absent=label)))


def _move(spec: Spec, chance: random.Random) -> Spec:
    """Another value on the same property, mostly the next one."""
    plain = [one for one in spec.preds if not one.raw and not one.absent]
    if not plain:
        return spec
    old = chance.choice(plain)
    return _exchange(spec, old, replace(old, value=_moved(old, chance)))


def _moved(pred: Pred, chance: random.Random) -> Any:
    step: Any = {"integer": 1, "number": 0.01, "date": timedelta(days=1)}.get(
        type_of(pred.label, pred.property), timedelta(microseconds=1)
    )
    value = pred.value
    if isinstance(value, list) and pred.op == "between":
        at = chance.choice((0, 1))
        moved = value[at] + chance.choice((step, -step))
        return sorted([value[1 - at], moved])
    if isinstance(value, list):
        more = _values(pred.label, pred.property, type_of(pred.label, pred.property))
        return chance.choice((value[1:] or value, [*value, chance.choice(more)]))
    if isinstance(value, dict):
        return chance.choice([*_RELATIVE, *_TODAY, TIMES[3]])
    if isinstance(value, bool):
        return not value
    if isinstance(value, datetime) and chance.random() < 0.5:
        return chance.choice(TIMES)
    if isinstance(value, int | float | date | datetime):
        return value + chance.choice((step, -step))
    if isinstance(value, str):
        return chance.choice(("late", "Late", "open", "ups", "UPS", "gold", "x%"))
    return value


def _other_op(spec: Spec, chance: random.Random) -> Spec:
    swaps = {"=": "!=", "!=": "=", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
    swaps |= {"in": "not_in", "not_in": "in", "is_null": "not_null", "not_null": "is_null"}
    fitting = [one for one in spec.preds if one.op in swaps]
    if not fitting:
        return spec
    old = chance.choice(fitting)
    return _exchange(spec, old, replace(old, op=swaps[old.op]))


def _other_property(spec: Spec, chance: random.Random) -> Spec:
    if not spec.preds:
        return spec
    old = chance.choice(spec.preds)
    return _exchange(spec, old, predicate(chance, old.label))


def _same_property(spec: Spec, chance: random.Random) -> Spec:
    plain = [one for one in spec.preds if not one.raw and not one.absent]
    if not plain:
        return spec
    old = chance.choice(plain)
    more = predicate(chance, old.label, old.property)
    return replace(spec, preds=(*spec.preds, more))


def _other_measure(spec: Spec, chance: random.Random) -> Spec:
    spec = replace(
        spec, measure="rows" if spec.measure != "rows" else "count", groups=(), limit=None
    )
    return replace(spec, summed="")


def _more_labels(spec: Spec, chance: random.Random) -> Spec:
    label = chance.choice([one for one in DOCUMENT["labels"] if one != spec.base])
    if label in spec.labels:
        return replace(spec, labels=tuple(one for one in spec.labels if one != label))
    return replace(spec, labels=(*spec.labels, label))


def _exchange(spec: Spec, old: Pred, new: Pred) -> Spec:
    return replace(spec, preds=tuple(new if one is old else one for one in spec.preds))


_CHANGES = [
    *(_drop, _add, _add, _add_raw, _add_raw, _add_absent, _move, _move, _move, _other_op),
    *(_other_property, _same_property, _other_measure, _more_labels),
]
