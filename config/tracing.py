"""The id that everything told of one request shares, in whatever process it is told.

A request has the id its sender gave it, or a new one, and answers with it. A task has the id of
what queued it, or its own. A log line has the id of what it is told in.
"""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

HEADER = "X-Request-ID"
_KEY = "traced"  # in a task's package, which the queue passes on as it is

# No underscore, so that no token of ours can be taken for one; short, so that no text can.
_SANE = re.compile(r"[A-Za-z0-9-]{1,64}")

_current: ContextVar[str] = ContextVar("traced", default="")


def current() -> str:
    """The id of what is under way, or nothing."""
    return _current.get()


@contextmanager
def traced(named: str | None) -> Iterator[str]:
    """Have what is told in the block share an id: the one named if it is sane, else a new one."""
    trace = named if named and _SANE.fullmatch(named) else uuid.uuid4().hex
    before = _current.set(trace)
    try:
        yield trace
    finally:
        _current.reset(before)


def hand_on(task: dict[str, Any], **_: Any) -> None:
    """Give a task that is being queued the id of what queues it."""
    if trace := current():
        task[_KEY] = trace


def take_over(task: dict[str, Any], **_: Any) -> None:
    """Go on with the id that a task was given, before it is run."""
    _current.set(task.get(_KEY) or task["id"])


def let_go(**_: Any) -> None:
    """Forget the id of a task that has been run."""
    _current.set("")
