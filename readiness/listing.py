"""The accounts as staff list them: by what is stored of each one's readiness. Nothing is computed.

A page is a fixed number of queries, however many accounts there are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import (
    Case,
    Count,
    F,
    FilteredRelation,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from facts.models import Account, Check, Fact, Source
from readiness import overall
from readiness.rollup import Level

CHUNK = 500  # accounts that an export reads at once


class Order(StrEnum):
    """What the list can be sorted by; ``-`` before one turns it round."""

    ACCOUNT = "account"
    LEVEL = "level"
    PROBED = "probed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An account with its stored rollup. ``level`` of one never rolled up is not-ready."""

    account: Account
    level: Level
    shown: int | None
    gap: str | None
    vetoes: Sequence[str]
    rolled_up_at: datetime | None
    probed_at: datetime | None
    is_silent: bool = False  # a source of it does not answer, which changes no level


def accounts(
    *, search: str = "", level: Level | None = None, order: str = Order.LEVEL
) -> QuerySet[Account]:
    """The accounts whose id holds ``search`` and that are at ``level``, in an order."""
    found: QuerySet[Account] = Account.objects.all()
    if search:
        found = found.filter(external_id__icontains=search)
    if level is not None:
        found = _leveled(found).filter(Q(level=str(level)))
    descending = order.startswith("-")
    match order.removeprefix("-"):
        case Order.LEVEL:
            found = _leveled(found).alias(place=_PLACE, number=_NUMBER)
            keys = [F("place"), F("number")]
        case Order.PROBED:
            found = found.alias(probed=_PROBED)
            keys = [F("probed")]
        case _:
            keys = []
    keys = [*keys, F("external_id")] if not keys or not descending else keys
    ordered = [
        key.desc(nulls_last=True) if descending else key.asc(nulls_first=True) for key in keys
    ]
    return found.order_by(*ordered, "external_id")


def counts(*, search: str = "") -> dict[Level, int]:
    """How many accounts are at each level, of those whose id holds ``search``."""
    found = _leveled(accounts(search=search, order=Order.ACCOUNT)).order_by()
    told = {
        line["level"]: line["count"] for line in found.values("level").annotate(count=Count("pk"))
    }
    return {level: told.get(str(level), 0) for level in Level}


def rows(page: Sequence[Account]) -> list[Row]:
    """What the list says of these accounts, in three queries."""
    rollups = {
        fact.account_id: fact for fact in Fact.objects.at(overall.REF).filter(account__in=page)
    }
    probed = dict(
        Check.objects.filter(account__in=page, source__isnull=False)
        .order_by()
        .values_list("account")
        .annotate(last=Max("last_checked"))
    )
    silent = set(
        Source.objects.filter(account__in=page)
        .exclude(failure="")
        .values_list("account_id", flat=True)
    )
    return [
        _row(account, rollups.get(account.pk), probed.get(account.pk), account.pk in silent)
        for account in page
    ]


def all_rows(found: QuerySet[Account]) -> Iterator[Row]:
    """What the list says of every account found, read in chunks."""
    chunk: list[Account] = []
    for account in found.iterator(chunk_size=CHUNK):
        chunk.append(account)
        if len(chunk) == CHUNK:
            yield from rows(chunk)
            chunk = []
    yield from rows(chunk)


def _row(account: Account, rollup: Fact | None, probed_at: datetime | None, is_silent: bool) -> Row:
    known: dict[str, Any] = {}
    if rollup is not None and isinstance(rollup.value, dict) and not rollup.is_absent:
        known = rollup.value
    return Row(
        account=account,
        level=Level(known.get("level", Level.NOT_READY)),
        shown=known.get("shown"),
        gap=known.get("gap"),
        vetoes=known.get("vetoes", ()),
        rolled_up_at=rollup.measured_at if rollup is not None and known else None,
        probed_at=probed_at,
        is_silent=is_silent,
    )


def _leveled(found: QuerySet[Account]) -> QuerySet[Any]:
    """Accounts beside their stored level, by one join to the one row that holds it."""
    ref = overall.REF
    here = Q(facts__namespace=ref.namespace, facts__kind=ref.kind, facts__key=ref.key)
    rollup = FilteredRelation("facts", condition=here & Q(facts__person=None))
    stored = KeyTextTransform("level", "rollup__value")
    return found.alias(rollup=rollup).annotate(
        level=Coalesce(stored, Value(str(Level.NOT_READY)), output_field=TextField())
    )


_PLACE = Case(
    *(When(level=str(level), then=place) for place, level in enumerate(Level)),
    output_field=IntegerField(),
)
_NUMBER = Cast(KeyTextTransform("shown", "rollup__value"), IntegerField())
_PROBED = Subquery(
    Check.objects.filter(account=OuterRef("pk"), source__isnull=False)
    .order_by()
    .values("account")
    .annotate(last=Max("last_checked"))
    .values("last")
)
