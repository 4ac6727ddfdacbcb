"""What is wrong with a spec's document: everything at once, where, and what would be right.

The messages quote the document's own words, cut short: it is staff's document and holds no
customer's data.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from facts.errors import BadRef
from specs import schema
from specs.errors import Fault
from specs.needs import faults_in_branch, kinds_of, ref_of, subject_of, threshold_of

Graph = Mapping[str, Collection[str]]
"""The features there are, each with the features it needs."""

_DOCUMENT = Draft202012Validator(schema.SCHEMA)
_KEYS_OF_NEEDS = sorted({key for branch in schema.NEEDS.values() for key in branch["properties"]})
_QUOTED = 40  # characters of somebody's word that a message repeats
_TYPES = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
_WANTED = {"object": "an object", "array": "a list", "string": "text", "integer": "a whole number"}
_UNPRINTABLE = "has characters that can't be printed"
_COMPLAINTS = {
    "minimum": "{found} is less than {rule}: {range}",
    "maximum": "{found} is more than {rule}: {range}",
    "minItems": "is empty: a spec without needs would call every account ready",
    "maxItems": "has {size} needs, and {rule} are the most",
    "minLength": "is empty",
    "maxLength": "has {size} characters, and {rule} are the most",
    "pattern": "{found} is no id: small letters, digits and hyphens, as in late-orders",
}


def faults_of(document: Any, *, others: Graph) -> list[Fault]:
    """Everything wrong with ``document``, in its order; empty for a good one.

    ``others`` are the features a need may name: the specs in force, and those saved with this one.
    """
    found = dict.fromkeys(
        fault for error in _DOCUMENT.iter_errors(document) for fault in _translated(error)
    )
    for fault in _beyond_the_schema(document, others):
        found.setdefault(fault)
    return sorted(found, key=lambda fault: _natural(fault.pointer))


def features_of(document: Any) -> list[str]:
    """The features that a document's needs name, in its order."""
    return [
        need["feature"]
        for _, need in _needs(document)
        if kinds_of(need) == ["feature"] and isinstance(need["feature"], str)
    ]


def _translated(error: ValidationError) -> Iterator[Fault]:
    if error.validator == "oneOf":
        yield from _of_need(error)
    else:
        yield from _said(error, list(error.absolute_path))


def _of_need(error: ValidationError) -> Iterator[Fault]:
    """The faults of a need that fits no branch: those of the branch whose kind it names."""
    path, need = list(error.absolute_path), error.instance
    if not isinstance(need, dict):
        yield Fault(_pointer(path), f"is {_type(need)} where a need, an object, belongs")
        return
    kinds = kinds_of(need)
    if len(kinds) == 1:
        for inner in faults_in_branch(kinds[0], need):
            yield from _said(inner, [*path, *inner.absolute_path])
    elif kinds:
        yield Fault(_pointer(path), f"says {' and '.join(kinds)}: one need says one of them")
    else:
        strange = [key for key in need if key not in _KEYS_OF_NEEDS]
        for key in strange:
            yield _unknown_key([*path, key], _KEYS_OF_NEEDS)
        if not any(_nearest(key, schema.NEEDS) for key in strange):
            yield Fault(
                _pointer(path), f"says nothing of what it needs: one of {_all(schema.NEEDS)}"
            )


def _said(error: ValidationError, path: list[str | int]) -> Iterator[Fault]:
    """An error of jsonschema in our words."""
    rule: Any = error.validator_value
    found: Any = error.instance
    match error.validator:
        case "additionalProperties":
            keys = error.schema["properties"]  # type: ignore[index]
            for key in found:
                if key not in keys:
                    yield _unknown_key([*path, key], keys)
        case "required":
            meant = {_nearest(key, rule) for key in found if key not in rule}
            for key in rule:
                if key not in found and key not in meant:
                    yield Fault(_pointer(path), f"{key} is missing")
        case _:
            yield Fault(_pointer(path), _complaint(str(error.validator), rule, found, path))


def _complaint(word: str, rule: Any, found: Any, path: list[str | int]) -> str:
    if word == "enum":
        return f"unknown word {_quoted(found)}{_hint(found, rule)}"
    if word == "type":
        return f"is {_type(found)} where {_WANTED.get(rule, 'a number')} belongs"
    return _COMPLAINTS.get(word, "breaks the schema's rule {word}").format(
        word=word,
        rule=rule,
        found=_quoted(found),
        size=len(found) if hasattr(found, "__len__") else 0,
        range="a count is 0 or more" if path[-1:] == ["minCount"] else "a share lies in 0 to 1",
    )


