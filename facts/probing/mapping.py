"""The mapping document: what an account's staff say about a source that its catalogue can't.

It renames labels and properties, hides tables and columns, names whose a record is, makes types of
views, and declares hops that no constraint declares (or gives a declared one its verb). It is
closed and refused whole: a misspelt "hide" that were merely ignored would hide nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from facts.guard import TYPES
from facts.probing.errors import BadMapping
from facts.probing.layout import Column, Layout, Relation
from facts.probing.names import LONGEST, property_of

_NAME = {"type": "string", "minLength": 1, "maxLength": LONGEST}
_TEXT = {"type": "string", "minLength": 1}
_COLUMNS = {"type": ["string", "array"], "minItems": 1, "items": _TEXT, "minLength": 1}

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Mapping of a source",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "tables": {
            "description": "By table, as name or schema.name. A view that stands here is a type.",
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "label": {"description": "What a record of it is called.", **_NAME},
                    "hide": {"description": "Leave it out.", "type": "boolean"},
                    "owner": {"description": "The columns that say whose it is.", **_COLUMNS},
                    "columns": {
                        "type": "object",
                        "additionalProperties": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "property": {"description": "What it is called.", **_NAME},
                                "hide": {"description": "Leave it out.", "type": "boolean"},
                                "type": {"description": "What it holds.", "enum": sorted(TYPES)},
                            },
                        },
                    },
                },
            },
        },
        "hops": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["from", "columns", "to", "verb"],
                "properties": {
                    "from": {"description": "The table it starts at.", **_TEXT},
                    "columns": {"description": "Its columns that say where to.", **_COLUMNS},
                    "to": {"description": "The table it leads to.", **_TEXT},
                    "key": {"description": "Its columns, if not its primary key.", **_COLUMNS},
                    "verb": {"description": "What the relation is called.", **_NAME},
                },
            },
        },
    },
}

_DOCUMENT = Draft202012Validator(SCHEMA)
_TYPES = {"object": "an object", "array": "a list", "string": "text", "boolean": "true or false"}


def demand_shape(mapping: Any) -> None:
    """Raise BadMapping unless ``mapping`` keeps to the schema."""
    faults = [
        fault
        for error in sorted(_DOCUMENT.iter_errors(mapping), key=lambda error: error.json_path)
        for fault in _said(error)
    ]
    _refuse(faults)


def demand_fit(mapping: Mapping[str, Any], layouts: Sequence[Layout], default: str) -> None:
    """Raise BadMapping unless every table and column that ``mapping`` names is in ``layouts``.

    ``default`` is the schema of tables that are named without one.
    """
    tables = _Tables(layouts, default)
    _refuse([*_faults_of_tables(mapping, tables), *_faults_of_hops(mapping, tables)])


def applied(mapping: Mapping[str, Any], layouts: Sequence[Layout], default: str) -> list[Layout]:
    """The layouts as ``mapping`` wants them: labels, properties, verbs and owners filled in.

    Views that it does not name are left out. What it names and is no longer there is passed over.
    """
    tables = _Tables(layouts, default)
    wanted = {
        layout.place: entry
        for name, entry in mapping.get("tables", {}).items()
        if (layout := tables.get(name))
    }
    hops: dict[tuple[str, str], list[Relation]] = {}
    for hop in mapping.get("hops", ()):
        start, end = tables.get(hop["from"]), tables.get(hop["to"])
        if start and end:
            relation = Relation(
                columns=_listed(hop["columns"]),
                schema=end.schema,
                table=end.name,
                key=_listed(hop["key"]) if "key" in hop else end.key,
                verb=hop["verb"],
            )
            hops.setdefault(start.place, []).append(relation)
    return [
        _as_wanted(layout, wanted.get(layout.place, {}), hops.get(layout.place, []))
        for layout in layouts
        if not wanted.get(layout.place, {}).get("hide")
        and (layout.place in wanted or not layout.is_view)
    ]


def _as_wanted(layout: Layout, entry: Mapping[str, Any], hops: Sequence[Relation]) -> Layout:
    said = entry.get("columns", {})
    columns = tuple(
        _column_as_wanted(column, said.get(column.name, {})) for column in layout.columns
    )
    relations = {relation.place: relation for relation in layout.relations}
    for hop in hops:
        declared = relations.get(hop.place, hop)
        relations[hop.place] = replace(declared, verb=hop.verb)
    return replace(
        layout,
        label=entry.get("label", ""),
        owner=tuple(name for name in _listed(entry.get("owner", ())) if layout.column(name)),
        columns=columns,
        relations=tuple(one for one in relations.values() if all(map(layout.column, one.columns))),
    )


def _column_as_wanted(column: Column, entry: Mapping[str, Any]) -> Column:
    type_ = entry.get("type", column.type)
    return replace(
        column,
        property=entry.get("property", ""),
        type=type_,
        plain=column.plain and type_ == column.type,
        is_hidden=entry.get("hide", False),
    )


class _Tables:
    """The tables there are, found by how a document spells them."""

    def __init__(self, layouts: Sequence[Layout], default: str) -> None:
        self._by_place = {layout.place: layout for layout in layouts}
        self._by_spelling = {layout.spelled: layout for layout in layouts}
        self._by_name: dict[str, list[Layout]] = {}
        for layout in layouts:
            self._by_name.setdefault(layout.name, []).append(layout)
        self._default = default

    def get(self, spelled: str) -> Layout | None:
        """The table, where it is one and only one."""
        same = self._by_name.get(spelled, [])
        return (
            self._by_place.get((self._default, spelled))
            or (same[0] if len(same) == 1 else None)
            or self._by_spelling.get(spelled)
        )

    def fault(self, spelled: str) -> str:
        """Why ``spelled`` is no table."""
        if same := self._by_name.get(spelled, []):
            return f"stands for several tables: {_all(layout.spelled for layout in same)}"
        return f"no such table{_hint(spelled, [*self._by_name, *self._by_spelling])}"


def _faults_of_tables(mapping: Mapping[str, Any], tables: _Tables) -> Iterator[str]:
    labels: dict[str, str] = {}
    places: dict[tuple[str, str], str] = {}
    for name, entry in mapping.get("tables", {}).items():
        at = _pointer(["tables", name])
        layout = tables.get(name)
        if layout is None:
            yield f"{at} {tables.fault(name)}"
            continue
        if (first := places.setdefault(layout.place, at)) != at:
            yield f"{at} is the table of {first}"
        if (label := entry.get("label")) and (first := labels.setdefault(label, at)) != at:
            yield f"{at}/label is the label of {first} too"
        yield from _unprintable(f"{at}/label", entry.get("label", ""))
        yield from _strange_columns(f"{at}/owner", entry.get("owner", ()), layout)
        properties: dict[str, str] = {}
        for column, said in entry.get("columns", {}).items():
            here = at + _pointer(["columns", column])
            yield from _strange_columns(here, column, layout)
            yield from _unprintable(f"{here}/property", said.get("property", ""))
            if (named := said.get("property")) and (
                first := properties.setdefault(named, here)
            ) != here:
                yield f"{here}/property is the property of {first} too"
        for column in layout.columns:
            default = property_of(column.name)
            if default in properties and "property" not in entry["columns"].get(column.name, {}):
                yield f"{properties[default]}/property is what another column is called"


def _faults_of_hops(mapping: Mapping[str, Any], tables: _Tables) -> Iterator[str]:
    for index, hop in enumerate(mapping.get("hops", ())):
        at = _pointer(["hops", index])
        start, end = tables.get(hop["from"]), tables.get(hop["to"])
        if start is None:
            yield f"{at}/from {tables.fault(hop['from'])}"
        if end is None:
            yield f"{at}/to {tables.fault(hop['to'])}"
        yield from _unprintable(f"{at}/verb", hop["verb"])
        if start:
            yield from _strange_columns(f"{at}/columns", hop["columns"], start)
        if not end:
            continue
        yield from _strange_columns(f"{at}/key", hop.get("key", ()), end)
        key = _listed(hop["key"]) if "key" in hop else end.key
        if not key:
            yield f"{at}/key is missing, and {end.spelled} has no primary key"
        elif len(key) != len(_listed(hop["columns"])):
            yield f"{at}/columns are {len(_listed(hop['columns']))} for a key of {len(key)}"


def _strange_columns(at: str, names: str | Sequence[str], layout: Layout) -> Iterator[str]:
    there = [column.name for column in layout.columns]
    for name in _listed(names):
        if name not in there:
            yield f"{at} no such column{_hint(name, there)}"


def _unprintable(at: str, name: str) -> Iterator[str]:
    if name and (not name.isprintable() or not name.strip()):
        yield f"{at} is no name: it has nothing to print, or what can't be printed"


def _said(error: ValidationError) -> Iterator[str]:
    """An error of jsonschema in our words."""
    rule: Any = error.validator_value
    found: Any = error.instance
    at = _pointer(error.absolute_path) or "the document"
    match error.validator:
        case "additionalProperties":
            words = list(error.schema["properties"])  # type: ignore[index]
            for key in found:
                if key not in words:
                    yield f"{_pointer([*error.absolute_path, key])} unknown key{_hint(key, words)}"
        case "required":
            yield from (f"{at} lacks {key}" for key in rule if key not in found)
        case "type":
            kinds = [rule] if isinstance(rule, str) else rule
            yield f"{at} should be {' or '.join(_TYPES[kind] for kind in kinds)}"
        case "enum":
            yield f"{at} unknown word{_hint(str(found), rule)}"
        case "maxLength":
            yield f"{at} has more than {rule} characters"
        case _:
            yield f"{at} is empty"


def _refuse(faults: Iterable[str]) -> None:
    found = list(dict.fromkeys(faults))
    if found:
        more = f"; and {len(found) - 5} more" if len(found) > 5 else ""
        raise BadMapping(f"the mapping is faulty: {'; '.join(found[:5])}{more}")


def _listed(columns: str | Sequence[str]) -> tuple[str, ...]:
    return (columns,) if isinstance(columns, str) else tuple(columns)


def _hint(found: str, words: Iterable[str]) -> str:
    listed = list(dict.fromkeys(words))
    lower = {word.lower(): word for word in listed}
    close = get_close_matches(found[:200].lower(), lower, n=1)
    return f", did you mean {lower[close[0]]}" if close else f", one of {_all(listed)}"


def _all(words: Iterable[str]) -> str:
    listed = list(words)
    more = f" and {len(listed) - 10} more" if len(listed) > 10 else ""
    return ", ".join(listed[:10]) + more


def _pointer(path: Iterable[str | int]) -> str:
    """A JSON pointer; a step that would not print is written as JSON writes it."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "".join(f"/{step if step.isprintable() else ascii(step)}" for step in steps)
