"""What was read, as the values of facts: DESIGN's table of refs, in one place."""

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from facts.probing.layout import Layout

_DIGITS = 4  # decimal places of a share
_MOMENTS = {
    "date": re.compile(r"-?\d{4,6}-\d\d-\d\d(?: BC)?"),
    "time": re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[+-]\d\d(?::?\d\d)?)?"),
    "timestamp": re.compile(
        r"-?\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?(?: BC)?"
    ),
}
_TRUTH = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


def label(rows: int, sampled: float) -> dict[str, Any]:
    """How many records there are: counted, or what a sample stands for to three figures."""
    if sampled >= 1:
        return {"count": rows}
    return {"count": _three_figures(rows / sampled), "sampled": sampled}


def fill(filled: int, rows: int, sampled: float) -> dict[str, Any]:
    """In how many of the rows that were read a property is filled; no share of no rows."""
    return {"filled": filled, "count": rows, "fill": _share(filled, rows)} | _sampled(sampled)


def hop(reached: int, rows: int, sampled: float) -> dict[str, Any]:
    """How many of the rows that were read reach a record; 0 of 0 is no share.

    The two are counted one after the other, so a row that came between them is left out.
    """
    reached = min(reached, rows)
    return {"reached": reached, "count": rows, "coverage": _share(reached, rows)} | _sampled(
        sampled
    )


def vocabulary(
    of: str,
    type_: str,
    *,
    entries: Iterable[dict[str, Any]] = (),
    more: int = 0,
    few_owners: int = 0,
    withheld: str | None = None,
    sampled: float = 1.0,
) -> dict[str, Any]:
    """The values of a property that are shared, most shared first, or why none are given."""
    value: dict[str, Any] = {"of": of, "type": type_, "values": list(entries), "more": more}
    if withheld:
        value["withheld"] = withheld
    if few_owners:
        value["dropped"] = {"owners": few_owners}
    return value | _sampled(sampled)


def properties(layout: Layout, *, source: str, backend: str) -> dict[str, Any]:
    """Which columns a label has, by the names they have in the source: what queries say."""
    shown = {column.name for column in layout.shown}
    value: dict[str, Any] = {
        "source": source,
        "dialect": backend,
        "schema": layout.schema,
        "table": layout.name,
        "key": list(layout.key) if shown.issuperset(layout.key) else [],
        "columns": {
            column.name: {"property": column.property, "type": column.type}
            for column in layout.shown
        },
    }
    if unique := [list(columns) for columns in layout.unique if shown.issuperset(columns)]:
        value["unique"] = unique  # no two records agree in them: which side of a hop is many
    if layout.is_view:
        value["view"] = True
    if layout.row_security:
        value["row_security"] = True  # what is said of it is as this role sees it
    return value


def plain(value: Any, type_: str) -> Any:
    """A value as JSON holds it, or None where it is not what its column's type says.

    A column of SQLite holds whatever somebody put there, whatever its type; and a text may hold
    what no JSON in a database can.
    """
    match type_:
        case "boolean":
            return value if isinstance(value, bool) else _TRUTH.get(str(value).lower())
        case "integer":
            return _whole(value)
        case "number":
            return _number(value)
        case "date" | "time" | "timestamp":
            text = value if isinstance(value, str) else getattr(value, "isoformat", str)()
            return text if _MOMENTS[type_].fullmatch(text) else None
        case "array":
            return _items(value)
        case _:
            return _text(value)


def _share(part: int, rows: int) -> float | None:
    return round(part / rows, _DIGITS) if rows else None


def _sampled(share: float) -> dict[str, float]:
    return {} if share >= 1 else {"sampled": share}


def _three_figures(rows: float) -> int:
    return int(float(f"{rows:.2e}"))


def _whole(value: Any) -> int | None:
    if isinstance(value, Decimal | float):
        return int(value) if math.isfinite(value) and value == int(value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    number = value if isinstance(value, int) else float(value)
    return number if math.isfinite(number) else None


def _text(value: Any) -> str | None:
    text = str(value) if isinstance(value, int | float) else value
    if not isinstance(text, str) or "\0" in text or "\ufffd" in text:
        return None
    return text


def _items(value: Any) -> list[Any] | None:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    items = [item if isinstance(item, int) else _text(item) for item in value]
    return None if None in items else items
