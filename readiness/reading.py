"""The hot reads: one stored row each, and a request where it is stale. Nothing is computed."""

from datetime import datetime
from typing import Any

from facts import askers
from facts.derivations import look_up
from facts.models import Account, Fact, Person
from facts.refs import Ref
from readiness import overall, turn
from readiness.header import NOTHING_KNOWN
from readiness.rollup import Level


def header_of(account: Account, person: Person | None, *, now: datetime) -> str:
    """The stored header of a person, or of the account; one query where it is fresh.

    Where none was built yet it says that nothing is known, and asks for it.
    """
    ref = turn.OF_ACCOUNT if person is None else turn.OF_PERSON
    fact = _stored(account, ref, person, now=now)
    return NOTHING_KNOWN if fact is None else str(fact.value["text"])


def readiness_of(account: Account, *, now: datetime) -> dict[str, Any]:
    """The stored readiness with its age; never rolled up is not ready, with no number."""
    fact = _stored(account, overall.REF, None, now=now)
    if fact is None:
        nothing = {"level": str(Level.NOT_READY), "coverage": 0.0, "shown": None, "gap": None}
        return {**nothing, "vetoes": [], "items": [], "measured_at": None, "trust": "unknown"}
    measured_at = None if fact.measured_at is None else fact.measured_at.isoformat()
    return {**fact.value, "measured_at": measured_at, "trust": str(fact.trust(now))}


def _stored(account: Account, ref: Ref, person: Person | None, *, now: datetime) -> Fact | None:
    """The fact at ``ref`` if it holds something, asked for where it is not there or stale."""
    fact = look_up(account, ref, by=askers.READER, now=now, person=person)
    return (
        fact if fact is not None and isinstance(fact.value, dict) and not fact.is_absent else None
    )
