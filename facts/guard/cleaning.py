"""The guard of whole JSON values, as they are written and as they are loaded."""

from collections import Counter
from typing import Any

from facts.guard.names import TYPES, Rule, rule_of
from facts.guard.texts import text_reason
from facts.guard.values import names_of, reason_by_rule

DEEPEST = 100  # levels of a document that are read; what lies deeper is withheld

_ENTRY = ("value", "records", "owners")
_JUDGED = ("of", "type", "values", "owned", "withheld", "dropped")
CODES = frozenset(
    {
        *("context", "type", "credential", "account", "card", "person", "email", "phone"),
        *("free-text", "long", "blank", "shared", "owners"),
        *("key", "reference", "many"),  # the probe's, which asked for no values there
    }
)


def clean(value: Any) -> Any:
    """``value`` without what must not be kept.

    A vocabulary is a dict with ``values`` or with ``of`` (``Label|property``), at any depth. It
    keeps its shape ``{"of", "type", "values": [{"value", "records", "owners"}], "more", "owned",
    "withheld", "dropped"}`` and other keys with a flag or a number. It loses the values that may
    not stay: ``withheld`` says why none may, ``dropped`` counts the others by reason. Without
    ``of``, ``type`` and ``records`` nothing can be judged and all is withheld. An entry carries
    ``owners`` wherever the label is or reaches a person-like type, so all have it or none has;
    where no entry is left, ``owners`` among the dropped or ``"owned": true`` says that they were
    counted.

    Every other text, keys too, is replaced by ``(withheld: <code>)`` where ``text_reason`` names
    one. Nothing is raised for any JSON, and ``clean(clean(value)) == clean(value)``.
    """
    return _clean(value, DEEPEST)


def _clean(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        reason = text_reason(value)
        return f"(withheld: {reason})" if reason else value
    if not isinstance(value, (dict, list, tuple)):
        return value
    if not depth:
        return "(withheld: context)"
    if isinstance(value, dict):
        return _clean_object(value, depth)
    return [_clean(item, depth - 1) for item in value]


def _clean_object(value: dict[Any, Any], depth: int) -> dict[Any, Any]:
    if value.get("absent") is True and depth == DEEPEST:
        return {"absent": True}
    if _is_vocabulary(value):
        return _vocabulary(value)
    if _is_entry(value):
        return {"withheld": "context"}
    return {_clean(key, depth): _clean(item, depth - 1) for key, item in value.items()}


def _is_vocabulary(value: dict[Any, Any]) -> bool:
    of = value.get("of")
    return isinstance(value.get("values"), (list, dict, str)) or (isinstance(of, str) and "|" in of)


def _is_entry(value: dict[Any, Any]) -> bool:
    """Whether it is an entry of a vocabulary, torn from it."""
    return "records" in value and isinstance(value.get("value"), (str, list))


def _vocabulary(value: dict[Any, Any]) -> dict[str, Any]:
    entries = value["values"] if isinstance(value.get("values"), list) else []
    dropped = Counter(_counts_by_code(value.get("dropped")))
    has_owners = (
        value.get("owned") is True
        or "owners" in dropped
        or any(isinstance(entry, dict) and "owners" in entry for entry in entries)
    )
    rule = _rule(value.get("of"), value.get("type"), owned=has_owners)
    withheld = _why_withheld(value.get("withheld"), rule)
    kept: list[dict[str, Any]] = []
    if rule and not withheld:
        for entry in entries:
            if reason := _entry_reason(entry, rule, has_owners=has_owners):
                dropped[reason] += 1
            else:
                kept.append({key: entry[key] for key in _ENTRY if key in entry})
    cleaned = {key: item for key, item in value.items() if _may_stand(key, item)}
    if isinstance(of := value.get("of"), str):
        cleaned["of"] = _clean(of, 1)
    cleaned |= {"type": rule.type} if rule else {}
    cleaned["values"] = kept
    if has_owners and not kept and "owners" not in dropped:
        cleaned["owned"] = True  # no entry is left to say that owners are counted
    cleaned |= {"withheld": withheld} if withheld else {}
    cleaned |= {"dropped": dict(dropped)} if dropped else {}
    return cleaned


def _why_withheld(said: Any, rule: Rule | None) -> str | None:
    """The reason it was withheld for already, which stands, else the rule's."""
    if said is None:
        return rule.withheld if rule else "context"
    return said if isinstance(said, str) and said in CODES else "context"


def _rule(of: Any, type: Any, *, owned: bool) -> Rule | None:
    names = names_of(of)
    if names is None or not isinstance(type, str) or type not in TYPES:
        return None
    return rule_of(*names, type, owned=owned)


def _entry_reason(entry: Any, rule: Rule, *, has_owners: bool) -> str | None:
    if not isinstance(entry, dict) or "value" not in entry:
        return "context"
    owners = entry.get("owners")
    if has_owners and owners is None:
        return "context"
    return reason_by_rule(entry["value"], rule, records=entry.get("records"), owners=owners)


def _may_stand(key: Any, item: Any) -> bool:
    """Whether it may stand in a vocabulary beside what is judged: a flag or a number."""
    if key in _JUDGED or not isinstance(item, (bool, int, float)):
        return False
    return isinstance(key, str) and text_reason(key) is None


def _counts_by_code(dropped: Any) -> dict[str, int]:
    if not isinstance(dropped, dict):
        return {}
    return {
        code: count
        for code, count in dropped.items()
        if code in CODES and isinstance(count, int) and not isinstance(count, bool) and count > 0
    }
