"""Leases: who has which check now, and for how long.

A lease stands in a column of its own and carries a number, so that a worker that lost its lease
can tell. The clock that leases are compared with may jump: one that reaches further ahead than any
lease may is cut to size, and a check is never made twice at once for it, because the number moves
with every claim and every task ends before its lease does.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from importlib.resources import files

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F

from facts import pacing
from facts.ledgers import Ledger
from facts.models import Account, Check, Source
from facts.scheduling.due import TICK

PATIENCE = 24 * 60.0  # minutes; the longest wait before a check that fails is made again

# What is left of the budget now: an hour's at most. A clock that jumped back earns nothing.
_CREDIT = """least(
    source.seconds_per_hour,
    coalesce(ledger.credit, source.seconds_per_hour)
    + greatest(0, extract(epoch FROM %(now)s - ledger.credited_at)) * source.seconds_per_hour / 3600
)"""


def statement(name: str) -> str:
    return files(__package__).joinpath(f"sql/{name}.sql").read_text().format(credit=_CREDIT)


OPEN_SOURCES = statement("open_sources")
PICK = statement("pick")
_LEASE = statement("lease")


def lease_time() -> timedelta:
    """How long a claim holds a check: longer than a task may take."""
    return timedelta(seconds=settings.LEASE_SECONDS)


def claim(
    *,
    now: datetime,
    limit: int = 1,
    account: Account | None = None,
    freely: bool = False,
    without: Collection[int] = (),
) -> list[Check]:
    """Lease what is due, within the budget and concurrency of each source.

    The sources that waited longest come first. ``freely`` is for somebody who asked in person: it
    spends what is not there yet, and tries a source that is down. ``without`` leaves sources out.
    Four statements, none of which grows with what is due.
    """
    asked = {
        "now": now,
        "until": now + TICK / 2,
        "account": None if account is None else account.pk,
        "freely": freely,
        "without": list(without),
        "limit": limit,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(OPEN_SOURCES, asked)
        sources = [row[0] for row in cursor.fetchall()]
        if not sources:
            return []
        lock(sources)
        cursor.execute(PICK, {**asked, "sources": sources})
        picked = [row[0] for row in cursor.fetchall()]
        cursor.execute(_LEASE, {"checks": picked, "lease_until": now + lease_time(), "now": now})
        claims = dict(cursor.fetchall())
    checks = Check.objects.select_related("account", "source", "table").in_bulk(list(claims))
    return [checks[pk] for pk in picked if pk in checks]


def credit_at(source: Source, ledger: Ledger, *, now: datetime) -> float:
    """The seconds that are left of a source's budget, as claims reckon them."""
    full = source.seconds_per_hour
    known = full if ledger.credit is None else ledger.credit
    earned = max(now - ledger.credited_at, timedelta(0)) / timedelta(hours=1) * full
    return min(full, known + earned)


def lock(sources: Collection[int]) -> list[Ledger]:
    """Lock the ledgers of sources, in the order that everybody does."""
    ledgers = Ledger.objects.filter(source__in=sources).order_by("source")
    return list(ledgers.select_for_update(of=("self",), no_key=True))


def still_ours(check: Check) -> Check | None:
    """The claimed check's row, locked; None if the lease was lost, or the check is gone."""
    rows = Check.objects.filter(pk=check.pk, claims=check.claims, lease_until__isnull=False)
    return rows.select_for_update(no_key=True).first()


def give_back(checks: Collection[Check]) -> None:
    """Return claimed checks unmade: they stay due, and what they would have cost is not spent."""
    for check in checks:
        with transaction.atomic():
            lock([check.source_id] if check.source_id else [])
            row = still_ours(check)
            if row is not None:
                Check.objects.filter(pk=row.pk).update(lease_until=None)
                Ledger.objects.filter(source=row.source_id).update(credit=F("credit") + check.cost)


def return_expired(*, now: datetime) -> int:
    """Return the checks whose workers are gone, and cut leases that a clock left too long.

    One that keeps losing its workers, as a check does that takes more memory than there is, waits
    longer each time from the second on. Returns how many checks came back.
    """
    leased = Check.objects.filter(lease_until__isnull=False, source__isnull=False)
    leased.filter(lease_until__gt=now + lease_time()).update(lease_until=now + lease_time())
    with transaction.atomic():
        lost = list(
            leased.filter(lease_until__lte=now)
            .order_by("pk")
            .select_for_update(skip_locked=True, no_key=True)
        )
        for check in lost:
            if check.failures:
                wait = pacing.backoff(check.failures, most=PATIENCE)
                check.due_at, check.due_because = now + wait * TICK, Check.Reason.RETRY
            check.failures += 1
            check.lease_until = None
        Check.objects.bulk_update(lost, ["due_at", "due_because", "failures", "lease_until"])
    return len(lost)
