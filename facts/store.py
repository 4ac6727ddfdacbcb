"""The store: the only place that writes facts.

A fact has one writer, its owner, who calls ``observe``. Everybody else calls ``request``, or
``record`` for what is said of a fact and moves nothing in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import connection, transaction

from facts import canonical, guard, owners, rows, signals
from facts.arrays import array
from facts.deciding import NEVER_MEASURED, REUSE, Standing, decide
from facts.errors import BadMeasurement, Conflict
from facts.giving_way import once_more
from facts.measurements import Measurement, demand_person, demand_sense
from facts.models import Account, Check, Fact, Person
from facts.refs import Ref
from facts.rows import Found, Line, day_of, fact_of, locked, places, race_lost, written
from facts.sql import ASK_AGAIN, RECORD_LINES, REQUEST_FACTS

__all__ = ["Measurement", "Observed", "Run", "ask_again", "observe", "observe_all", "observe_many"]
__all__ += ["read", "record", "request", "request_many", "versions"]


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of an observer measured, to be written along with others."""

    account: Account
    measurements: Sequence[Measurement]
    by: str
    asker: str = ""  # who the evidence is by, where that is not the observer
    check: Check | None = None  # that found it


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of a bulk observation: the facts as written, in the order of the lines."""

    written: list[Fact]
    conflicts: list[Conflict]


def observe(
    account: Account,
    measurement: Measurement,
    *,
    by: str,
    measured_from: datetime,
    now: datetime,
    asker: str = "",
    check: Check | None = None,
) -> Fact:
    """Write one measurement by its owner ``by``, and return the fact as it stands then.

    Raises UnknownKind, NotTheOwner, Conflict, BadMeasurement; nothing is written then.
    """
    observed = observe_many(
        account,
        [measurement],
        by=by,
        measured_from=measured_from,
        now=now,
        asker=asker,
        check=check,
    )
    for conflict in observed.conflicts:
        raise conflict
    return observed.written[0]


def observe_many(
    account: Account,
    measurements: Sequence[Measurement],
    *,
    by: str,
    measured_from: datetime,
    now: datetime,
    asker: str = "",
    check: Check | None = None,
) -> Observed:
    """Write the measurements of one run in two statements, however many they are.

    ``by`` is the observer, who must own every ref; ``asker`` says who the evidence is by where
    that is somebody else (an answer's outcome by a person, say). A line whose fact moved since
    its measurement started is a conflict; the others are written.

    Raises UnknownKind, NotTheOwner, BadMeasurement for the whole, and nothing is written then.
    """
    run = Run(account, measurements, by=by, asker=asker, check=check)
    return observe_all([run], measured_from=measured_from, now=now)[0]


@once_more
def observe_all(runs: Sequence[Run], *, measured_from: datetime, now: datetime) -> list[Observed]:
    """Write what several runs measured, of whichever accounts, in the statements that one takes.

    What became of each, in their order. A ref that two of them measured is the first one's, and a
    conflict to the others. Raises as ``observe_many``.
    """
    found: list[Found] = []
    for run in runs:
        asker = run.asker or run.by
        demand_sense(
            *(run.account, run.measurements),
            by=run.by,
            asker=asker,
            measured_from=measured_from,
            now=now,
        )
        found += [Found(run.account, each, asker, run.check) for each in run.measurements]
    if not found:
        return [Observed([], []) for _run in runs]
    with transaction.atomic():
        facts, conflicts = _written(found, measured_from=measured_from, now=now)
    observed, first = [], 1
    for run in runs:
        ordinals = range(first, first := first + len(run.measurements))
        observed.append(
            Observed(
                [facts[ordinal] for ordinal in ordinals if ordinal in facts],
                [conflicts[ordinal] for ordinal in ordinals if ordinal in conflicts],
            )
        )
    return observed


def _written(
    found: Sequence[Found], *, measured_from: datetime, now: datetime
) -> tuple[dict[int, Fact], dict[int, Conflict]]:
    """The facts as they were written and the conflicts, by the line's ordinal from 1."""
    standing = locked(found, day=day_of(now))
    lines, conflicts, taken = [], {}, set[tuple[int, int | None, Ref]]()
    for ordinal, each in enumerate(found, start=1):
        stands, ref = standing.get(ordinal, NEVER_MEASURED), each.measurement.ref
        place = each.account.pk, each.person_id, ref
        if place in taken:
            conflicts[ordinal] = Conflict(str(ref), stands.version + 1)
        elif each.measurement.version in (None, stands.version):
            taken.add(place)
            lines.append(_decided(ordinal, stands, each, measured_from, now))
        else:
            conflicts[ordinal] = Conflict(str(ref), stands.version)
    ids = written(lines, now=now)
    conflicts |= {line.ordinal: race_lost(line.found) for line in lines if line.ordinal not in ids}
    facts = {
        line.ordinal: fact_of(line, fact_id=ids[line.ordinal])
        for line in lines
        if line.ordinal in ids
    }
    _tell(
        [facts[line.ordinal] for line in lines if line.decision.changed and line.ordinal in ids],
        now,
    )
    return facts, conflicts


def _tell(changed: Iterable[Fact], now: datetime) -> None:
    """Send what changed, account by account, in the order of their keys."""
    by_account: dict[int, list[Fact]] = {}
    for fact in changed:
        by_account.setdefault(fact.account_id, []).append(fact)
    for _key, facts in sorted(by_account.items()):
        signals.observed.send(sender=Fact, account=facts[0].account, facts=facts, now=now)


def _decided(
    ordinal: int, stands: Standing, found: Found, measured_from: datetime, now: datetime
) -> Line:
    measurement = found.measurement
    value = guard.clean(measurement.value)
    decision = decide(
        stands,
        outcome=measurement.outcome,
        digest=canonical.digest(value) if measurement.outcome == "confirmed" else "",
        failure=measurement.failure,
        measured_from=measured_from,
        now=now,
        cut_offs=settings.TRUST_CUT_OFFS,
    )
    return Line(ordinal, stands, found, value, decision)


def request(
    account: Account, ref: Ref, *, by: str, now: datetime, person: Person | None = None
) -> Fact:
    """Wish that a fact be measured, saying by whom; its row is made if there is none.

    Raises UnknownKind.
    """
    return request_many(account, [ref], by=by, now=now, person=person)[0]


def request_many(
    account: Account, refs: Iterable[Ref], *, by: str, now: datetime, person: Person | None = None
) -> list[Fact]:
    """Wish that many facts be measured, in two statements. Raises UnknownKind."""
    wanted = sorted(set(refs))
    for ref in wanted:
        owners.owner_of(ref)
        demand_person(account, ref, person)
    return _requested(account, wanted, by=by, now=now, person=person) if wanted else []


@once_more
def _requested(
    account: Account, wanted: list[Ref], *, by: str, now: datetime, person: Person | None
) -> list[Fact]:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                REQUEST_FACTS,
                {
                    **places(wanted),
                    "account": account.pk,
                    "person": None if person is None else person.pk,
                    "asker": by,
                    "day": day_of(now),
                    "now": now,
                },
            )
            ids = [row[0] for row in cursor.fetchall()]
        facts = list(Fact.objects.filter(pk__in=ids).order_by("namespace", "kind", "key"))
        signals.requested.send(sender=Fact, account=account, facts=facts, by=by, now=now)
    return facts


