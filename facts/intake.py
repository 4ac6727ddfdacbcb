"""What the product itself tells of an account: its integrations, and the features of its plan.

Each push says all there is. What it no longer names, and what somebody asked for and it does not
name, becomes absent.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from facts import guard, store
from facts.errors import BadIntake, BadRef
from facts.giving_way import once_more
from facts.models import ABSENT, Account, Fact, Integration
from facts.refs import Ref
from facts.store import Measurement

INTEGRATIONS = "integrations"  # the observer of integrations and their signals
PLAN = "plan"  # the observer of the plan
FEATURES = Ref.of("account", "plan", "features")
LONGEST_NAME = 200  # characters of an integration's name, a category or a feature


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
    demand_sense(states)
    _lock(account)
    found = {_place(state.name): _value(state) for state in states}
    found |= _signals(states, {state.category for state in states})
    for fact in _known(account):
        found.setdefault(fact.ref, ABSENT)
    Integration.objects.filter(account=account).exclude(
        name__in=[state.name for state in states]
    ).delete()
    _keep_times(account, states)
    return _observe(account, found, by=INTEGRATIONS, now=now)


@once_more
@transaction.atomic
def set_integration(
    account: Account,
    state: IntegrationState,
    *,
    asker: str,
    now: datetime,
    version: int | None = None,
) -> Integration:
    """Write one integration, and what its category signals, for a member of staff (``asker``).

    Nothing is said of the others. ``version`` is the one of its fact that was looked at, 0 for
    none, None where nothing was. When it last succeeded stays as it was unless ``state`` says it.

    Raises BadIntake, and Conflict where it was told anew meanwhile; nothing is written then.
    """
    demand_sense([state])
    _lock(account)
    before = _standing(account)
    after = before | {state.name: state}
    found = {_place(state.name): _value(state)}
    touched = {each[state.name].category for each in (before, after) if state.name in each}
    found |= _signals(after.values(), touched)
    if state.last_succeeded is not None or state.name not in before:
        _keep_times(account, [state])
    versions = {_place(state.name): version}
    _observe(account, found, by=INTEGRATIONS, asker=asker, now=now, versions=versions)
    return Integration.objects.get(account=account, name=state.name)


@once_more
@transaction.atomic
def remove_integrations(
    account: Account, names: Collection[str], *, asker: str, now: datetime
) -> list[Fact]:
    """Make integrations absent, and what only they signalled, for a member of staff."""
    _lock(account)
    before = _standing(account)
    gone = before.keys() & set(names)
    left = [state for name, state in before.items() if name not in gone]
    found = {_place(name): ABSENT for name in gone}
    found |= _signals(left, {before[name].category for name in gone})
    Integration.objects.filter(account=account, name__in=names).delete()
    return _observe(account, found, by=INTEGRATIONS, asker=asker, now=now)


def integrations_of(account: Account) -> list[tuple[Fact, datetime | None]]:
    """The account's integrations, each with when it last succeeded; two queries."""
    facts = account.facts.under("account:integration:").filter(value__isnull=False)
    times = dict(account.integrations.values_list("name", "last_succeeded"))
    there = [fact for fact in facts.order_by("key") if not fact.is_absent]
    return [(fact, times.get(fact.ref.parts[0])) for fact in there]


@once_more
@transaction.atomic
def set_plan(
    account: Account,
    features: Collection[str],
    *,
    now: datetime,
    asker: str = "",
    version: int | None = None,
) -> list[Fact]:
    """Write the features of an account's plan; ``features`` are all of them.

    Their order says nothing and they are kept sorted. ``asker`` is the member of staff who says
    so, and ``version`` the one of the fact that was looked at, if any. Raises BadIntake, and
    Conflict where the plan was told anew meanwhile; nothing is written then.
    """
    named = sorted(set(features))
    for feature in named:
        _demand_name(feature, "a feature of the plan")
    _lock(account)
    found = {FEATURES: {"features": named}}
    return _observe(account, found, by=PLAN, asker=asker, now=now, versions={FEATURES: version})


def health_of(category: str) -> Ref:
    """The ref that says whether any integration of a category works. Raises BadIntake."""
    return _named("account", "signal", "integration_health", category)


def _known(account: Account) -> list[Fact]:
    """The integrations and signals that were observed or asked for before."""
    return [
        *account.facts.under("account:integration:"),
        *account.facts.under("account:signal:integration_health|"),
    ]


def _standing(account: Account) -> dict[str, IntegrationState]:
    """The account's integrations by name."""
    return {
        fact.ref.parts[0]: IntegrationState(
            name=fact.ref.parts[0],
            category=fact.value["category"],
            healthy=fact.value["healthy"],
            last_succeeded=last_succeeded,
        )
        for fact, last_succeeded in integrations_of(account)
    }


def _place(name: str) -> Ref:
    return _named("account", "integration", name)


def _value(state: IntegrationState) -> dict[str, Any]:
    return {"category": state.category, "healthy": state.healthy}


def _signals(
    states: Iterable[IntegrationState], categories: Collection[str]
) -> dict[Ref, dict[str, Any]]:
    """What each of ``categories`` signals where ``states`` are all there are."""
    healths: dict[str, list[bool]] = {category: [] for category in categories}
    for state in states:
        if state.category in healths:
            healths[state.category].append(state.healthy)
    return {
        health_of(category): {"healthy": any(found)} if found else ABSENT
        for category, found in healths.items()
    }


def _keep_times(account: Account, states: Sequence[IntegrationState]) -> None:
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
    account: Account,
    found: Mapping[Ref, dict[str, Any]],
    *,
    by: str,
    now: datetime,
    asker: str = "",
    versions: Mapping[Ref, int | None] | None = None,
) -> list[Fact]:
    """Write what was found. Raises Conflict where a fact is no longer at its version."""
    started = versions or {}
    measurements = [
        Measurement(ref=ref, version=started.get(ref), value=found[ref]) for ref in sorted(found)
    ]
    observed = store.observe_many(
        account, measurements, by=by, measured_from=now, now=now, asker=asker
    )
    for conflict in observed.conflicts:
        raise conflict
    return observed.written


def _lock(account: Account) -> None:
    """Let pushes of one account follow one another, so that the later one wins whole."""
    Account.objects.select_for_update(no_key=True).get(pk=account.pk)


def demand_sense(states: Sequence[IntegrationState]) -> None:
    """Raise BadIntake for what no integrations can be, before anything is written."""
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
