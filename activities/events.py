"""Reading an event: who did what when, and nothing else of it. Pure.

A document may carry more than is read here; it is left where it came from.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, TypeGuard

from activities.errors import BadEvent
from activities.rules import EPOCH, MICROSECOND
from facts import guard

FIELDS = frozenset({"account", "person", "action", "at", "on_behalf_of"})
MAX_LENGTH = 200  # characters of an account's, a person's or an action's name
EARLIEST = -62_135_596_800_000_000  # microseconds: the year 1 in UTC


class Event(NamedTuple):
    """One act: the product's ids, the action's name, and the instant in microseconds."""

    account: str
    person: str
    action: str
    at: int


class Refused(NamedTuple):
    """A line that is no event: its number and why."""

    line: int
    reason: str


@dataclass(slots=True)
class Read:
    """What lines held: the events that count, and how many don't, and which are none."""

    events: list[Event] = field(default_factory=list)
    on_behalf: int = 0
    refused: list[Refused] = field(default_factory=list)


def read(lines: Iterable[bytes | None], *, start: int, latest: int) -> Read:
    """The events in the lines of a file, the first of which has the number ``start``.

    None stands for a line that was too long to read. Empty lines are passed over. A refused line
    stops nothing.
    """
    found = Read()
    for number, line in enumerate(lines, start):
        try:
            if line is None:
                raise BadEvent("the line is too long for an event")
            if not line.strip():
                continue
            if event := event_of(_document(line), latest=latest):
                found.events.append(event)
            else:
                found.on_behalf += 1
        except BadEvent as fault:
            found.refused.append(Refused(number, str(fault)))
    return found


def read_pushed(
    documents: Iterable[object], *, account: str, person: str | None, latest: int
) -> Read:
    """The events that a credential of an account, or of one person in it, pushes; from line 0 on.

    An event need not repeat what the credential says, and one that says otherwise is refused; so is
    one that says more than is read, which a file may.
    """
    found = Read()
    for number, document in enumerate(documents):
        try:
            if event := event_of(_scoped(document, account, person), latest=latest):
                found.events.append(event)
            else:
                found.on_behalf += 1
        except BadEvent as fault:
            found.refused.append(Refused(number, str(fault)))
    return found


def event_of(document: object, *, latest: int) -> Event | None:
    """The event a JSON document tells of, or None for one made on behalf of somebody.

    What an administrator does in a customer's name says nothing about either, so it counts for
    nobody. ``latest`` is the newest instant that can have happened, in microseconds, clock skew
    included. Raises BadEvent with the reason.
    """
    if not isinstance(document, dict):
        raise BadEvent("an event is an object with account, person, action and at")
    for field_name in ("account", "person", "action"):
        if not is_name(document.get(field_name)):
            raise _no_name(document, field_name)
    if reason := _withheld(document["action"]):
        raise BadEvent(f"the action's name may not be kept: {reason}")
    at = _instant(document.get("at"))
    if at > latest:
        raise BadEvent("at lies in the future")
    if (somebody := document.get("on_behalf_of")) is not None:
        if not is_name(somebody):
            raise _no_name(document, "on_behalf_of")
        return None
    return Event(document["account"], document["person"], document["action"], at)


def _scoped(document: object, account: str, person: str | None) -> object:
    if not isinstance(document, dict):
        return document
    if not document.keys() <= FIELDS:
        raise BadEvent(f"an event has no other fields than {', '.join(sorted(FIELDS))}")
    told = {"account": account} if person is None else {"account": account, "person": person}
    for name, value in told.items():
        if document.get(name, value) != value:
            raise BadEvent(f"{name} is another than the credential's")
    return {**document, **told}


def _document(line: bytes) -> object:
    try:
        return json.loads(line.decode())
    except UnicodeDecodeError:
        raise BadEvent("the line is no UTF-8 text") from None
    except (ValueError, RecursionError):
        raise BadEvent("the line is no JSON") from None


_withheld = lru_cache(maxsize=10_000)(guard.text_reason)  # the same few names, a million times


def is_name(value: object) -> TypeGuard[str]:
    """Whether it may be the name of an account, a person or an action."""
    return isinstance(value, str) and 0 < len(value) <= MAX_LENGTH and value.isprintable()


def _no_name(document: dict[str, object], name: str) -> BadEvent:
    if document.get(name) is None:
        return BadEvent(f"{name} is missing")
    return BadEvent(f"{name} must be a text of 1 to {MAX_LENGTH} printable characters")


def _instant(value: object) -> int:
    """Whole microseconds since the epoch, exact."""
    if value is None:
        raise BadEvent("at is missing")
    try:
        at = datetime.fromisoformat(value)  # type: ignore[arg-type]
        since = at - EPOCH
    except (TypeError, ValueError):
        if isinstance(value, str) and _is_naive(value):
            raise BadEvent("at has no offset from UTC, so it is no instant") from None
        raise BadEvent("at must be an ISO 8601 instant such as 2026-03-01T09:30:00Z") from None
    if (microseconds := since // MICROSECOND) < EARLIEST:
        raise BadEvent("at lies before the year 1")
    return microseconds


def _is_naive(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).utcoffset() is None
    except ValueError:
        return False
