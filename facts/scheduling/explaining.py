"""Why checks of sources are due when they are. Asked for by somebody, and it stores nothing."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q

from facts.ledgers import Ledger
from facts.models import Check, Observation
from facts.scheduling.due import DAY
from facts.scheduling.reckoning import Reckoned, reckoned
from facts.worth import value, worth_after

MOST = 12  # requests told of a check

Explanation = dict[str, Any]


def explain(checks: Collection[int], *, now: datetime) -> list[Explanation]:
    """Plain data on each check of a source: its weight and parts, rate, threshold, cost, requests.

    ``due_at`` and ``because`` stand in the row; the rest is reckoned as it would be now. ``worth``
    says what a check bought now, as a share of its price, and when it buys all of it. Four queries.
    """
    rows = Check.objects.select_related("source", "table").in_bulk(list(checks))
    ledgers = {ledger.source_id: ledger for ledger in _ledgers(rows.values())}
    requests = _requests(checks)
    return [
        _explained(rows[each.check], each, ledgers, requests.get(each.check, []), now)
        for each in reckoned(checks, now=now)
    ]


def _explained(
    row: Check,
    reckoning: Reckoned,
    ledgers: dict[int, Ledger],
    requests: list[Explanation],
    now: datetime,
) -> Explanation:
    source = row.source
    assert source is not None
    ledger = ledgers.get(source.pk)
    return {
        "check": str(row),
        "source": source.name,
        "due_at": row.due_at,
        "because": row.due_because,
        "leased_until": row.lease_until,
        "last_checked": row.last_checked,
        "failures": row.failures,
        "weight": {
            "total": reckoning.weight,
            "askers": reckoning.askers,
            "use": reckoning.use,
            "demand": reckoning.demand,
        },
        "change_rate": {"a": row.a, "b": row.b, "per_day": row.a / row.b},
        "cost": row.cost,
        "threshold": ledger.threshold if ledger else 0.0,
        "longest_wait": ledger.longest_wait if ledger else None,
        "budget": source.seconds_per_hour,
        "source_failures": ledger.failures if ledger else 0,
        "source_retry_at": ledger.retry_at if ledger else None,
        "worth": _worth(reckoning, now),
        "requests": requests,
    }


def _worth(reckoning: Reckoned, now: datetime) -> Explanation | None:
    """What a check is worth now beside its price, and when it is worth all of it."""
    stakes = reckoning.stakes
    if stakes is None:
        return None
    price = stakes.threshold * stakes.cost
    age = max(now - stakes.last_checked, timedelta(0)) / DAY
    days = worth_after(stakes.terms, stakes.threshold)
    return {
        "price": price,
        "bought_now": value(age, stakes.terms),
        "after_days": days if days < float("inf") else None,
    }


def _ledgers(checks: Collection[Check]) -> list[Ledger]:
    return list(Ledger.objects.filter(source__in={check.source_id for check in checks}))


def _requests(checks: Collection[int]) -> dict[int, list[Explanation]]:
    """The open requests of each check's facts, the newest first."""
    lines = Observation.objects.filter(
        Q(fact__measured_from=None) | Q(last_at__gte=F("fact__measured_from")),
        fact__settled_by__in=checks,
        outcome=Observation.Outcome.REQUESTED,
    ).select_related("fact")
    told: dict[int, list[Explanation]] = {}
    for line in lines.order_by("-last_at", "pk"):
        assert line.fact.settled_by_id is not None
        of_check = told.setdefault(line.fact.settled_by_id, [])
        if len(of_check) < MOST:
            of_check.append({"ref": str(line.fact.ref), "by": line.by, "at": line.last_at})
    return told
