"""The many ways to write one condition: all true for the same rows, NULL or not."""

import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from tests.facts.answers.fuzzing.specs import Pred, column, literal, naive_condition, type_of

_DAY = timedelta(days=1)


def condition(pred: Pred, alias: str, chance: random.Random) -> str:
    """One spelling of ``pred`` about the row ``alias``. Raw conditions stay as they are."""
    if pred.raw or pred.absent:
        return naive_condition(pred, alias)
    name = (
        f"{alias}.{column(pred.label, pred.property)}"
        if alias
        else column(pred.label, pred.property)
    )
    type_ = type_of(pred.label, pred.property)
    spelled = chance.choice(_WAYS[pred.op](name, pred.value, type_, chance))
    if chance.random() < 0.08:
        spelled = chance.choice(
            (
                f"({spelled})",
                f"NOT NOT ({spelled})",
                f"({spelled}) IS TRUE",
                f"NOT (NOT ({spelled}))",
            )
        )
    return spelled


def value(one: Any, type_: str, chance: random.Random) -> str:
    """One spelling of a constant."""
    if isinstance(one, dict):
        return _relative(one, chance)
    ways = [literal(one)]
    if isinstance(one, datetime):
        text = one.isoformat(sep=" ")
        ways = [f"'{text}'", f"timestamp '{text}'", f"'{text}'::timestamp", f"'{one.isoformat()}'"]
        ways.append(f"CAST('{text}' AS timestamp)")
        if one.time() == datetime.min.time():
            ways += [f"'{one.date()}'", f"date '{one.date()}'", f"'{one.date()} 00:00'"]
    elif isinstance(one, date):
        ways = [f"'{one}'", f"date '{one}'", f"CAST('{one}' AS date)", f"'{one}'::date"]
        ways.append(f"timestamp '{one} 00:00:00'")
    elif isinstance(one, bool):
        ways = [literal(one), literal(one).upper(), f"'{literal(one)}'"]
    elif isinstance(one, int | float):
        ways.append(f"{Decimal(repr(one))}{'.0' if isinstance(one, int) else '0'}")
        if isinstance(one, int):
            ways += [f"{one}::integer" if one >= 0 else f"({one})::integer", f"'{one}'"]
    elif isinstance(one, str):
        ways += [literal(one), literal(one), f"{literal(one)}::text"]
    return chance.choice(ways)


def _relative(one: dict[str, str], chance: random.Random) -> str:
    number, unit = int(one["rel"][:-1]), one["rel"][-1]
    if unit == "w":
        number, unit = chance.choice(((number, "w"), (number * 7, "d")))
    word = {"d": "day", "h": "hour", "w": "week"}[unit]
    today = one.get("from") == "today"
    start = "current_date" if today else chance.choice(("now()", "CURRENT_TIMESTAMP", "now()"))
    ways = [
        f"{start} + interval '{number} {word}s'",
        f"{start} - interval '{-number} {word}s'",
        f"{start} - '{-number} {word}'::interval",
    ]
    if unit != "w":
        ways.append(f"({start} - INTERVAL '{-number}' {word.upper()})")
    if today and unit == "d":
        ways.append(f"current_date - {-number}" if number <= 0 else f"current_date + {number}")
    return chance.choice(ways)


def _equal(name: str, one: Any, type_: str, chance: random.Random) -> list[str]:
    def said() -> str:
        return value(one, type_, chance)

    ways = [f"{name} = {said()}"] * 4
    ways += [f"{said()} = {name}", f"{name} IN ({said()})", f"NOT ({name} <> {said()})"]
    ways += [f"({name} = {said()}) IS TRUE", f"{name} IS NOT DISTINCT FROM {said()}"]
    ways += [f"{name} = {said()} AND {name} IS NOT NULL", f"NOT {name} != {said()}"]
    ways += [f"{name} IN ({said()}, {said()})", f"({name} = {said()} OR {name} = {said()})"]
    ways += [f"{name} IN ({said()}, NULL)", f"NOT ({name} = {said()}) IS NOT TRUE"]
    if type_ == "boolean":
        ways += [name, f"{name} IS TRUE"] * 3 if one else [f"NOT {name}", f"{name} IS FALSE"] * 3
    elif type_ != "text":
        ways += [
            f"{name} BETWEEN {said()} AND {said()}",
            f"{name} >= {said()} AND {name} <= {said()}",
        ]
        ways.append(f"NOT ({name} < {said()} OR {name} > {said()})")
    if type_ == "text":
        ways.append(f"{name}::text = {said()}")
    if type_ == "integer":
        ways += [f"{name}::bigint = {said()}", f"{name} > {one - 1} AND {name} < {one + 1}"]
    if type_ == "date" and isinstance(one, date):
        ways.append(f"{name} >= {said()} AND {name} < '{one + _DAY}'")
    return ways


def _different(name: str, one: Any, type_: str, chance: random.Random) -> list[str]:
    def said() -> str:
        return value(one, type_, chance)

    ways = [f"{name} <> {said()}", f"{name} != {said()}", f"NOT ({name} = {said()})"]
    ways += [f"NOT {name} = {said()}", f"{name} NOT IN ({said()})", f"({name} = {said()}) IS FALSE"]
    ways += [f"{said()} <> {name}", f"{name} IS DISTINCT FROM {said()} AND {name} IS NOT NULL"]
    ways += [f"NOT ({name} IN ({said()}) OR {name} IS NULL)"]
    if type_ not in ("text", "boolean"):
        ways += [
            f"({name} < {said()} OR {name} > {said()})",
            f"{name} NOT BETWEEN {said()} AND {said()}",
        ]
    if type_ == "boolean":
        ways += [f"{name} IS {'FALSE' if one else 'TRUE'}", f"NOT {name}" if one else name]
    return ways


