"""What the product itself tells of an account: its integrations, and the features of its plan.

Each push says all there is. What it no longer names, and what somebody asked for and it does not
name, becomes absent.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from facts import guard, store
from facts.errors import BadIntake, BadRef
from facts.giving_way import once_more
from facts.models import Account, Fact, Integration
from facts.refs import Ref
from facts.store import Measurement

INTEGRATIONS = "integrations"  # the observer of integrations and their signals
PLAN = "plan"  # the observer of the plan
FEATURES = Ref.of("account", "plan", "features")
LONGEST_NAME = 200  # characters of an integration's name, a category or a feature

_ABSENT = {"absent": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrationState:
    """How one of an account's integrations is doing."""

    name: str
    category: str
    healthy: bool
    last_succeeded: datetime | None = None


@once_more
@transaction.atomic
def set_integrations(
    account: Account, states: Sequence[IntegrationState], *, now: datetime
) -> list[Fact]:
    """Write an account's integrations and what they signal; ``states`` are all it has.

    A category is healthy if any of its integrations is. When one last succeeded moves all the time
    and changes nothing: it is kept beside the facts, in no value and no digest.

    Raises BadIntake; nothing is written then.
    """
    _demand_sense(states)
    _lock(account)
    found: dict[Ref, dict[str, Any]] = {}
    for state in states:
        value = {"category": state.category, "healthy": state.healthy}
        found[_named("account", "integration", state.name)] = value
        signal = found.setdefault(health_of(state.category), {"healthy": False})
        signal["healthy"] = signal["healthy"] or state.healthy
    for fact in _known(account):
        found.setdefault(fact.ref, _ABSENT)
    _keep_times(account, states)
    return _observe(account, found, by=INTEGRATIONS, now=now)


@once_more
@transaction.atomic
def set_plan(account: Account, features: Collection[str], *, now: datetime) -> list[Fact]:
    """Write the features of an account's plan; ``features`` are all of them.

    Their order says nothing and they are kept sorted. Raises BadIntake; nothing is written then.
    """
    named = sorted(set(features))
    for feature in named:
        _demand_name(feature, "a feature of the plan")
    _lock(account)
    return _observe(account, {FEATURES: {"features": named}}, by=PLAN, now=now)


def integrations_of(account: Account) -> list[tuple[Fact, datetime | None]]:
    """The account's integrations, each with when it last succeeded; two queries."""
    facts = account.facts.under("account:integration:").filter(value__isnull=False)
    times = dict(account.integrations.values_list("name", "last_succeeded"))
    there = [fact for fact in facts.order_by("key") if not fact.is_absent]
    return [(fact, times.get(fact.ref.parts[0])) for fact in there]


def health_of(category: str) -> Ref:
    """The ref that says whether any integration of a category works. Raises BadIntake."""
    return _named("account", "signal", "integration_health", category)


def _known(account: Account) -> list[Fact]:
    """The integrations and signals that were observed or asked for before."""
    return [
        *account.facts.under("account:integration:"),
        *account.facts.under("account:signal:integration_health|"),
    ]


def _keep_times(account: Account, states: Sequence[IntegrationState]) -> None:
    names = [state.name for state in states]
    Integration.objects.filter(account=account).exclude(name__in=names).delete()
    Integration.objects.bulk_create(
        [
            Integration(account=account, name=state.name, last_succeeded=state.last_succeeded)
            for state in states
        ],
        update_conflicts=True,
        unique_fields=["account", "name"],
        update_fields=["last_succeeded"],
    )


def _observe(
    account: Account, found: dict[Ref, dict[str, Any]], *, by: str, now: datetime
) -> list[Fact]:
    measurements = [Measurement(ref=ref, version=None, value=found[ref]) for ref in sorted(found)]
    return store.observe_many(account, measurements, by=by, measured_from=now, now=now).written


def _lock(account: Account) -> None:
    """Let pushes of one account follow one another, so that the later one wins whole."""
    Account.objects.select_for_update(no_key=True).get(pk=account.pk)


def _demand_sense(states: Sequence[IntegrationState]) -> None:
    names: set[str] = set()
    for state in states:
        _demand_name(state.name, "an integration's name")
        _demand_name(state.category, "an integration's category")
        if state.name in names:
            raise BadIntake("an integration is named twice: a push names each once")
        names.add(state.name)
        if state.last_succeeded is not None and state.last_succeeded.tzinfo is None:
            raise BadIntake("a last-succeeded time has no zone: 2026-03-02T09:00:00Z has one")


def _demand_name(name: str, what: str) -> None:
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadIntake(f"{what} is 1 to {LONGEST_NAME} printable characters")
    if reason := guard.text_reason(name):
        raise BadIntake(f"{what} can't be kept, it looks like: {reason}")


def _named(namespace: str, kind: str, *parts: str) -> Ref:
    try:
        return Ref.of(namespace, kind, *parts)
    except BadRef as fault:
        raise BadIntake(f"a name can't be kept: {fault}") from None
