"""What a need or a spec is called in a sentence for people."""

import re
from collections.abc import Mapping
from typing import Any

from specs.needs import Need

_LACKS = {
    "fill": "{fill[property]} of {fill[label]}",
    "signal": "a working {category} integration",
    "plan": "{plan} in the plan",
    "feature": "{feature}",
}
_ABOUT = {
    "label": "{label}, at least {minCount}",
    "hop": "{hop[from]} {hop[verb]} {hop[to]}, at least {minCoverage}",
    "fill": "{fill[property]} of {fill[label]} filled, at least {minFill}",
    "signal": "{category} integrations healthy",
    "plan": "{plan} in the plan",
    "feature": "feature {feature} usable",
}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def title_of(document: Mapping[str, Any]) -> str:
    """The feature's name: its title, or its id made readable (late-orders: Late orders)."""
    return str(document.get("title") or document["id"].replace("-", " ").capitalize())


def lack(need: Need) -> str:
    """What an account lacks whose need is unmet, as the header says it: "carrier data"."""
    if need.kind in {"label", "hop"}:
        label = need.said["label"] if need.kind == "label" else need.said["hop"]["to"]
        return f"{_words(label)} data"
    return _LACKS.get(need.kind, "a newer version of Ken").format(**need.said)


def about(need: Need) -> str:
    """What a need asks for, whole: "Order SHIPPED_BY Carrier, at least 0.5"."""
    return _ABOUT.get(need.kind, "words that this version does not know").format(**need.said)


def _words(label: str) -> str:
    return _HUMP.sub(" ", label).lower()
