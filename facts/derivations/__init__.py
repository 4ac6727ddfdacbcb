"""Facts computed from other facts: rebuilt when, and only when, what they rest on changes."""

from facts.derivations.declaring import (
    Built,
    Derivation,
    Inputs,
    Missing,
    Target,
    named,
    register,
    registered,
    unregister,
)
from facts.derivations.reading import Reading
from facts.derivations.targets import sync_targets, wake

__all__ = [
    "Built",
    "Derivation",
    "Inputs",
    "Missing",
    "Reading",
    "Target",
    "named",
    "register",
    "registered",
    "sync_targets",
    "unregister",
    "wake",
]
