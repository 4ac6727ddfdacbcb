"""A spec's document as text: read strictly, and written the one way that makes diffs readable."""

import json
from collections.abc import Mapping
from typing import Any

from specs import schema
from specs.errors import BadSpec, Fault

MOST_CHARACTERS = 100_000
DEEPEST = 10  # levels; a spec has four

_KEYS = [
    *schema.SCHEMA["properties"],
    *[key for branch in schema.NEEDS.values() for key in branch["properties"]],
    *schema.NEEDS["hop"]["properties"]["hop"]["properties"],
]
_PLACES = {key: place for place, key in enumerate(dict.fromkeys(_KEYS))}


def parse(text: str) -> Any:
    """What a document's text says.

    Raises BadSpec for text that is no JSON, and for what JSON readers pass over in silence: a key
    given twice, NaN and infinity.
    """
    if len(text) > MOST_CHARACTERS:
        raise _refused(f"has more than {MOST_CHARACTERS:,} characters")
    try:
        document = json.loads(
            text.removeprefix("\ufeff"),  # a byte order mark
            object_pairs_hook=_no_key_twice,
            parse_constant=_no_constant,
        )
    except json.JSONDecodeError as error:
        raise _refused(
            f"is no JSON: {error.msg}, line {error.lineno} column {error.colno}"
        ) from None
    except RecursionError:
        raise _refused("is nested too deeply") from None
    except ValueError:  # the interpreter's bound on a whole number's digits
        raise _refused("has a number of too many digits") from None
    if _is_deeper(document, DEEPEST):
        raise _refused("is nested too deeply")
    return document


def pretty(document: Mapping[str, Any]) -> str:
    """The document's text, one need a line and the keys in the schema's order.

    jsonb keeps no order of keys; without this every version would look rewritten.
    """
    lines = [
        f"  {_text(key)}: {_needs(value) if key == 'needs' else _line(value)}"
        for key, value in _ordered(document)
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _needs(needs: Any) -> str:
    if not isinstance(needs, list) or not needs:
        return _line(needs)
    return "[\n" + ",\n".join(f"    {_line(need)}" for need in needs) + "\n  ]"


def _line(value: Any) -> str:
    if isinstance(value, dict) and value:
        pairs = (f"{_text(key)}: {_line(inner)}" for key, inner in _ordered(value))
        return "{ " + ", ".join(pairs) + " }"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _ordered(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The pairs of an object in the schema's order, then what it does not know by name."""
    return sorted(value.items(), key=lambda pair: (_PLACES.get(pair[0], len(_PLACES)), pair[0]))


def _is_deeper(value: Any, levels: int) -> bool:
    children = value.values() if isinstance(value, dict) else value
    if not isinstance(value, (dict, list)):
        return False
    return not levels or any(_is_deeper(child, levels - 1) for child in children)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for key, value in pairs:
        if key in said:
            raise _refused(f"says the key {json.dumps(key)[:60]} twice in one object")
        said[key] = value
    return said


def _no_constant(name: str) -> None:
    raise _refused(f"has the number {name}, which JSON does not know")


def _refused(message: str) -> BadSpec:
    return BadSpec([Fault("", message)])
