"""Facts computed from other facts: rebuilt when, and only when, what they rest on changes."""

from typing import Any

from django.db.models.signals import post_save
from django.utils import timezone

from facts import owners, signals
from facts.derivations.catalogue import CATALOGUE
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
from facts.derivations.lane import run_due, settle, sweep
from facts.derivations.looking_up import look_up
from facts.derivations.reading import Reading
from facts.derivations.running import run
from facts.derivations.targets import create_targets, sync_targets, wake
from facts.derivations.under_way import Outcome
from facts.derivations.waking import wake_dependents, wake_requested
from facts.models import Account

__all__ = [
    "Built",
    "Derivation",
    "Inputs",
    "Missing",
    "Outcome",
    "Reading",
    "Target",
    "connect",
    "create_targets",
    "look_up",
    "named",
    "register",
    "registered",
    "run",
    "run_due",
    "settle",
    "sweep",
    "sync_targets",
    "unregister",
    "wake",
]


def connect() -> None:
    """Listen to the store, and register the ground floor's own derivation. Called once at start."""
    signals.observed.connect(wake_dependents, dispatch_uid="facts.derivations.observed")
    signals.requested.connect(wake_requested, dispatch_uid="facts.derivations.requested")
    post_save.connect(_make_targets, sender=Account, dispatch_uid="facts.derivations.account")
    owners.register("account", "catalogue", observer=CATALOGUE.owner)
    register(CATALOGUE)


def _make_targets(instance: Account, created: bool, raw: bool, **_: Any) -> None:
    if created and not raw:
        sync_targets(instance, now=timezone.now())
