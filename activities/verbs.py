"""The registry of verbs: reading the one in force, putting another in force, and what that moves.

There is one registry for all accounts, with a version. Verbs and actions that leave it keep their
rows: votes and feedback hang on them and count again when they come back.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from activities import derivation, inference, rules
from activities.documents import Registry
from activities.inference import Mapped
from activities.models import (
    AccountSettings,
    Action,
    RegistryVersion,
    UnmappedAction,
    Verb,
    Vote,
)
from activities.rules import Tally
from facts import derivations
from facts.models import Account


def current() -> Registry:
    """The registry in force, or an empty one. Causes two queries."""
    verbs = list(Verb.objects.filter(rank__isnull=False).order_by("rank"))
    actions = Action.objects.filter(known=True).values_list("name", "verb__name")
    return Registry(
        tuple(verb.name for verb in verbs),
        dict(actions.order_by("name")),
        {verb.name: verb.title for verb in verbs},
    )


@transaction.atomic
def replace(registry: Registry, *, now: datetime) -> int:
    """Put ``registry`` in force, and return its version; the one that is in force stays as it is.

    Sessions that it makes otherwise are left for ``sessions.bring_up_to_date``, an account at a
    time; until then the account's older ones are not read.
    """
    row = _locked()
    before = current()
    if registry == before:
        return row.version
    row.version += 1
    row.changed_at = now
    row.save()
    _write_verbs(registry)
    _write_actions(registry)
    UnmappedAction.objects.filter(name__in=registry.actions).delete()
    _pass_over(before, registry, row.version)
    derivations.wake(derivation.NAME, now=now)
    return row.version


def accounts_moved_by(registry: Registry) -> list[Account]:
    """The accounts whose votes ``registry`` counts otherwise than the one in force."""
    before = current()
    if registry.counts_like(before):
        return []
    return list(Account.objects.filter(pk__in=_moved(before, registry)).order_by("external_id"))


@dataclass(frozen=True, slots=True)
class Change:
    """An activity that a registry would give or take: its counts with it and today's."""

    account: str
    person: str
    verb: str
    before: Tally | None
    after: Tally | None


def preview(registry: Registry, account: Account, *, now: datetime) -> list[Change]:
    """Whose activities in the account would change if ``registry`` came into force now.

    Computed from the account's votes; stores nothing. A change of figures is none: only what
    appears and what goes.
    """
    names = dict(Verb.objects.values_list("name", "pk"))
    ids = {verb: names.get(verb, -rank) for rank, verb in enumerate(registry.verbs, 1)}
    ranked = {ids[verb]: (verb, rank) for rank, verb in enumerate(registry.verbs, 1)}
    votes = registry.verbs_by_action
    known = dict(Action.objects.filter(name__in=votes).values_list("name", "pk"))
    mapped = Mapped(
        list(known.values()),
        [ids[votes[name]] for name in known],
        [ranked[ids[votes[name]]][1] for name in known],
    )
    away = inference.rejected(account, now)
    was = {(t.person, t.verb): t for t in inference.activities_at(account, now)}
    found = rules.activities(inference.tallies_under(mapped, ranked, account, now), away)
    will = {(t.person, t.verb): t for t in found}
    return [
        Change(account.external_id, person, verb, was.get((person, verb)), will.get((person, verb)))
        for person, verb in sorted(was.keys() ^ will.keys())
    ]


def _locked() -> RegistryVersion:
    RegistryVersion.objects.bulk_create([RegistryVersion(pk=1)], ignore_conflicts=True)
    return RegistryVersion.objects.select_for_update().get()


def _write_verbs(registry: Registry) -> None:
    Verb.objects.exclude(name__in=registry.verbs).update(rank=None)
    Verb.objects.bulk_create(
        [
            Verb(name=verb, rank=rank, title=registry.titles[verb])
            for rank, verb in enumerate(registry.verbs, 1)
        ],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["rank", "title"],
    )


def _write_actions(registry: Registry) -> None:
    verbs = dict(Verb.objects.values_list("name", "pk"))
    Action.objects.exclude(name__in=registry.actions).update(known=False, verb=None)
    Action.objects.bulk_create(
        [
            Action(name=action, verb_id=verbs[verb] if verb else None, known=True)
            for action, verb in registry.actions.items()
        ],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["verb", "known"],
    )


def _pass_over(before: Registry, after: Registry, version: int) -> None:
    """Say of the accounts whose sessions stay as they are that they are this registry's."""
    fresh = AccountSettings.objects.filter(registry=version - 1)
    if not after.counts_like(before):
        fresh = fresh.exclude(account__in=_moved(before, after))
    fresh.update(registry=version)


def _moved(before: Registry, after: Registry) -> Iterable[int]:
    """The accounts with a vote that is counted otherwise, or with any if the ranks moved."""
    shared = [verb for verb in after.verbs if verb in before.verbs]
    votes = Vote.objects.all()
    if shared == [verb for verb in before.verbs if verb in after.verbs]:
        was, will = before.verbs_by_action, after.verbs_by_action
        changed = {name for name in was.keys() | will.keys() if was.get(name) != will.get(name)}
        votes = votes.filter(action__name__in=changed)
    return votes.values_list("account", flat=True).distinct()