def _ordered(op: str) -> Any:
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op]
    flipped = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]

    def ways_of(name: str, one: Any, type_: str, chance: random.Random) -> list[str]:
        def said() -> str:
            return value(one, type_, chance)

        ways = [f"{name} {op} {said()}"] * 3
        ways += [f"{said()} {flipped} {name}", f"NOT ({name} {opposite} {said()})"]
        ways += [f"NOT ({said()} {_FLIPPED[opposite]} {name})"]
        if type_ != "text":
            ways += [
                f"{name} {op} {said()} AND {name} IS NOT NULL",
                f"({name} {op} {said()}) IS TRUE",
            ]
            ways.append(f"({name} {op} {said()} OR {name} {op} {said()})")
            if op in ("<=", ">="):
                ways.append(f"({name} {op[0]} {said()} OR {name} = {said()})")
        step: Any = {"integer": 1, "date": _DAY}.get(type_)
        if step and not isinstance(one, dict):
            moved = {"<": one - step, "<=": one + step, ">": one + step, ">=": one - step}[op]
            other = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[op]
            ways.append(f"{name} {other} {literal(moved)}")
        if type_ == "integer":
            ways.append(f"{name} {op} {one + (0.5 if op in ('<=', '>') else -0.5)}")
        return ways

    return ways_of


_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _in(name: str, some: Any, type_: str, chance: random.Random) -> list[str]:
    def said(one: Any) -> str:
        return value(one, type_, chance)

    mixed = chance.sample(some, len(some))
    listed = ", ".join(map(said, mixed))
    return [
        f"{name} IN ({listed})",
        f"{name} IN ({listed}, {said(some[0])})",
        f"{name} IN ({listed}, NULL)",
        f"{name} = ANY(ARRAY[{', '.join(map(literal, mixed))}])",
        "(" + " OR ".join(f"{name} = {said(one)}" for one in mixed) + ")",
        f"NOT ({name} NOT IN ({listed}))",
        "NOT (" + " AND ".join(f"{name} <> {said(one)}" for one in mixed) + ")",
        f"({name} IN ({said(mixed[0])}) OR {name} IN ({listed}))",
        f"({name} = {said(mixed[0])} OR {name} IN ({listed}) AND {name} IS NOT NULL)",
    ]


def _not_in(name: str, some: Any, type_: str, chance: random.Random) -> list[str]:
    def said(one: Any) -> str:
        return value(one, type_, chance)

    mixed = chance.sample(some, len(some))
    listed = ", ".join(map(said, mixed))
    return [
        f"{name} NOT IN ({listed})",
        f"NOT ({name} IN ({listed}))",
        f"NOT {name} IN ({listed})",
        " AND ".join(f"{name} <> {said(one)}" for one in mixed),
        "NOT (" + " OR ".join(f"{name} = {said(one)}" for one in mixed) + ")",
        f"({name} IN ({listed})) IS FALSE",
        f"{name} <> {said(mixed[0])} AND {name} NOT IN ({listed})",
    ]


def _between(name: str, ends: Any, type_: str, chance: random.Random) -> list[str]:
    def said(one: Any) -> str:
        return value(one, type_, chance)

    low, high = ends
    ways = [
        f"{name} BETWEEN {said(low)} AND {said(high)}",
        f"{name} >= {said(low)} AND {name} <= {said(high)}",
        f"{said(low)} <= {name} AND {said(high)} >= {name}",
        f"NOT ({name} < {said(low)} OR {name} > {said(high)})",
        f"NOT ({name} NOT BETWEEN {said(low)} AND {said(high)})",
        f"NOT ({name} < {said(low)}) AND NOT {name} > {said(high)}",
    ]
    if type_ == "integer":
        ways.append(f"{name} > {low - 1} AND {name} < {high + 1}")
    if type_ == "date" and not isinstance(low, dict):
        ways.append(f"{name} >= {said(low)} AND {name} < {literal(high + _DAY)}")
    return ways


def _null(name: str, one: Any, type_: str, chance: random.Random) -> list[str]:
    return [
        *(f"{name} IS NULL", f"NOT ({name} IS NOT NULL)", f"NOT {name} IS NOT NULL"),
        f"{name} IS NOT DISTINCT FROM NULL",
        f"({name} IS NULL) IS TRUE",
    ]


def _filled(name: str, one: Any, type_: str, chance: random.Random) -> list[str]:
    return [
        *(f"{name} IS NOT NULL", f"NOT ({name} IS NULL)", f"NOT {name} IS NULL"),
        f"{name} IS DISTINCT FROM NULL",
        f"({name} IS NULL) IS FALSE",
    ]


def _like(name: str, one: Any, type_: str, chance: random.Random) -> list[str]:
    said = literal(one)
    return [f"{name} LIKE {said}", f"NOT ({name} NOT LIKE {said})", f"NOT {name} NOT LIKE {said}"]


_WAYS: dict[str, Any] = {
    "=": _equal,
    "!=": _different,
    **{op: _ordered(op) for op in _FLIPPED},
    "in": _in,
    "not_in": _not_in,
    "between": _between,
    "is_null": _null,
    "not_null": _filled,
    "like": _like,
}
