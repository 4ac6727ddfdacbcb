"""What staff see of one account: its level, and what that level follows from, each with its facts.

Everything shown is stored; nothing is computed. A fixed number of queries, whatever there is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Min, Sum
from django.utils import timezone

from facts import heartbeat, store
from facts.ledgers import Ledger, Spending
from facts.models import Account, Check, Fact, Integration, Source
from facts.refs import Ref
from facts.scheduling.claiming import credit_at
from readiness import overall
from specs.needs import read
from specs.wording import about

MOST_CHECKS = 8
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A type of record as the rollup weighed it, beside its fact, if it has one."""

    label: str
    ref: str
    count: int | None
    weight: float  # percent, as the two shares
    data: float
    use: float | None  # None: nobody has used anything yet
    trust: str
    failing: bool
    can_veto: bool
    fact: Fact | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A need of a feature, in words, and where it stands."""

    level: str
    about: str
    state: str
    fact: Fact | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature with its verdict, what it lacks, and the needs it was judged by."""

    title: str
    fact: Fact
    verdict: str
    usable: bool
    lacks: Sequence[str]
    needs: Sequence[Judged]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A source, what its last day cost, and what is left of its hour; seconds."""

    source: Source
    spent: float
    checks: int
    failed: int
    left: float
    retry_at: datetime | None
    answered_at: datetime | None  # when one of its checks last succeeded


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the account's types are measured, and who is at it."""

    types: int  # as the rollup lists them
    measured: int  # at least once
    again: int  # of these, asked for since
    open: int  # wishes for anything
    under_way: int
    due: int  # checks
    is_alive: bool  # the workers

    @property
    def is_at_work(self) -> bool:
        """Whether the page may change by itself in a moment."""
        return bool(self.open or self.under_way or self.due)


def rollup_of(account: Account) -> Fact | None:
    """The stored rollup; None where the account was never rolled up."""
    fact = store.read(account, overall.REF)
    return (
        fact if fact is not None and isinstance(fact.value, dict) and not fact.is_absent else None
    )


def parts_of(account: Account, rollup: Fact | None) -> list[Part]:
    """The types by weight, heaviest first, as the rollup stored them."""
    items: list[dict[str, Any]] = rollup.value["items"] if rollup is not None else []
    data, use = (sum(item[measure] for item in items) for measure in ("data", "use"))
    refs = {item["label"]: Ref.of("data", "label", item["label"]) for item in items}
    facts = _facts_at(account, refs.values())
    return [
        Part(
            label=item["label"],
            ref=str(refs[item["label"]]),
            count=item["count"],
            weight=100 * item["weight"],
            data=100 * item["data"] / data if data else 0,
            use=100 * item["use"] / use if use else None,
            trust=item["trust"],
            failing=item["failing"],
            can_veto=item["can_veto"],
            fact=facts.get(refs[item["label"]]),
        )
        for item in items
    ]


def features_of(account: Account) -> list[Feature]:
    """The features in force by title, the ones that don't work yet first."""
    found = account.facts.filter(namespace="account", kind="feature-fit")
    fits = [fact for fact in found if isinstance(fact.value, dict) and not fact.is_absent]
    wanted = {ref for fact in fits for need in fact.value["needs"] for ref in need["refs"]}
    facts = _facts_at(account, map(Ref.parse, wanted))
    features = [_feature(fact, facts) for fact in fits]
    return sorted(features, key=lambda each: (_WORST_FIRST.index(each.verdict), each.title))


def integrations_of(account: Account) -> list[dict[str, Any]]:
    """The integrations by name, with when each last succeeded."""
    last = dict(Integration.objects.filter(account=account).values_list("name", "last_succeeded"))
    facts = account.facts.filter(namespace="account", kind="integration").order_by("key")
    return [
        {"name": fact.ref.parts[0], "fact": fact, "last_succeeded": last.get(fact.ref.parts[0])}
        for fact in facts
        if isinstance(fact.value, dict) and not fact.is_absent
    ]


