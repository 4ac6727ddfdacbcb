"""The rows of facts: locked in one order, written from what was decided, in two statements."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models.base import ModelState

from facts import guard
from facts.arrays import array
from facts.deciding import Decision, Standing
from facts.errors import Conflict
from facts.measurements import Measurement
from facts.models import Account, Check, Fact, Person
from facts.refs import Ref
from facts.sql import LOCK_FACTS, WRITE_FACTS
from facts.trust import Evidence


class Found(NamedTuple):
    """One measurement and whose it is; a tuple because a run makes thousands."""

    account: Account
    measurement: Measurement
    asker: str
    check: Check | None

    @property
    def person_id(self) -> int | None:
        """Whom the fact is about, if anybody."""
        person = self.measurement.person
        return None if person is None else person.pk


@dataclass(slots=True)
class Line:
    """What was found on its way into a row; ``ordinal`` counts the lines written at once from 1."""

    ordinal: int
    standing: Standing
    found: Found
    value: Any  # the measurement's, after the guard
    decision: Decision


def locked(lines: Sequence[Found], *, day: date) -> dict[int, Standing]:
    """What stands at each line's ref, by the line's ordinal from 1, with the rows locked."""
    standing: dict[int, Standing] = {}
    halves = {"fact.person_id IS NULL": False, "fact.person_id = wanted.person_id": True}
    with connection.cursor() as cursor:
        for whose, personal in halves.items():
            half = [
                (ordinal, line)
                for ordinal, line in enumerate(lines, start=1)
                if (line.measurement.person is not None) == personal
            ]
            if not half:
                continue
            cursor.execute(
                LOCK_FACTS.format(whose=whose),
                {
                    **places([line.measurement.ref for _, line in half]),
                    "people": array([line.person_id for _, line in half]),
                    "accounts": array([line.account.pk for _, line in half]),
                    "askers": array([line.asker for _, line in half]),
                    "day": day,
                },
            )
            for row in cursor.fetchall():
                standing[half[row[1] - 1][0]] = _standing(row)
    return standing


def read(account: Account, ref: Ref, *, person: Person | None) -> Fact | None:
    """The fact that stands at ``ref``, or None: one SELECT, and no time spent on wording it."""
    whose = "IS NULL" if person is None else f"= {person.pk:d}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"{_READ} {whose}",  # the value of a key, or of none
            [account.pk, ref.namespace, ref.kind, ref.key],
        )
        values = cursor.fetchone()
    if values is None:
        return None
    row = dict(zip(_NAMES, values, strict=True))
    row["value"] = _VALUE.from_db_value(row["value"], None, connection)  # guarded, as ever
    return _fact(row, account, person)


def race_lost(line: Found) -> Conflict:
    """The conflict of a line whose fact somebody else made since it was looked for."""
    ref = line.measurement.ref
    fact = line.account.facts.filter(person=line.person_id).at(ref).get()
    return Conflict(str(ref), fact.version)


def _standing(row: tuple[Any, ...]) -> Standing:
    return Standing(
        id=row[0],
        version=row[2],
        digest=row[3],
        measured_from=_moment(row[4]),
        measured_at=_moment(row[5]),
        failure=row[6],
        evidence=Evidence(row[7], row[8], *map(_moment, row[9:12])),
        verified_at=_moment(row[12]),
        requested_at=_moment(row[13]),
        settled_by_id=row[14],
        trust_lapses_at=_moment(row[15]),
        verified_by_id=row[16],
        counted_today=row[17],
    )


def _moment(seconds: float | None) -> datetime | None:
    """A moment from its epoch, which a float holds to the microsecond.

    Read so because the framework's own reading of a moment takes some fifty times as long.
    """
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def written(lines: list[Line], *, now: datetime) -> dict[int, int]:
    """Write the decided lines; the fact's id of each that was written, by its ordinal."""
    if not lines:
        return {}
    columns = zip(*(_columns(line) for line in lines), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(
            WRITE_FACTS,
            {
                **{name: array(column) for name, column in zip(_COLUMNS, columns, strict=True)},
                "day": day_of(now),
                "now": now,
            },
        )
        return {ordinal: fact_id for fact_id, ordinal in cursor.fetchall()}


_COLUMNS = (
    *(
        "ordinals",
        "accounts",
        "askers",
        "checks",
        "ids",
        "namespaces",
        "kinds",
        "keys",
        "people",
        "values",
        "keeps",
        "digests",
    ),
    *("versions", "measured_from", "measured_at", "failures", "refuted", "supports", "refutes"),
    *("evidence_at", "confirmed_at", "refuted_at", "lapses", "built_from", "built_by"),
    *("outcomes", "counted", "line_digests", "figures"),
)


def _columns(line: Line) -> tuple[Any, ...]:
    found, measurement, decision = line.found, line.found.measurement, line.decision
    ref, evidence = measurement.ref, decision.evidence
    return (
        *(line.ordinal, found.account.pk, found.asker, found.check and found.check.pk),
        *(line.standing.id, ref.namespace, ref.kind, ref.key, found.person_id),
        *(None if decision.keeps else _json(line.value), decision.keeps, decision.digest),
        *(decision.version, decision.measured_from, decision.measured_at, decision.failure),
        *(evidence.refuted, evidence.support, evidence.refute, evidence.at),
        *(evidence.confirmed_at, evidence.refuted_at, decision.trust_lapses_at),
        *(measurement.built_from, measurement.built_by, measurement.outcome, decision.counted),
        "" if decision.keeps else decision.digest,
        None if measurement.figures is None else _json(guard.clean(measurement.figures)),
    )


def fact_of(line: Line, *, fact_id: int) -> Fact:
    """The fact as it was just written; its value is None where the old one was kept."""
    account, measurement, _asker, check = line.found
    standing, decision, evidence = line.standing, line.decision, line.decision.evidence
    row: dict[str, Any] = {
        "id": fact_id,
        "account_id": account.pk,
        "person_id": line.found.person_id,
        "namespace": measurement.ref.namespace,
        "kind": measurement.ref.kind,
        "key": measurement.ref.key,
        "value": None if decision.keeps else line.value,
        "digest": decision.digest,
        "version": decision.version,
        "measured_from": decision.measured_from,
        "measured_at": decision.measured_at,
        "requested_at": standing.requested_at,
        "failure": decision.failure,
        "refuted": evidence.refuted,
        "support": evidence.support,
        "refute": evidence.refute,
        "evidence_at": evidence.at,
        "confirmed_at": evidence.confirmed_at,
        "refuted_at": evidence.refuted_at,
        "verified_by_id": standing.verified_by_id,
        "verified_at": standing.verified_at,
        "trust_lapses_at": decision.trust_lapses_at,
        "built_from": measurement.built_from,
        "built_by": measurement.built_by,
        "settled_by_id": standing.settled_by_id if check is None else check.pk,
    }
    return _fact(row, account, measurement.person)


def _fact(row: dict[str, Any], account: Account, person: Person | None) -> Fact:
    """A fact made of its row as unpickling makes one, in a tenth of the constructor's time."""
    fact = Fact.__new__(Fact)
    fact._state = ModelState()
    fact._state.adding, fact._state.db = False, connection.alias
    fact.__dict__.update(row)
    _ACCOUNT.set_cached_value(fact, account)
    _PERSON.set_cached_value(fact, person)
    return fact


_ACCOUNT, _PERSON = Fact._meta.get_field("account"), Fact._meta.get_field("person")
_VALUE = Fact._meta.get_field("value")
_NAMES = [field.attname for field in Fact._meta.concrete_fields]
_READ = (
    f"SELECT {', '.join(_NAMES)} FROM facts_fact"  # noqa: S608 - our own columns
    " WHERE account_id = %s AND namespace = %s AND kind = %s AND key = %s AND person_id"
)


def places(refs: Sequence[Ref]) -> dict[str, str]:
    """Refs as the parallel arrays that the statements take."""
    return {
        "namespaces": array([ref.namespace for ref in refs]),
        "kinds": array([ref.kind for ref in refs]),
        "keys": array([ref.key for ref in refs]),
    }


def day_of(now: datetime) -> date:
    """The day of an observation: days are UTC."""
    return now.astimezone(UTC).date()


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
