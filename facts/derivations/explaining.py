"""Why a fact says what it says: what it was built from, what that is now, and so on down.

Asked for by somebody, and it stores nothing. The inputs are read as they are now and compared with
what the newest build received, part by part; nothing is built.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q

from facts.derivations.declaring import Derivation, Missing, Target, named
from facts.derivations.hashing import hash_of, parts_of
from facts.derivations.reading import Reading
from facts.errors import UnknownDerivation, UnknownRef
from facts.models import Account, Check, Fact, Person
from facts.refs import Ref, prefixes

MOST = 12  # facts told of each place that is read; the rest is counted
FLOORS = 6  # of facts derived from derived facts

Explanation = dict[str, Any]


def explain(
    account: Account, ref: Ref, *, now: datetime, person: Person | None = None
) -> Explanation:
    """Plain data that explains the fact at ``ref``, down to the measurements it rests on.

    ``inputs`` are the parts of what it was built from: their digests then (``built``) and ``now``,
    and whether they ``changed``. ``rests_on`` are the places it reads with the facts there, each
    with whether it is ``newer`` than the build; one that is derived in turn has ``derived``.

    Raises UnknownRef.
    """
    fact = account.facts.filter(person=person).at(ref).select_related("settled_by", "person")
    found = fact.first()
    if found is None:
        raise UnknownRef(f"nothing is known or asked for at {ref}")
    return _explained(found, now=now, floors=FLOORS)


def _explained(fact: Fact, *, now: datetime, floors: int) -> Explanation:
    told = _told(fact, now=now)
    check = fact.settled_by
    if check is not None and check.kind == Check.Kind.DERIVATION:
        told["derived"] = _derived(fact, check, now=now, floors=floors)
    return told


def _told(fact: Fact, *, now: datetime) -> Explanation:
    return {
        "ref": str(fact.ref),
        "person": None if fact.person is None else fact.person.external_id,
        "version": fact.version,
        "digest": fact.digest,
        "trust": str(fact.trust(now)),
        "failing": fact.failure or ("refuted" if fact.refuted else ""),
        "measured_at": fact.measured_at,
        "requested_at": fact.requested_at,
        "open": fact.is_open,
    }


def _derived(fact: Fact, check: Check, *, now: datetime, floors: int) -> Explanation:
    told: Explanation = {
        "derivation": check.derivation,
        "target": check.target,
        "built_from": fact.built_from,
        "built_by": fact.built_by,
        "due_at": check.due_at,
        "last_checked": check.last_checked,
        "failures": check.failures,
        "weight": check.weight,
        "wanted": check.wanted,
        "demand": check.demand,
        "dependents": _dependents(fact),
        "rests_on": _rests_on(fact, check, now=now, floors=floors),
    }
    try:
        derivation = named(check.derivation)
    except UnknownDerivation:
        return {**told, "code": None, "inputs": []}
    return {**told, "code": derivation.version, **_compared(derivation, check, now=now)}


def _compared(derivation: Derivation, check: Check, *, now: datetime) -> Explanation:
    """What was built from beside what there is now, or what is missing for a build."""
    account = check.account
    inputs = derivation.inputs(Target(account, check.target), Reading(account, now))
    if isinstance(inputs, Missing):
        return {"inputs": [], "missing": [str(ref) for ref in inputs.refs]}
    parts, built = parts_of(inputs), check.built_parts
    return {
        "hash": hash_of(parts, version=derivation.version),
        "inputs": [
            {
                "part": part,
                "built": built.get(part),
                "now": parts.get(part),
                "changed": built.get(part) != parts.get(part),
            }
            for part in sorted({*parts, *built})
        ],
    }


def _rests_on(fact: Fact, check: Check, *, now: datetime, floors: int) -> list[Explanation]:
    """The places the target reads, with the facts there, in one query a place."""
    told = []
    for place in check.rests_on.select_related("person").order_by("ref", "person"):
        facts = check.account.facts.select_related("settled_by", "person")
        if place.ref.endswith((":", "|")):
            facts = facts.under(place.ref)
            if place.person is not None:
                facts = facts.filter(person=place.person)
        else:
            facts = facts.at(Ref.parse(place.ref)).filter(person=place.person)
        there = list(facts.order_by("namespace", "kind", "key", "person")[:MOST])
        told.append(
            {
                "place": place.ref,
                "person": None if place.person is None else place.person.external_id,
                "facts": _facts(fact, there, now=now, floors=floors),
                "more": facts.count() - MOST if len(there) == MOST else 0,
            }
        )
    return told


def _facts(
    derived: Fact, facts: Iterable[Fact], *, now: datetime, floors: int
) -> list[Explanation]:
    return [
        {
            **(_explained(fact, now=now, floors=floors - 1) if floors else _told(fact, now=now)),
            "newer": _is_newer(fact, derived),
        }
        for fact in facts
    ]


def _is_newer(fact: Fact, derived: Fact) -> bool:
    """Whether ``fact`` was measured since ``derived`` was."""
    if fact.measured_at is None or derived.measured_from is None:
        return fact.measured_at is not None
    return fact.measured_at > derived.measured_from


def _dependents(fact: Fact) -> list[str]:
    """The targets that rest on the fact in turn, as derivation:target."""
    places = [str(fact.ref), *prefixes(fact.ref)]
    resting = Check.objects.filter(
        Q(rests_on__person=None) | Q(rests_on__person=fact.person_id),
        rests_on__account=fact.account_id,
        rests_on__ref__in=places,
    )
    pairs = resting.order_by("derivation", "target").values_list("derivation", "target").distinct()
    return [f"{derivation}:{target}" for derivation, target in pairs[:MOST]]
