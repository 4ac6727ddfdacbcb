"""A need as judging sees it: its level, the ref it rests on and the threshold it sets."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from facts.askers import SPEC
from facts.errors import BadRef
from facts.refs import Ref
from specs import schema


class Level(StrEnum):
    """What an unmet need means for its feature."""

    REQUIRED = "REQUIRED"
    IMPROVES = "IMPROVES"
    ADVISORY = "ADVISORY"


@dataclass(frozen=True, slots=True)
class Need:
    """One need. ``said`` is the need as its document says it, without the level.

    ``ref`` is None where the document has a word that this version does not know: nothing that
    could be measured settles such a need, and ``said`` is then all of it.
    """

    level: Level
    said: Mapping[str, Any]
    kind: str = ""
    ref: Ref | None = None
    threshold: Fraction | None = None


_REFS: dict[str, Callable[[Any], Ref]] = {
    "label": lambda need: Ref.of("data", "label", need["label"]),
    "hop": lambda need: Ref.of(
        "data", "hop", *(need["hop"][end] for end in ("from", "verb", "to"))
    ),
    "fill": lambda need: Ref.of("data", "fill", need["fill"]["label"], need["fill"]["property"]),
    "signal": lambda need: Ref.of("account", "signal", need["signal"], need["category"]),
    "plan": lambda need: Ref.of("account", "plan", "features"),  # noqa: ARG005 - one list for all
    "feature": lambda need: fit_of(need["feature"]),
}
_THRESHOLDS = ("minCount", "minCoverage", "minFill")
_BRANCHES = {kind: Draft202012Validator(branch) for kind, branch in schema.NEEDS.items()}


def fit_of(spec: str) -> Ref:
    """The ref of the verdict on a spec."""
    return Ref.of("account", "feature-fit", spec)


def asker_of(spec: str) -> str:
    """Who the requests of a spec are by."""
    return f"{SPEC}{spec}"


def kinds_of(need: Mapping[str, Any]) -> list[str]:
    """The kinds that a need names; exactly one where the need is well-formed."""
    return [kind for kind in schema.NEEDS if kind in need]


def faults_in_branch(kind: str, need: Any) -> list[ValidationError]:
    """What the schema's branch of ``kind`` has against a need."""
    return list(_BRANCHES[kind].iter_errors(need))


def subject_of(need: Mapping[str, Any]) -> str:
    """What a need is about, whatever its level and threshold."""
    about = {key: need[key] for key in need if key != "level" and key not in _THRESHOLDS}
    return json.dumps(about, sort_keys=True)


def ref_of(kind: str, need: Mapping[str, Any]) -> Ref:
    """The ref that settles a well-formed need. Raises BadRef where its names make none."""
    return _REFS[kind](need)


def threshold_of(need: Mapping[str, Any]) -> Fraction | None:
    """The need's threshold, exactly as written: 0.6 is three fifths, not the nearest float."""
    for word in _THRESHOLDS:
        if word in need:
            return Fraction(Decimal(str(need[word])))
    return None


def read(document: Mapping[str, Any]) -> tuple[Need, ...]:
    """The needs of a stored document, in its order.

    A stored document may come from a newer version. What this one does not know, in a need or
    beside the needs, becomes a REQUIRED need that nothing settles, so that the verdict is unknown.
    """
    needs = document.get("needs")
    known = [_read(need) for need in needs] if isinstance(needs, list) else []
    strange = {key: document[key] for key in document if key not in schema.SCHEMA["properties"]}
    if strange or not known:
        known.append(Need(Level.REQUIRED, strange))
    return tuple(known)


def _read(need: Any) -> Need:
    if not isinstance(need, dict):
        return Need(Level.REQUIRED, {"need": need})
    kinds = kinds_of(need)
    if len(kinds) != 1 or not _BRANCHES[kinds[0]].is_valid(need):
        return Need(Level.REQUIRED, need)
    try:
        ref = ref_of(kinds[0], need)
    except BadRef:
        return Need(Level.REQUIRED, need)
    said = {key: value for key, value in need.items() if key != "level"}
    return Need(Level(need["level"]), said, kinds[0], ref, threshold_of(need))
