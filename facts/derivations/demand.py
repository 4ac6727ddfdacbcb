"""Demand: a target's passes to whatever it rests on, so that what much is built on is fresh first.

A check's demand is the sum over the targets that rest on any of its facts, each counted once, of
what their derivation wants and of their own demand in turn.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F

from facts import signals
from facts.derivations.sql import DEMAND, RESTS_ON
from facts.models import Check

_DEPTH = 10  # floors of derivations on derivations; more would be a circle


def rests_on(targets: Collection[int]) -> set[int]:
    """The keys of the checks whose facts any of ``targets`` reads."""
    with connection.cursor() as cursor:
        cursor.execute(RESTS_ON, {"targets": list(targets)})
        return {row[0] for row in cursor.fetchall()}


def count_demand(checks: Collection[int], *, now: datetime) -> None:
    """Count anew what is built on the facts of ``checks``, and so on down to the measurements.

    A fixed number of statements a floor; a floor nothing changed on is the last.
    """
    for _floor in range(_DEPTH):
        changed = _counted(checks, now=now) if checks else []
        targets = [check.pk for check in changed if check.kind == Check.Kind.DERIVATION]
        if not targets:
            return
        checks = rests_on(targets)


def _counted(checks: Collection[int], *, now: datetime) -> list[Check]:
    """Write the demand of ``checks`` where it is another, and tell the scheduler."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(DEMAND, {"checks": sorted(checks)})
            ids = [row[0] for row in cursor.fetchall()]
        Check.objects.filter(pk__in=ids, kind=Check.Kind.DERIVATION).update(
            weight=1 + F("wanted") + F("demand")
        )
        changed = list(Check.objects.filter(pk__in=ids).order_by("pk")) if ids else []
        if changed:
            signals.demanded.send(sender=Check, checks=changed, now=now)
        return changed
