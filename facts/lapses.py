"""Trust that changes by the passing of time: noticed by the tick, and turned into requests."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from facts import signals, store, trust
from facts.askers import LAPSE
from facts.giving_way import once_more
from facts.models import Account, Fact


def ask_for_lapsed(*, now: datetime, limit: int = 1000, account: Account | None = None) -> int:
    """Ask for the facts whose trust state changed by itself, and tell what rests on them.

    At most ``limit`` facts a call, of one account or of all, those whose state changed first; what
    another process is at is left to it. Returns how many lapsed: as many as ``limit`` means that
    there may be more.
    """
    first = Fact.objects.filter(trust_lapses_at__lte=now).order_by("trust_lapses_at")
    if account is not None:
        first = first.filter(account=account)
    by_account: dict[int, list[int]] = {}
    for owner, fact in first.values_list("account", "pk")[:limit]:
        by_account.setdefault(owner, []).append(fact)
    return sum(
        _lapse(owner, by_account[owner.pk], now=now)
        for owner in Account.objects.filter(pk__in=by_account)
    )


@once_more
def _lapse(account: Account, facts: list[int], *, now: datetime) -> int:
    with transaction.atomic():
        lapsed = list(
            account.facts.filter(pk__in=facts, trust_lapses_at__lte=now)
            .order_by("pk")
            .select_for_update(of=("self",), skip_locked=True, no_key=True)
        )
        for fact in lapsed:
            fact.trust_lapses_at = trust.lapses_at(
                fact.evidence,
                now=now,
                verified=fact.verified_at is not None,
                cut_offs=settings.TRUST_CUT_OFFS,
            )
        Fact.objects.bulk_update(lapsed, ["trust_lapses_at"])
        if lapsed:
            signals.observed.send(sender=Fact, account=account, facts=lapsed, now=now)
            wanted = [fact.pk for fact in lapsed if not fact.is_absent]
            store.ask_again(account, wanted, by=LAPSE, now=now)
        return len(lapsed)
