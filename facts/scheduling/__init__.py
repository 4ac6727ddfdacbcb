"""When what is worked off: budgets, leases, and the tick that keeps due times true."""

from django.db.models.signals import post_save

from facts import signals
from facts.models import Source
from facts.scheduling.explaining import explain
from facts.scheduling.queueing import mend_clock, queue_work, working_seconds
from facts.scheduling.running import note_made
from facts.scheduling.spending import make_ledger, set_budget
from facts.scheduling.ticking import Ticked, tick
from facts.scheduling.waking import (
    learn_soon,
    reckon_demanded,
    reckon_requested,
    reckon_used,
)
from facts.scheduling.working import Worked, probe_due, rebuild_due, settle, work_off

__all__ = [
    "Ticked",
    "Worked",
    "connect",
    "explain",
    "learn_soon",
    "mend_clock",
    "note_made",
    "probe_due",
    "queue_work",
    "rebuild_due",
    "set_budget",
    "settle",
    "tick",
    "work_off",
    "working_seconds",
]


def connect() -> None:
    """Listen to the store, to what is built on it, and to new sources. Called once at start."""
    post_save.connect(make_ledger, sender=Source, dispatch_uid="facts.scheduling.source")
    signals.requested.connect(reckon_requested, dispatch_uid="facts.scheduling.requested")
    signals.used.connect(reckon_used, dispatch_uid="facts.scheduling.used")
    signals.demanded.connect(reckon_demanded, dispatch_uid="facts.scheduling.demanded")
