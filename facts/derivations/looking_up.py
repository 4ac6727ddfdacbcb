"""How a reader reads a derived fact: a lookup, and a wish where what it finds is stale."""

from datetime import datetime

from facts import store
from facts.models import Account, Fact, Person
from facts.refs import Ref
from facts.trust import Trust

_FRESH = (Trust.PROVEN, Trust.BELIEVED)


def look_up(
    account: Account, ref: Ref, *, by: str, now: datetime, person: Person | None = None
) -> Fact | None:
    """The fact as it is stored, None where there is none: one SELECT, and at most one request.

    Nothing is computed. What is not there yet, failing or no longer trusted is asked for.
    """
    fact = store.read(account, ref, person=person)
    if fact is None or (is_stale(fact, now=now) and not fact.is_absent):
        store.request(account, ref, by=by, now=now, person=person)
    return fact


def is_stale(fact: Fact, *, now: datetime) -> bool:
    """Whether a reader of ``fact`` is to ask for it."""
    return fact.value is None or fact.failing or fact.trust(now) not in _FRESH
