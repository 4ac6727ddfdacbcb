"""PostgreSQL's array literals, written whole.

The driver adapts lists an element at a time, which in a bulk write of thousands of rows takes
longer than the database's own work.
"""

from collections.abc import Callable, Collection
from datetime import date, datetime
from typing import Any


def array(values: Collection[bool | int | float | str | date | datetime | None]) -> str:
    """``values`` as the text of an array, to be cast by the statement: ``{1,NULL,"a b"}``.

    A column of a run often holds one value throughout, which is written once.
    """
    column = list(values)
    if column and column.count(column[0]) == len(column):
        return "{" + ",".join([_written(column[0])] * len(column)) + "}"
    return "{" + ",".join(map(_written, column)) + "}"


def _written(value: Any) -> str:
    return _WRITERS.get(type(value), _subclass)(value)


def _text(value: str) -> str:
    if "\\" in value or '"' in value:
        value = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{value}"'


def _subclass(value: Any) -> str:
    """A member of an enumeration, say, by its plain type. Raises TypeError for what has none."""
    for plain, writer in _WRITERS.items():
        if isinstance(value, plain):
            return writer(plain.__str__(value) if plain is str else value)
    raise TypeError(f"a {type(value).__name__} has no place in an array")


_WRITERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "NULL",
    bool: lambda value: "t" if value else "f",
    int: str,
    float: repr,
    str: _text,
    datetime: datetime.isoformat,
    date: date.isoformat,
}
