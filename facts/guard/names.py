"""What a property's and a label's name says about the values under it."""

import re

TYPES = (
    *("text", "enum", "boolean", "integer", "number", "date", "time", "timestamp", "uuid"),
    *("json", "binary", "array", "other"),
)

_CREDENTIAL = re.compile(
    r"password|passphrase|secret|credential|private_?key|recovery_?key|unlock_?pin|api_?key"
    r"|(access|refresh|session|auth)_?token",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(first|last|full|contact)_?name|address|birth|phone|e_?mail", re.IGNORECASE)


def property_rule(label: str, name: str, type: str, *, owned: bool = False) -> str | None:  # noqa: ARG001
    """Why no value of this property may be looked at, as a code, or None where some may.

    ``name`` is asked twice where a mapping renamed the column: once as the column's own name, once
    as the property's. ``owned`` says that values are counted by the people they belong to,
    because the label is person-like or reaches a person-like one.
    """
    if type in ("json", "binary") or type not in TYPES:
        return "type"
    if _CREDENTIAL.search(name) and type not in ("boolean", "date", "time", "timestamp"):
        return "credential"
    if _PERSON.search(name):
        return "person"
    return None


def is_person_like(label: str, properties: list[str]) -> bool:  # noqa: ARG001
    """Whether a record of ``label`` stands for somebody: a customer, an employee, a patient."""
    return bool(re.search(r"customer|user|person|employee|staff|patient|member", label.lower()))
