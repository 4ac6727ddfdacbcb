"""When what is worked off: budgets, leases, and the tick that keeps due times true."""

from facts import signals
from facts.scheduling.explaining import explain
from facts.scheduling.queueing import mend_clock, queue_work, working_seconds
from facts.scheduling.running import note_made
from facts.scheduling.spending import set_budget
from facts.scheduling.ticking import Ticked, tick
from facts.scheduling.waking import learn_soon, reckon_demanded, reckon_requested
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
    """Listen to the store and to what is built on it. Called once at start."""
    signals.requested.connect(reckon_requested, dispatch_uid="facts.scheduling.requested")
    signals.demanded.connect(reckon_demanded, dispatch_uid="facts.scheduling.demanded")
