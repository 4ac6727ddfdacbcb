"""From a wish to the checks that can fulfil it: what the store's signals do here."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Greatest

from facts import owners
from facts.models import Account, Check, Fact, Source
from facts.probing.registering import catalogue_check
from facts.refs import Ref
from facts.scheduling.due import SHORTEST
from facts.scheduling.queueing import queue_work
from facts.scheduling.reckoning import reckon
from facts.scheduling.spending import note_answer

PROBE = "probe"  # the observer whose facts this lane's checks settle


def reckon_requested(account: Account, facts: list[Fact], now: datetime, **_: Any) -> None:
    """Weigh what somebody asked for anew, and look soon for what no check has settled yet."""
    probed = [fact for fact in facts if owners.owner_of(fact.ref) == PROBE]
    reckon({fact.settled_by_id for fact in probed if fact.settled_by_id is not None}, now=now)
    if unsettled := [fact for fact in probed if fact.settled_by_id is None]:
        ask(_looking_for(account, unsettled), now=now)


def reckon_used(account: Account, refs: list[Ref], now: datetime, **_: Any) -> None:
    """Weigh the checks anew whose facts were used."""
    probed = [ref for ref in refs if owners.owner_of(ref) == PROBE]
    if probed:
        settled = account.facts.at(*probed).filter(settled_by__isnull=False)
        reckon(set(settled.values_list("settled_by", flat=True)), now=now)


def reckon_demanded(checks: list[Check], now: datetime, **_: Any) -> None:
    """Weigh the checks anew that more or less is built on than before."""
    reckon({check.pk for check in checks if check.source_id is not None}, now=now)


def ask(checks: QuerySet[Check], *, now: datetime) -> int:
    """Make ``checks`` due because of a question: now, or an hour after they were last made."""
    soon = Greatest(F("last_checked") + SHORTEST, now)
    return _make_due(checks.filter(due_at__gt=soon), at=soon)


def learn_soon(source: Source, *, now: datetime) -> int:
    """Make all checks of a source due now, and have the workers take them. Returns how many.

    Somebody asks for it, so a source that did not answer is tried again at once; the budget holds.
    """
    catalogue_check(source)
    note_answer(source)
    count = _make_due(Check.objects.filter(source=source), at=now)
    queue_work(now=now)
    return count


def bring_forward(account: Account, *, now: datetime) -> None:
    """Make due at once what was asked for since it was last checked: somebody waits for it."""
    newer = Fact.objects.open().filter(
        Q(requested_at__gt=OuterRef("last_checked")), settled_by=OuterRef("pk")
    )
    _make_due(_of(account).filter(Exists(newer), failures=0, due_at__gt=now), at=now)
    kinds = [kind for _, kind in owners.kinds_of(PROBE)]
    unsettled = list(account.facts.open().filter(kind__in=kinds, settled_by=None))
    if unsettled:
        newest = max(fact.requested_at for fact in unsettled if fact.requested_at is not None)
        looking = _looking_for(account, unsettled)
        _make_due(looking.filter(last_checked__lt=newest, due_at__gt=now), at=now)


def _make_due(checks: QuerySet[Check], *, at: datetime | Combinable) -> int:
    """Lock ``checks`` in the order that everybody does, and make them due because of a question."""
    with transaction.atomic(savepoint=False):
        locked = checks.order_by("pk").select_for_update(of=("self",), no_key=True)
        keys = list(locked.values_list("pk", flat=True))
        if keys:
            because = Check.Reason.ASKED
            Check.objects.filter(pk__in=keys).update(due_at=at, due_because=because)
    return len(keys)


def _looking_for(account: Account, facts: Collection[Fact]) -> QuerySet[Check]:
    """The checks that could settle facts: of the tables they name, and of the catalogues."""
    labels = {fact.ref.parts[0] for fact in facts}
    named = Q(table__label__in=labels) | Q(kind=Check.Kind.CATALOGUE)
    return _of(account).filter(named, failures=0)


def _of(account: Account) -> QuerySet[Check]:
    return Check.objects.filter(account=account, source__isnull=False)
