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
from facts.measurements import Measurement, demand_person, demand_sense
from facts.models import Account, Check, Fact, Person
from facts.refs import Ref
from facts.rows import Line, day_of, fact_of, locked, places, races_lost, written
from facts.sql import ASK_AGAIN, RECORD_LINES, REQUEST_FACTS

__all__ = ["Measurement", "Observed", "ask_again", "observe", "observe_many", "record"]
__all__ += ["read", "request", "request_many", "versions"]


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
    asker = asker or by
    demand_sense(account, measurements, by=by, asker=asker, measured_from=measured_from, now=now)
    if not measurements:
        return Observed([], [])
    with transaction.atomic():
        standing = locked(account, measurements, asker=asker, day=day_of(now))
        conflicts, lines = [], []
        for ordinal, measurement in enumerate(measurements, start=1):
            stands = standing.get(ordinal, NEVER_MEASURED)
            if measurement.version in (None, stands.version):
                lines.append(_decided(ordinal, stands, measurement, measured_from, now))
            else:
                conflicts.append(Conflict(str(measurement.ref), stands.version))
        ids = written(account, lines, asker=asker, now=now, check=check)
        if lost := [line.measurement for line in lines if line.ordinal not in ids]:
            conflicts += races_lost(account, lost)
        facts = {
            line.ordinal: fact_of(account, line, fact_id=ids[line.ordinal], check=check)
            for line in lines
            if line.ordinal in ids
        }
        changed = [
            facts[line.ordinal] for line in lines if line.decision.changed and line.ordinal in facts
        ]
        if changed:
            signals.observed.send(sender=Fact, account=account, facts=changed, now=now)
    return Observed(list(facts.values()), conflicts)


def _decided(
    ordinal: int, stands: Standing, measurement: Measurement, measured_from: datetime, now: datetime
) -> Line:
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
    return Line(ordinal, stands, measurement, value, decision)


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
    if not wanted:
        return []
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


def ask_again(account: Account, fact_ids: Iterable[int], *, by: str, now: datetime) -> list[Fact]:
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


def record(
    account: Account,
    refs: Iterable[Ref] | Mapping[Ref, int],
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
