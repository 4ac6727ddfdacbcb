"""What staff see of the budget: spending, what is next, what is abandoned, what fails.

Each a fixed number of queries, whatever there is.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, QuerySet, Sum
from django_q.models import OrmQ

from facts import heartbeat
from facts.ledgers import Ledger, Spending
from facts.models import Check, Fact, Heartbeat, Source
from facts.scheduling.claiming import credit_at

HOURS = 24
MOST_SOURCES = 20
MOST_CHECKS = 10
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class SourceSpending:
    """What a source's checks took in the last day, by the hour, the current one last."""

    source: Source
    ledger: Ledger
    left: float  # seconds; below 0 where it is overspent
    hours: list[tuple[datetime, float]]
    checks: int
    failures: int

    @property
    def this_hour(self) -> float:
        """Seconds."""
        return self.hours[-1][1]

    @property
    def total(self) -> float:
        """Seconds."""
        return sum(seconds for _, seconds in self.hours)


@dataclass(frozen=True, slots=True)
class Abandoned:
    """What the budget abandons: checks that only the longest wait brings about."""

    count: int
    by_source: list[tuple[Source, int, datetime | None]]  # how many, and when the next is due
    heaviest: list[Check]


@dataclass(frozen=True, slots=True)
class Heart:
    """How the workers are."""

    beaten_at: datetime | None
    is_alive: bool
    waiting: int  # tasks of the queue
    under_way: int  # checks
    overdue: int  # checks of sources that are due and wait
    targets_due: int


def heart(*, now: datetime) -> Heart:
    """Whether the workers beat, and what they have before them."""
    beat = Heartbeat.objects.filter(name=heartbeat.QUEUE).first()
    due = Check.objects.filter(due_at__lte=now, lease_until=None)
    return Heart(
        beaten_at=beat.beaten_at if beat else None,
        is_alive=heartbeat.is_alive(heartbeat.QUEUE, now=now),
        waiting=OrmQ.objects.count(),
        under_way=Check.objects.filter(lease_until__isnull=False).count(),
        overdue=due.filter(source__isnull=False).count(),
        targets_due=due.filter(kind=Check.Kind.DERIVATION).count(),
    )


def spending(*, now: datetime) -> tuple[list[SourceSpending], int]:
    """The sources that cost most in the last day, and how many more there are."""
    last = now.replace(minute=0, second=0, microsecond=0)
    hours = [last - n * HOUR for n in reversed(range(HOURS))]
    lines = Spending.objects.filter(hour__gte=hours[0])
    totals = list(
        lines.values("source")
        .annotate(total=Sum("seconds"), made=Sum("checks"), lost=Sum("failures"))
        .order_by("-total", "source")[:MOST_SOURCES]
    )
    keys = [line["source"] for line in totals]
    sources = Source.objects.select_related("account", "ledger").in_bulk(keys)
    by_hour = {
        (source, hour): seconds
        for source, hour, seconds in lines.filter(source__in=keys).values_list(
            "source", "hour", "seconds"
        )
    }
    told = []
    for line in totals:
        source = sources[line["source"]]
        if hasattr(source, "ledger"):
            told.append(
                SourceSpending(
                    source=source,
                    ledger=source.ledger,
                    left=credit_at(source, source.ledger, now=now),
                    hours=[(hour, by_hour.get((source.pk, hour), 0.0)) for hour in hours],
                    checks=line["made"],
                    failures=line["lost"],
                )
            )
    return told, Source.objects.count() - len(told)


def most_worth_checking() -> list[Check]:
    """The ten checks that are worth their cost first, of those nobody has yet."""
    waiting = _of_sources().filter(lease_until=None, due_at__isnull=False)
    worthy = waiting.exclude(due_because=Check.Reason.FLOOR)
    return list(worthy.order_by("due_at", "pk")[:MOST_CHECKS])


def abandoned() -> Abandoned:
    """What is not worth its cost at its source's budget, and waits for the longest wait to end."""
    left = _of_sources().filter(due_because=Check.Reason.FLOOR)
    lines = list(
        left.order_by()
        .values("source")
        .annotate(count=Count("pk"), next=Min("due_at"))
        .order_by("-count", "source")
    )
    shown = lines[:MOST_SOURCES]
    sources = Source.objects.select_related("account").in_bulk([line["source"] for line in shown])
    return Abandoned(
        count=sum(line["count"] for line in lines),
        by_source=[(sources[line["source"]], line["count"], line["next"]) for line in shown],
        heaviest=list(left.order_by("-weight", "due_at")[:MOST_CHECKS]),
    )


def failures() -> list[tuple[str, str, int]]:
    """What can't be read: of what kind, by which code, and how many."""
    facts = Fact.objects.exclude(failure="").values_list("failure").annotate(count=Count("pk"))
    sources = Source.objects.exclude(failure="").values_list("failure").annotate(count=Count("pk"))
    checks = _of_sources().filter(failures__gt=0).count()
    told = [("sources", code, count) for code, count in sources]
    told += [("checks", "in a row", checks)] if checks else []
    told += [("facts", code, count) for code, count in facts]
    return sorted(told, key=lambda line: (line[0] != "sources", line[0], -line[2], line[1]))


def _of_sources() -> QuerySet[Check]:
    return Check.objects.filter(source__isnull=False).select_related("source__account", "table")