def budgets_of(account: Account, *, now: datetime) -> list[Budget]:
    """The account's sources by name, with what they were asked for in the last 24 hours."""
    spent = {
        line["source"]: line
        for line in Spending.objects.filter(account=account, hour__gt=now - DAY)
        .order_by()
        .values("source")
        .annotate(seconds=Sum("seconds"), made=Sum("checks"), lost=Sum("failures"))
    }
    nothing: dict[str, Any] = {"seconds": 0.0, "made": 0, "lost": 0}
    ledgers = {ledger.source_id: ledger for ledger in Ledger.objects.filter(account=account)}
    told = []
    for source in account.sources.annotate(answered_at=Max("checks__last_checked")).order_by(
        "name"
    ):
        source.account = account
        line, ledger = spent.get(source.pk, nothing), ledgers.get(source.pk)
        told.append(
            Budget(
                source=source,
                spent=line["seconds"],
                checks=line["made"],
                failed=line["lost"],
                left=credit_at(source, ledger, now=now) if ledger else source.seconds_per_hour,
                retry_at=ledger.retry_at if ledger and ledger.failures else None,
                answered_at=source.answered_at,
            )
        )
    return told


def next_checks(account: Account) -> list[Check]:
    """The checks of the account's sources that are due first."""
    checks = Check.objects.filter(account=account, source__isnull=False, due_at__isnull=False)
    return list(checks.select_related("source__account", "table").order_by("due_at")[:MOST_CHECKS])


def progress_of(account: Account, parts: Sequence[Part], *, now: datetime) -> Progress:
    """How far measuring is, of the types that the page lists."""
    measured = [part.fact for part in parts if part.fact is not None and part.fact.measured_at]
    checks = Check.objects.filter(account=account, source__isnull=False)
    return Progress(
        types=len(parts),
        measured=len(measured),
        again=sum(fact.is_open for fact in measured),
        open=account.facts.filter(person=None).open().count(),
        under_way=checks.filter(lease_until__gt=now).count(),
        due=checks.filter(due_at__lte=now, lease_until=None).count(),
        is_alive=heartbeat.is_alive(heartbeat.QUEUE, now=now),
    )


def check_again(account: Account, refs: Sequence[Ref], *, by: str, now: datetime) -> str:
    """File a request for each of ``refs``, and return what that did, for whoever asked."""
    asked = store.request_many(account, refs, by=by, now=now)
    checks = {fact.settled_by_id for fact in asked if fact.settled_by_id}
    waiting = Check.objects.filter(pk__in=checks, due_at__isnull=False)
    due = waiting.aggregate(first=Min("due_at"), last=Max("due_at"))
    what = str(refs[0]) if len(asked) == 1 else f"{len(asked)} facts"
    return f"Asked for {what} to be measured. {_when(due['first'], due['last'], now=now)}"


def _when(first: datetime | None, last: datetime | None, *, now: datetime) -> str:
    """When checks that are due from ``first`` to ``last`` are made."""
    if first is None or last is None:
        return "No check settles it yet, so the wish waits."
    if last <= now:
        return "The workers take it up now."
    if first <= now:
        return f"The workers take up the first check now, the last is due by {_clock(last)}."
    if first == last:
        return f"The check is due at {_clock(first)}."
    return f"The first check is due at {_clock(first)}, the last by {_clock(last)}."


def _clock(at: datetime) -> str:
    return f"{timezone.localtime(at):%H:%M %Z on %-d %B}"


_WORST_FIRST = ("not-ready", "unknown", "almost-ready", "ready")


def _feature(fit: Fact, facts: Mapping[Ref, Fact]) -> Feature:
    value = fit.value
    stored = [need["need"] | {"level": need["level"]} for need in value["needs"]]
    needs = [
        Judged(
            level=need["level"],
            about=about(said),
            state=need["state"],
            fact=next((facts.get(Ref.parse(ref)) for ref in need["refs"]), None),
        )
        for need, said in zip(value["needs"], read({"needs": stored}), strict=False)
    ]
    return Feature(
        title=value["title"],
        fact=fit,
        verdict=value["verdict"],
        usable=value["usable"],
        lacks=value["lacks"],
        needs=needs,
    )


def _facts_at(account: Account, refs: Iterable[Ref]) -> dict[Ref, Fact]:
    return {fact.ref: fact for fact in account.facts.filter(person=None).at(*refs).defer("value")}
