"""The lane of derivations: what is due is claimed by demand, then by the age of the first wish.

Rebuilding costs no source anything, so it has a lane of its own beside the probes and is held by
seconds alone.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from facts.derivations.declaring import registered
from facts.derivations.demand import count_demand
from facts.derivations.running import run_uncounted
from facts.derivations.targets import make_due, sync_targets
from facts.derivations.under_way import Outcome
from facts.models import Account, Check

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)  # far longer than a batch takes
BATCH = 100  # targets claimed at once
SLICE = 1.0  # seconds; what was built is written then, so that slow builds hold nothing back
_SWEPT_AT_ONCE = 1000


def claim(*, now: datetime, limit: int = BATCH, account: Account | None = None) -> list[Check]:
    """Lease the due targets most wanted, those asked for longest first among equals.

    No two processes get the same one: what another is claiming is skipped.
    """
    due = Check.objects.filter(kind=Check.Kind.DERIVATION, due_at__lte=now, lease_until=None)
    if account is not None:
        due = due.filter(account=account)
    with transaction.atomic():
        claimed = list(
            due.order_by(F("weight").desc(), "due_at").select_for_update(
                skip_locked=True, no_key=True
            )[:limit]
        )
        for check in claimed:
            check.lease_until, check.claims = now + LEASE, check.claims + 1
        Check.objects.filter(pk__in=[check.pk for check in claimed]).update(
            lease_until=now + LEASE, claims=F("claims") + 1
        )
    return claimed


def return_expired(*, now: datetime) -> int:
    """Take back the leases of targets whose worker is gone. Returns how many.

    One that reaches further than any lease may was given by a clock that has jumped back since.
    """
    leased = Check.objects.filter(kind=Check.Kind.DERIVATION, lease_until__isnull=False)
    over = Q(lease_until__lt=now) | Q(lease_until__gt=now + LEASE)
    with transaction.atomic():
        lost = leased.filter(over).select_for_update(skip_locked=True, no_key=True)
        keys = list(lost.values_list("pk", flat=True))
        return Check.objects.filter(pk__in=keys).update(lease_until=None)


def sweep(*, now: datetime, limit: int = 100_000, account: Account | None = None) -> int:
    """Make due what other code than today's looked at last, at most ``limit`` targets a call.

    Each thousand is a transaction of its own, so that nobody waits long for a target. Returns how
    many: as many as ``limit`` means that there may be more.
    """
    swept = 0
    while swept < limit:
        found = _sweep(now=now, limit=min(limit - swept, _SWEPT_AT_ONCE), account=account)
        swept += found
        if found < _SWEPT_AT_ONCE:
            break
    return swept


def _sweep(*, now: datetime, limit: int, account: Account | None) -> int:
    old = Q(pk__in=[])
    for derivation in registered():
        other = Q(built_by__lt=derivation.version) | Q(built_by__gt=derivation.version)
        old |= Q(other, derivation=derivation.name)
    waiting = Q(due_at=None) | Q(due_at__gt=now)
    found = Check.objects.filter(old, waiting, kind=Check.Kind.DERIVATION)
    if account is not None:
        found = found.filter(account=account)
    targets = list(found.values_list("pk", flat=True)[:limit])
    return make_due(Check.objects.filter(pk__in=targets), now=now) if targets else 0


def run_due(
    *,
    seconds: float | None = None,
    account: Account | None = None,
    batch: int = BATCH,
    clock: Callable[[], datetime] = timezone.now,
) -> Counter[Outcome]:
    """Work off what is due, in batches, for at most ``seconds`` or until nothing is.

    What it claimed and did not come to goes back. Returns the outcomes by how often they came.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    outcomes: Counter[Outcome] = Counter()
    return_expired(now=clock())
    while ends is None or time.monotonic() < ends:
        claimed = claim(now=clock(), limit=batch, account=account)
        if not claimed:
            break
        outcomes += _work_off(claimed, ends, clock)
    return outcomes


def settle(account: Account, *, clock: Callable[[], datetime] = timezone.now) -> Counter[Outcome]:
    """Bring the account's targets up to date and rebuild what is due until nothing is."""
    sync_targets(account, now=clock())
    while sweep(now=clock(), account=account):
        pass
    return run_due(account=account, clock=clock)


def _work_off(
    claimed: list[Check], ends: float | None, clock: Callable[[], datetime]
) -> Counter[Outcome]:
    """Settle what was claimed, one derivation after the other, the most wanted of each first."""
    outcomes: Counter[Outcome] = Counter()
    recount: set[int] = set()
    try:
        while claimed and (ends is None or time.monotonic() < ends):
            name = claimed[0].derivation
            some = [check for check in claimed if check.derivation == name]
            claimed = [check for check in claimed if check.derivation != name]
            soon = time.monotonic() + SLICE
            settled, below = run_uncounted(
                some, now=clock(), ends=soon if ends is None else min(soon, ends)
            )
            claimed = [check for check in some if check.pk not in settled] + claimed
            outcomes.update(settled.values())
            recount |= below
    finally:
        left = [check.pk for check in claimed]
        Check.objects.filter(pk__in=left).update(lease_until=None)
        count_demand(recount, now=clock())
    return outcomes
