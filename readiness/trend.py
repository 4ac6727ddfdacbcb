"""How an account's level went, read from the history that its rollups left; nothing is computed."""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from django.db.models import DateField, OuterRef, Subquery, Value
from django.db.models.functions import Cast

from facts.models import Account, Fact, Observation
from readiness import overall
from readiness.rollup import Level


class DayLevel(NamedTuple):
    """The level a day (UTC) ended with, and the number shown: None where it was not-ready."""

    day: date
    level: Level
    number: int | None


def levels_of(accounts: Collection[Account], since: date) -> dict[Account, list[DayLevel]]:
    """Each account's levels from the day ``since`` (UTC) on, oldest first; one query for all.

    A day that no rollup was measured on is left out: the level before it held. What held when
    ``since`` began stands at ``since``, unless that day has one of its own. An account that was
    never rolled up has none. For a trend of thirty days: ``since = today - timedelta(days=29)``.
    """
    began = datetime.combine(since, time(), UTC)
    facts = Fact.objects.at(overall.REF).filter(account__in=accounts)
    rollups = Observation.objects.filter(figures__isnull=False)
    ends_of_days = (
        rollups.filter(fact__in=facts, last_at__gte=began)
        .order_by("fact", "day", "-last_at", "-pk")
        .distinct("fact", "day")
        .values_list("account", "day", "figures")
    )
    before = rollups.filter(fact=OuterRef("pk"), last_at__lt=began).order_by("-last_at", "-pk")
    held = facts.annotate(
        day=Cast(Value(since - timedelta(days=1)), DateField()),
        figures=Subquery(before.values("figures")[:1]),
    ).values_list("account", "day", "figures")
    found: dict[int, dict[date, DayLevel]] = {account.pk: {} for account in accounts}
    for account, day, figures in ends_of_days.union(held, all=True).order_by("day"):
        if figures is not None:
            told = max(day, since)
            found[account][told] = DayLevel(told, Level(figures["level"]), figures["shown"])
    return {account: list(found[account.pk].values()) for account in accounts}