@once_more
def ask_again(account: Account, fact_ids: Sequence[int], *, by: str, now: datetime) -> list[Fact]:
    """Wish that facts which stand be measured again, whomever they are about, in two statements.

    Those somebody asked for already and that are still open stay as they are. Returns the others.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                ASK_AGAIN,
                {
                    "account": account.pk,
                    "ids": list(fact_ids),
                    "asker": by,
                    "day": day_of(now),
                    "now": now,
                },
            )
            ids = [row[0] for row in cursor.fetchall()]
        facts = list(Fact.objects.filter(pk__in=ids).order_by("pk")) if ids else []
        if facts:
            signals.requested.send(sender=Fact, account=account, facts=facts, by=by, now=now)
    return facts


@once_more
def record(
    account: Account,
    refs: Sequence[Ref] | Mapping[Ref, int],
    *,
    outcome: str,
    by: str,
    now: datetime,
    person: Person | None = None,
) -> int:
    """Note what was said of facts without moving them, and return how many stand there.

    ``refs`` may map each ref to how many times it was said.

    ``used`` folds into one line a day and asker; ``measured`` is a reading on the way and no
    verdict; ``confirmed`` is taken from reuse only, and counts for nothing.
    """
    if outcome not in ("used", "measured") and (outcome, by) != ("confirmed", REUSE):
        raise BadMeasurement("only use, readings and confirmations by reuse are merely recorded")
    times = refs if isinstance(refs, Mapping) else dict.fromkeys(refs, 1)
    with connection.cursor() as cursor:
        cursor.execute(
            RECORD_LINES,
            {
                **places(list(times)),
                "times": array(times.values()),
                "account": account.pk,
                "person": None if person is None else person.pk,
                "asker": by,
                "outcome": outcome,
                "day": day_of(now),
                "now": now,
            },
        )
        recorded = int(cursor.rowcount)
    if outcome == "used" and recorded:
        signals.used.send(sender=Fact, account=account, refs=list(times), now=now)
    return recorded


def read(account: Account, ref: Ref, *, person: Person | None = None) -> Fact | None:
    """The fact that stands at ``ref``, or None. One SELECT; computes and requests nothing."""
    return rows.read(account, ref, person=person)


def versions(
    account: Account, refs: Iterable[Ref], *, person: Person | None = None
) -> dict[Ref, int]:
    """The current version of each ref, 0 for one never measured: where a measurement starts."""
    wanted = list(refs)
    found = account.facts.filter(person=person).at(*wanted)
    known = {
        Ref(namespace, kind, key): version
        for namespace, kind, key, version in found.values_list(
            "namespace", "kind", "key", "version"
        )
    }
    return {ref: known.get(ref, 0) for ref in wanted}