def _beyond_the_schema(document: Any, others: Graph) -> Iterator[Fault]:
    """What a schema can't say: names that make no ref, needs said twice, features, cycles."""
    title = document.get("title") if isinstance(document, dict) else None
    if isinstance(title, str) and not title.isprintable():
        yield Fault("/title", _UNPRINTABLE)
    seen: dict[tuple[object, object], int] = {}
    for index, need in _needs(document):
        kinds = kinds_of(need)
        if len(kinds) != 1 or faults_in_branch(kinds[0], need):
            continue  # it was told what is wrong with it
        path: list[str | int] = ["needs", index]
        if unkeepable := _unkeepable(kinds[0], need, path):
            yield unkeepable
            continue
        subject = subject_of(need)
        keys = [(subject, need["level"]), (subject, threshold_of(need))]
        if (first := min(seen.setdefault(key, index) for key in keys)) != index:
            yield Fault(_pointer(path), f"says the same as /needs/{first}")
        if kinds[0] == "feature":
            yield from _of_feature(document, need["feature"], [*path, "feature"], others)


def _unkeepable(kind: str, need: Mapping[str, Any], path: list[str | int]) -> Fault | None:
    """Why a need's names can't be kept, if they can't."""
    for way, text in _texts(need):
        if not text.isprintable():
            return Fault(_pointer([*path, *way]), _UNPRINTABLE)
    try:
        ref_of(kind, need)
    except BadRef as refusal:
        return Fault(_pointer([*path, kind]), f"can't be the name of a fact: {refusal}")
    return None


def _of_feature(
    document: Mapping[str, Any], feature: str, path: list[str | int], others: Graph
) -> Iterator[Fault]:
    own = document.get("id")
    if feature != own and feature not in others:
        hint = _hint(feature, sorted(others)) if others else "; there is no other feature yet"
        yield Fault(_pointer(path), f"unknown feature {_quoted(feature)}{hint}")
    elif isinstance(own, str) and (way := _way(feature, own, others)):
        yield Fault(_pointer(path), f"cycle {' -> '.join([own, *way])}")


def _way(start: str, end: str, graph: Graph) -> list[str]:
    """The shortest way from one feature to another along needs, or nothing."""
    came_from: dict[str, str] = {start: ""}
    queue = [start]
    for feature in queue:
        if feature == end:
            way = [feature]
            while way[0] != start:
                way.insert(0, came_from[way[0]])
            return way
        for needed in graph.get(feature, ()):
            if needed not in came_from:
                came_from[needed] = feature
                queue.append(needed)
    return []


def _needs(document: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    needs = document.get("needs") if isinstance(document, dict) else None
    for index, need in enumerate(needs if isinstance(needs, list) else []):
        if isinstance(need, dict):
            yield index, need


def _texts(value: Any) -> Iterator[tuple[list[str | int], str]]:
    """Every text in a need, and the way to it."""
    if isinstance(value, str):
        yield [], value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (([key, *way], text) for way, text in _texts(inner))


def _unknown_key(path: list[str | int], keys: Iterable[str]) -> Fault:
    return Fault(_pointer(path), f"unknown key{_hint(path[-1], keys)}")


def _hint(found: Any, words: Iterable[str]) -> str:
    if near := _nearest(found, words):
        return f", did you mean {near}"
    return f", one of {_all(words)}"


def _nearest(found: Any, words: Iterable[str]) -> str:
    """The word that ``found`` comes closest to, whatever its case and its joints, or nothing."""
    plain = {_plain(word): word for word in words}
    close = get_close_matches(_plain(str(found)[:200]), plain, n=1)
    return plain[close[0]] if close else ""


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "").replace(" ", "")


def _all(words: Iterable[str]) -> str:
    listed = list(words)
    more = f" and {len(listed) - 10} more" if len(listed) > 10 else ""
    return ", ".join(listed[:10]) + more


def _quoted(found: Any) -> str:
    text = json.dumps(found, ensure_ascii=True)
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."


def _type(found: Any) -> str:
    return _TYPES.get(type(found), "a number")


def _pointer(path: Iterable[str | int]) -> str:
    return "".join(f"/{_step(step)}" for step in path)


def _step(step: str | int) -> str:
    text = str(step).replace("~", "~0").replace("/", "~1")
    if not text.isprintable():
        text = json.dumps(text)[1:-1]
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."


def _natural(pointer: str) -> list[tuple[bool, int, str]]:
    """A key that sorts /needs/10 after /needs/9, and what is said of the whole first."""
    return [
        (step.isdecimal(), int(step) if step.isdecimal() else 0, step)
        for step in pointer.split("/")
    ]
