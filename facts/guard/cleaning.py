"""The guard of whole JSON values, as they are written and as they are loaded."""

from collections import Counter
from typing import Any

from facts.guard.values import text_reason, value_reason


def clean(value: Any) -> Any:
    """``value`` without what must not be kept; the same object's equal where nothing was.

    A vocabulary (a dict with ``values``) loses the values that may not stay: ``withheld`` says
    why none may, ``dropped`` counts the others by reason. An entry carries ``records``, and
    ``owners`` wherever the label is or reaches a person-like type: all entries have it or none
    has. One without the context to judge it is withheld whole.
    """
    if isinstance(value, str):
        reason = text_reason(value)
        return f"(withheld: {reason})" if reason else value
    if isinstance(value, list):
        return [clean(item) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("values"), list):
        return _vocabulary(value)
    return {clean(key): clean(item) for key, item in value.items()}


def _vocabulary(value: dict[str, Any]) -> dict[str, Any]:
    of, type_ = value.get("of"), value.get("type")
    if not (isinstance(of, str) and isinstance(type_, str)):
        return {**value, "values": [], "withheld": "context"}
    kept, dropped = [], Counter(value.get("dropped") or {})
    for entry in value["values"]:
        if not (isinstance(entry, dict) and isinstance(entry.get("records"), int)):
            reason: str | None = "context"
        else:
            reason = value_reason(
                entry.get("value"),
                of=of,
                type=type_,
                records=entry["records"],
                owners=entry.get("owners"),
            )
        if reason:
            dropped[reason] += 1
        else:
            kept.append(entry)
    return {**value, "values": kept} | ({"dropped": dict(dropped)} if dropped else {})
