"""How the store and its work are doing, in figures that name no account: for those who run it.

Counted from the database, so that every process tells the same. A count reads all of the facts and
checks, so it is made at most once in ``FRESH`` seconds, whoever and however many ask.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Case, CharField, Count, FilteredRelation, Min, Q, Sum, Value, When
from django_q.models import OrmQ

from facts import canonical, heartbeat
from facts.models import Check, Fact, Heartbeat, Source
from facts.models.facts import ABSENT

FRESH = 30  # seconds
_KEY = "figures"

Counts = Counter[tuple[str, ...]]


@dataclass(slots=True, kw_only=True)
class Figures:
    """What was counted at ``at``; the names of the fields say what, their comments by what."""

    at: datetime
    facts: Counts = field(default_factory=Counter)  # namespace, state
    open_requests: Counts = field(default_factory=Counter)  # namespace
    failures: Counts = field(default_factory=Counter)  # facts or sources, code
    checks: Counts = field(default_factory=Counter)  # kind, state
    checks_failing: Counts = field(default_factory=Counter)  # kind
    overdue: float = 0  # seconds that the check which waits longest is late
    sources: Counts = field(default_factory=Counter)  # state
    budget: dict[str, float] = field(default_factory=dict)  # state: seconds an hour
    spent: dict[str, float] = field(default_factory=dict)  # state: seconds of this hour
    probes: Counts = field(default_factory=Counter)  # made or failed, in this hour
    queued: int = 0  # tasks
    beaten: float | None = None  # seconds since the workers' heart beat; None: never


def figures(*, now: datetime) -> Figures:
    """The figures, at most ``FRESH`` seconds old: one query, or six more where they are counted."""
    found: Figures | None = cache.get(_KEY)
    if found is None or not now - timedelta(seconds=FRESH) < found.at <= now:
        found = count(now=now)
        cache.set(_KEY, found, FRESH)
    return found


def count(*, now: datetime) -> Figures:
    """The figures as they are. Six queries, two of which read all facts."""
    found = Figures(at=now)
    _count_facts(found)
    _count_checks(found, now)
    _count_sources(found, now)
    found.queued = OrmQ.objects.count()
    beat = Heartbeat.objects.filter(name=heartbeat.QUEUE).first()
    found.beaten = None if beat is None else (now - beat.beaten_at).total_seconds()
    return found


def _count_facts(found: Figures) -> None:
    """Count facts by state, the first that is so of those in the statement."""
    state = _case(
        (~Q(failure=""), "unreadable"),
        (Q(refuted=True), "refuted"),
        (Q(measured_at=None), "unmeasured"),
        (Q(digest=canonical.digest(ABSENT)), "absent"),
        default="measured",
    )
    counted = (
        Fact.objects.order_by()
        .annotate(state=state)
        .values_list("namespace", "state", "failure")
        .annotate(Count("pk"))
    )
    for namespace, told, failure, number in counted:
        found.facts[namespace, told] += number
        if failure:
            found.failures["facts", failure] += number
    waiting = Fact.objects.open().order_by().values_list("namespace").annotate(Count("pk"))
    found.open_requests.update({(namespace,): number for namespace, number in waiting})


def _count_checks(found: Figures, now: datetime) -> None:
    """Count checks by state. A lease that is over is work that nobody finished."""
    state = _case(
        (Q(lease_until__gt=now), "leased"),
        (Q(lease_until__lte=now), "lost"),
        (Q(due_at__lte=now), "due"),
        (Q(due_at=None), "idle"),
        default="waiting",
    )
    counted = (
        Check.objects.order_by()
        .annotate(state=state)
        .values_list("kind", "state")
        .annotate(
            number=Count("pk"),
            failing=Count("pk", filter=Q(failures__gt=0)),
            first=Min("due_at"),
        )
    )
    for kind, told, number, failing, due_at in counted:
        found.checks[kind, told] += number
        found.checks_failing[(kind,)] += failing
        if told == "due":
            found.overdue = max(found.overdue, (now - due_at).total_seconds())


def _count_sources(found: Figures, now: datetime) -> None:
    """Count sources, their budgets and what this hour took of them, by whether they answer."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    counted = (
        Source.objects.annotate(
            of_hour=FilteredRelation("spendings", condition=Q(spendings__hour=hour))
        )
        .order_by()
        .values_list("failure")
        .annotate(
            Count("pk"),
            Sum("seconds_per_hour"),
            Sum("of_hour__seconds"),
            Sum("of_hour__checks"),
            Sum("of_hour__failures"),
        )
    )
    for failure, number, budget, spent, made, failed in counted:
        state = "silent" if failure else "answering"
        found.sources[(state,)] += number
        found.budget[state] = found.budget.get(state, 0) + budget
        found.spent[state] = found.spent.get(state, 0) + (spent or 0)
        found.probes["made",] += (made or 0) - (failed or 0)
        found.probes["failed",] += failed or 0
        if failure:
            found.failures["sources", failure] += number


def _case(*states: tuple[Q, str], default: str) -> Case:
    return Case(
        *(When(condition, then=Value(state)) for condition, state in states),
        default=Value(default),
        output_field=CharField(),
    )
