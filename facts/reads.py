"""Which facts a reader wants: the rule every list of facts follows. Nothing here computes one."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, ExpressionWrapper, F, FloatField, Q, Value, When
from django.db.models.functions import Extract, Ln
from django.db.models.lookups import GreaterThanOrEqual

from facts import owners, trust
from facts.errors import UnknownKind
from facts.models import Account, Fact, FactQuerySet, Person
from facts.trust import CutOffs, Trust


def summary(fact: Fact, *, now: datetime) -> dict[str, Any]:
    """What a line of a list says of a fact, as plain JSON. Reads the fact's person."""
    return {
        "person": fact.person and fact.person.external_id,
        "ref": str(fact.ref),
        "value": fact.value,
        "trust": str(fact.trust(now)),
        "failing": fact.failing,
        "measured_at": fact.measured_at and fact.measured_at.isoformat(),
        "version": fact.version,
    }


def within_reach(account: Account, person: Person | None) -> FactQuerySet:
    """The account's own facts, and those about ``person`` if there is one."""
    return account.facts.filter(Q(person=None) | Q(person=person) if person else Q(person=None))


def of_observer(facts: FactQuerySet, observer: str) -> FactQuerySet:
    """The facts that ``observer`` writes."""
    owned = Q(pk__in=[])
    for namespace, kind in owners.kinds_of(observer):
        owned |= Q(namespace=namespace, kind=kind)
    return facts.filter(owned)


def under(facts: FactQuerySet, prefix: str) -> FactQuerySet:
    """The facts whose ref starts with ``prefix``.

    Raises BadRef for what starts no ref, and UnknownKind for a kind that nobody observes, so that
    a misspelt prefix is not mistaken for an account without facts.
    """
    found = facts.under(prefix)
    namespace, *rest = prefix.split(":")
    kinds = [kind for known, kind in owners.kinds() if known == namespace]
    fitting = [kind for kind in kinds if rest and kind.startswith(rest[0])]
    if rest and (rest[0] not in fitting if rest[1:] else not fitting):
        known = ", ".join(f"{namespace}:{kind}" for kind in kinds)
        raise UnknownKind(f"nobody observes such facts; the kinds are {known}")
    return found


def of_kind(facts: FactQuerySet, kind: str) -> FactQuerySet:
    """The facts of a kind, in whatever namespace. Raises UnknownKind."""
    kinds = sorted({known for _, known in owners.kinds()})
    if kind not in kinds:
        raise UnknownKind(f"nobody observes such facts; the kinds are {', '.join(kinds)}")
    return facts.filter(kind=kind)


def measured(
    facts: FactQuerySet,
    *,
    now: datetime,
    older_than: timedelta | None = None,
    newer_than: timedelta | None = None,
) -> FactQuerySet:
    """The facts by the age of their value; one never measured is neither old nor new."""
    if older_than is not None:
        facts = facts.filter(measured_at__lt=now - older_than)
    if newer_than is not None:
        facts = facts.filter(measured_at__gte=now - newer_than)
    return facts


def in_state(
    facts: FactQuerySet, state: Trust, *, now: datetime, cut_offs: CutOffs
) -> FactQuerySet:
    """The facts whose trust is ``state`` at ``now``: exactly those ``trust.state`` says.

    The database decides wherever no refutation is fading. The few facts where one is are asked
    from ``trust.state`` itself, in one query more.
    """
    fresh = Q(verified_at=None, refuted=False, confirmed_at__gte=now - trust.STALE_AFTER)
    fading = Q(refute__gte=trust.NOTHING)
    asked = facts.filter(fresh, fading).select_related(None).only(*_EVIDENCE)
    fitting = [
        fact.pk for fact in asked if trust.state(fact.evidence, now=now, cut_offs=cut_offs) == state
    ]
    facts = facts.alias(
        proven=_supported(trust.support_for_proof(cut_offs), now),
        believed=_supported(trust.support_for_belief(cut_offs), now),
    )
    plain = fresh & ~fading
    wanted = {
        Trust.PROVEN: Q(verified_at__isnull=False) | (plain & Q(proven=True)),
        Trust.BELIEVED: plain & Q(proven=False, believed=True),
        Trust.STALE: Q(verified_at=None, refuted=False, confirmed_at__lt=now - trust.STALE_AFTER),
        Trust.UNKNOWN: Q(verified_at=None)
        & (Q(refuted=True) | Q(confirmed_at=None) | (plain & Q(proven=False, believed=False))),
    }[state]
    return facts.filter(wanted | Q(pk__in=fitting))


_EVIDENCE = ("support", "refute", "evidence_at", "confirmed_at", "refuted_at")


def _supported(needed: float, now: datetime) -> Case | Value:
    """Whether support, faded to ``now``, is at least ``needed``.

    It is as long as the moment lies ahead to which it takes log2(support / needed) half-lives.
    """
    if needed <= 0:
        return Value(True)
    half_life = trust.CONFIRM_HALF_LIFE.total_seconds()
    halvings = Ln(F("support") / Value(needed)) / Ln(Value(2.0))
    until = ExpressionWrapper(
        Extract("evidence_at", "epoch") + halvings * Value(half_life), FloatField()
    )
    return Case(
        When(support__lt=needed, then=False),
        When(GreaterThanOrEqual(until, now.timestamp()), then=True),
        default=False,
    )
