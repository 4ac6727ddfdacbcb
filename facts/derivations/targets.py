"""Targets as rows: made, woken and retired. A target is a Check of kind derivation.

Whoever locks several targets locks them in the order of their keys, and facts before targets:
observers, readers and runs of many processes meet here.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Least

from facts import store
from facts.derivations.declaring import Derivation, named, registered
from facts.derivations.demand import count_demand, rests_on
from facts.giving_way import once_more
from facts.models import ABSENT, Account, Check


def wake(
    derivation: str,
    *,
    now: datetime,
    account: Account | None = None,
    targets: Iterable[str] | None = None,
) -> int:
    """Say that inputs which are no facts changed: of these targets, or of all where none are named.

    Called in the transaction that changes them. Returns how many targets are due.
    """
    checks = Check.objects.filter(kind=Check.Kind.DERIVATION, derivation=derivation)
    if account is not None:
        checks = checks.filter(account=account)
    if targets is not None:
        checks = checks.filter(target__in=list(targets))
    return make_due(checks, now=now)


def make_due(checks: QuerySet[Check], *, now: datetime) -> int:
    """Ask for a run of each of ``checks``, which stays due from the first wish on."""
    with transaction.atomic():
        locked = checks.order_by("pk").select_for_update(of=("self",), no_key=True)
        keys = list(locked.values_list("pk", flat=True))
        return Check.objects.filter(pk__in=keys).update(
            asked=F("asked") + 1, due_at=Least(F("due_at"), now)
        )


def sync_targets(account: Account, *, now: datetime, derivation: str | None = None) -> None:
    """Make the targets there should be, due at once, and retire those there should be no more.

    Called when a room's targets come or go, for its own derivation, and with every ``settle``.
    """
    for each in [named(derivation)] if derivation else registered():
        _sync(account, each, now=now)


def _sync(account: Account, derivation: Derivation, *, now: datetime) -> None:
    checks = Check.objects.filter(
        account=account, kind=Check.Kind.DERIVATION, derivation=derivation.name
    )
    names = set(derivation.targets(account))
    known = set(checks.values_list("target", flat=True))
    create_targets(account, derivation, names - known, now=now)
    if gone := known - names:
        _retire(account, derivation, checks.filter(target__in=gone), now=now)


def create_targets(
    account: Account, derivation: Derivation, names: Iterable[str], *, now: datetime
) -> None:
    """Make the targets ``names`` of an account, due at once; those there already stay."""
    Check.objects.bulk_create(
        (
            Check(
                account=account,
                kind=Check.Kind.DERIVATION,
                derivation=derivation.name,
                target=name,
                due_at=now,
            )
            for name in names
        ),
        ignore_conflicts=True,
    )


@once_more
def _retire(
    account: Account, derivation: Derivation, checks: QuerySet[Check], *, now: datetime
) -> None:
    """Make what ``checks`` built absent, and forget them and what they rest on."""
    with transaction.atomic():
        locked = list(checks.order_by("pk").select_for_update())
        store.observe_many(
            account,
            [
                store.Measurement(
                    ref=fact.ref,
                    version=fact.version,
                    value=ABSENT,
                    person=fact.person,
                    built_by=derivation.version,
                )
                for fact in account.facts.filter(settled_by__in=locked).select_related("person")
                if fact.version
            ],
            by=derivation.owner,
            measured_from=now,
            now=now,
        )
        keys = [check.pk for check in locked]
        below = rests_on(keys)
        Check.objects.filter(pk__in=keys).delete()
    count_demand(below, now=now)
