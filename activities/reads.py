"""Reading activities: the stored ones by a lookup, and those of another moment by a preview."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from activities import derivation
from facts import askers
from facts.derivations import Reading, Target, look_up
from facts.models import Account, Fact, Person
from facts.refs import Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Something a person works on, and the figures that say so."""

    person: str
    verb: str
    title: str
    rank: int
    sessions: int
    days: int
    others: int
    colleagues: int
    lift: Fraction
    first: str  # ISO 8601, UTC
    last: str


def activities_of(account: Account, person: Person | None = None) -> list[Activity]:
    """An account's activities, or one person's, by person and in the header's order.

    What is stored, in one query; nothing is computed.
    """
    return [activity for activity, _ in stored(account, person)]


def stored(account: Account, person: Person | None = None) -> list[tuple[Activity, Fact]]:
    """The same, each with the fact that says it."""
    facts = Fact.objects.filter(account=account, namespace="user", kind="activity")
    if person is not None:
        facts = facts.filter(person=person)
    found = [
        (_activity(fact.person.external_id, fact.ref.parts[0], fact.value), fact)
        for fact in facts.select_related("person")
        if fact.person is not None and fact.value is not None and "absent" not in fact.value
    ]
    return sorted(found, key=lambda pair: _place(pair[0]))


def header_of(person: Person, *, now: datetime) -> Fact | None:
    """The stored text that the assistant reads of the person before every turn, if there is one.

    The floor above writes it, so it is read by its ref; where it is not fresh it is asked for.
    """
    ref = Ref.of("user", "header", "turn")
    fact = look_up(person.account, ref, by=askers.READER, now=now, person=person)
    return fact if fact is not None and fact.value is not None and not fact.is_absent else None


def preview(account: Account, as_of: datetime) -> list[Activity]:
    """The activities at any moment, computed as the derivation would and stored nowhere."""
    inputs = derivation.inputs(Target(account), Reading(account, as_of))
    built = derivation.build(inputs)
    return _ordered(
        _activity(person, ref.parts[0], value)
        for (person, ref), value in built.items()
        if person is not None
    )


def _ordered(activities: Iterable[Activity]) -> list[Activity]:
    return sorted(activities, key=_place)


def _place(activity: Activity) -> tuple[str, Fraction, int, int]:
    return activity.person, -activity.lift, -activity.sessions, activity.rank


def _activity(person: str, verb: str, value: dict[str, Any]) -> Activity:
    return Activity(person=person, verb=verb, **{**value, "lift": Fraction(value["lift"])})
