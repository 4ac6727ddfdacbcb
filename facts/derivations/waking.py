"""From a change or a wish to the targets it concerns: what the store's signals do here."""

from datetime import datetime
from typing import Any

from django.db.models import Q

from facts import owners, store
from facts.askers import DEPENDENCY
from facts.derivations.declaring import registered
from facts.derivations.dependencies import dependents_of
from facts.derivations.targets import create_targets, make_due
from facts.models import ABSENT, Account, Check, Fact, Person


def wake_dependents(account: Account, facts: list[Fact], now: datetime, **_: Any) -> None:
    """Ask for what rests on facts whose value, failing or trust state changed."""
    dependents = dependents_of(account, facts)
    if not dependents:
        return
    built = Fact.objects.filter(settled_by__in=dependents).exclude(value__contains=ABSENT)
    store.ask_again(account, list(built.values_list("pk", flat=True)), by=DEPENDENCY, now=now)
    make_due(Check.objects.filter(pk__in=dependents), now=now)


def wake_requested(account: Account, facts: list[Fact], by: str, now: datetime, **_: Any) -> None:
    """Make due what somebody asked for, and make the targets that are not there yet."""
    builders = {derivation.owner for derivation in registered()}
    derived = [fact for fact in facts if owners.owner_of(fact.ref) in builders]
    if by == DEPENDENCY or not derived:  # who depends is made due with all that depend
        return
    known = Q(pk__in={fact.settled_by_id for fact in derived if fact.settled_by_id is not None})
    never_built = [fact for fact in derived if fact.settled_by_id is None]
    asked = Q(known, kind=Check.Kind.DERIVATION) | _made(account, never_built, now=now)
    make_due(Check.objects.filter(asked), now=now)


def _made(account: Account, facts: list[Fact], *, now: datetime) -> Q:
    """The targets of facts that no target has built yet, where a derivation says whose they are."""
    people = Person.objects.in_bulk(
        {fact.person_id for fact in facts if fact.person_id is not None}
    )
    made = Q(pk__in=[])
    for derivation in registered():
        names: set[str | None] = set()
        for fact in facts:
            if owners.owner_of(fact.ref) == derivation.owner:
                person = people[fact.person_id].external_id if fact.person_id is not None else None
                names.add(derivation.target_of(fact.ref, person))
        if wanted := {name for name in names if name is not None}:
            create_targets(account, derivation, wanted, now=now)
            made |= Q(account=account, derivation=derivation.name, target__in=wanted)
    return made
