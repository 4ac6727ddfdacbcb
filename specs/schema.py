"""The JSON Schema of a spec: the document staff write, an editor checks and Ken publishes.

It is closed, so that a misspelt key is a fault and never a need that silently says nothing. There
is one branch per kind of need; the key that names the kind tells them apart.
"""

from typing import Any

LEVELS = ("REQUIRED", "IMPROVES", "ADVISORY")
SIGNALS = ("integration_health",)
MOST_NEEDS = 100  # of one spec: past that it is no longer one feature

Schema = dict[str, Any]

NAME: Schema = {"type": "string", "minLength": 1, "maxLength": 200}
SLUG: Schema = {
    "type": "string",
    # In Python "$" also matches before a last line feed, which an id may not have.
    "pattern": r"^[a-z0-9]+(-[a-z0-9]+)*$(?!\n)",
    "maxLength": 60,
}
COUNT: Schema = {"type": "integer", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}


def _closed(description: str, **properties: Schema) -> Schema:
    """An object that has exactly these keys."""
    return {
        "description": description,
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


LEVEL: Schema = {
    "description": "REQUIRED gates the feature, IMPROVES says what would make it better, "
    "ADVISORY is only told.",
    "enum": list(LEVELS),
}

NEEDS: dict[str, Schema] = {
    "label": _closed(
        "There are at least so many records of a type.",
        level=LEVEL,
        label=NAME,
        minCount=COUNT,
    ),
    "hop": _closed(
        "At least this share of a type's records reach another type by a relation.",
        level=LEVEL,
        hop=_closed(
            "A relation, such as Order SHIPPED_BY Carrier.",
            **{"from": NAME, "verb": NAME, "to": NAME},
        ),
        minCoverage=SHARE,
    ),
    "fill": _closed(
        "At least this share of a type's records have a property filled in.",
        level=LEVEL,
        fill=_closed("A field of a type of record.", label=NAME, property=NAME),
        minFill=SHARE,
    ),
    "signal": _closed(
        "The account's integrations of a category work.",
        level=LEVEL,
        signal={"enum": list(SIGNALS)},
        category=NAME,
    ),
    "plan": _closed("The account's plan has a feature.", level=LEVEL, plan=NAME),
    "feature": _closed("Another spec is usable.", level=LEVEL, feature=SLUG),
}
"""One branch per kind of need, under the key that names the kind."""

SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Spec",
    "description": "What a feature needs to know about an account before it can work.",
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "needs"],
    "properties": {
        "id": SLUG | {"description": "The feature's name for machines, such as late-orders."},
        "title": {
            "description": "The feature's name for people; without one the id is made readable.",
            "type": "string",
            "minLength": 1,
            "maxLength": 100,
        },
        "needs": {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_NEEDS,
            "items": {"oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in NEEDS]},
        },
    },
    "$defs": NEEDS,
}
