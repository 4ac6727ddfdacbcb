"""Taking in queries as they were run: their shapes and the labels they touch stay, nothing else."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.db import transaction
from django.db.models import CharField, F, Func, Q, Sum, Value
from django.utils.crypto import salted_hmac

from facts import askers, store
from facts.giving_way import once_more
from facts.models import Account, Observation, Table
from facts.refs import Ref
from facts.store import Measurement
from facts.usage.queries import RunQuery
from facts.usage.shapes import NotAQuery, Shape, shape_of

OBSERVER = "usage"
MOST_SHAPES = 1_000  # an account
KEPT_FOR = timedelta(days=30)

_OF_A_LABEL = ("label", "properties", "fill", "hop", "vocabulary")  # kinds whose key starts with it


@dataclass(slots=True)
class Taken:
    """How many queries were taken in, and how many dropped because they did not parse."""

    accepted: int = 0
    dropped: int = 0


@dataclass(slots=True)
class _Seen:
    value: dict[str, object]
    labels: set[str]
    times: int = 0


def take(account: Account, queries: Iterable[RunQuery], *, now: datetime) -> Taken:
    """Take queries of one account in, failed ones too, in a fixed number of statements.

    Each counts as one use of its shape and of each label it touches, so that a type that can't be
    read keeps its weight. Names that are not the account's own are not kept. What does not parse
    is counted and dropped.
    """
    taken, seen = Taken(), dict[Ref, _Seen]()
    names = _Names(account)
    for run in queries:
        try:
            shape = shape_of(run.query, run.dialect)
            kept = shape_of(run.query, run.dialect, known=names.known)
        except NotAQuery:
            taken.dropped += 1
            continue
        taken.accepted += 1
        labels = names.labels(shape)
        digest = salted_hmac("ken.usage", f"{run.dialect}\n{shape.text}", algorithm="sha256")
        ref = Ref.of("data", "shape", digest.hexdigest()[:32])
        value: dict[str, object] = {
            "shape": kept.text,
            "dialect": run.dialect,
            "labels": sorted(labels),
        }
        seen.setdefault(ref, _Seen(value, labels)).times += 1
    if seen:
        _keep(account, seen, now)
    return taken


@once_more
def _keep(account: Account, seen: dict[Ref, _Seen], now: datetime) -> None:
    uses = Counter({ref: one.times for ref, one in seen.items()})
    for one in seen.values():
        for label in one.labels:
            uses[Ref.of("data", "label", label)] += one.times
    with transaction.atomic():
        store.observe_many(
            account,
            [Measurement(ref=ref, version=None, value=one.value) for ref, one in seen.items()],
            by=OBSERVER,
            measured_from=now,
            now=now,
        )
        store.record(account, uses, outcome="used", by=OBSERVER, now=now)
        _drop_least_used(account, now)


def _drop_least_used(account: Account, now: datetime) -> None:
    """Shapes not seen for 30 days go, and past a thousand the least used of that time."""
    shapes = account.facts.filter(namespace="data", kind="shape")
    since = (now - KEPT_FOR).date()
    used = (
        Observation.objects.filter(
            account=account, fact__in=shapes, outcome=Observation.Outcome.USED, day__gt=since
        )
        .values("fact")
        .annotate(times=Sum("count"))
        .order_by("-times", "-fact")
        .values_list("fact", flat=True)[:MOST_SHAPES]
    )
    shapes.exclude(pk__in=list(used)).delete()


class _Names:
    """The account's own names: of tables, their schemas and columns."""

    def __init__(self, account: Account) -> None:
        rows = Table.objects.filter(account=account, gone_at=None).values_list(
            "schema", "name", "label", "properties"
        )
        self._labels: dict[str, dict[str, str]] = {}  # table: {schema: label}
        self.known: dict[str, str] = {}
        for schema, name, label, properties in rows:
            self._labels.setdefault(name.casefold(), {})[schema.casefold()] = label
            for known in chain((schema, name), properties):
                self.known[known.casefold()] = known

    def labels(self, shape: Shape) -> set[str]:
        """The labels of the tables a query touches; without a schema any of the name's."""
        found = set()
        for schema, name in shape.tables:
            by_schema = self._labels.get(name, {})
            found |= {by_schema[schema]} if schema in by_schema else set()
            found |= set() if schema else set(by_schema.values())
        return found


def uses_by_label(account: Account, *, now: datetime) -> dict[str, int]:
    """How often each label was used in the 30 days that end with the day of ``now``. One query.

    Used is what queries touched and what people and programs asked for, of the label or of
    anything in it, whether it could be read or not. Ken's own requests and its reads are no use.
    """
    lines = Observation.objects.filter(
        account=account,
        fact__namespace="data",
        day__gt=(now - KEPT_FOR).date(),
        day__lte=now.date(),
    )
    queried = Q(outcome=Observation.Outcome.USED, fact__kind="label")
    asked = Q(outcome=Observation.Outcome.REQUESTED, fact__kind__in=_OF_A_LABEL)
    of_its_own = Q(by__in=askers.OWN) | Q(by__startswith=askers.SPEC)
    label = Func(
        *(F("fact__key"), Value("|"), Value(1)), function="split_part", output_field=CharField()
    )
    rows = lines.filter(queried | (asked & ~of_its_own)).annotate(label=label)
    return dict(rows.values_list("label").annotate(times=Sum("count")))
