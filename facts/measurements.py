"""What an observer says it found, and the sense every measurement must make."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from facts import owners
from facts.deciding import REUSE
from facts.errors import BadMeasurement, KenError
from facts.models import Account, Person
from facts.refs import Ref

_OUTCOMES = ("confirmed", "refuted", "failed")
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What an observer found at one ref.

    ``version`` is the version of the fact the measurement started from: 0 for a fact that was
    never measured, None where the observer holds the fact's lock already and compares nothing.
    """

    ref: Ref
    version: int | None
    outcome: str = "confirmed"  # or refuted, failed
    value: Any = None  # what was found, for confirmed
    failure: str = ""  # why it could not be read, for failed: a code, never a message
    person: Person | None = None  # for user: facts, and only for them
    figures: Any = None  # small numbers kept in the history, for trends
    built_from: str = ""  # the hash of a derived fact's inputs
    built_by: str = ""  # and its code's version


def demand_sense(
    account: Account,
    measurements: Sequence[Measurement],
    *,
    by: str,
    asker: str,
    measured_from: datetime,
    now: datetime,
) -> None:
    """Raise for what no observation can be, before anything is locked or written.

    The refusal says which line it is about.
    """
    if measured_from > now:
        raise BadMeasurement("a measurement can't start in the future")
    seen: set[tuple[Ref, int | None]] = set()
    line = 0
    try:
        for line, measurement in enumerate(measurements):  # noqa: B007 - read when one fails
            _demand_sense_of_one(account, measurement, by=by, asker=asker, seen=seen)
    except KenError as fault:
        fault.line = line
        raise


def _demand_sense_of_one(
    account: Account,
    measurement: Measurement,
    *,
    by: str,
    asker: str,
    seen: set[tuple[Ref, int | None]],
) -> None:
    ref = measurement.ref
    owners.demand_owner(ref, by)
    demand_person(account, ref, measurement.person)
    place = (ref, None if measurement.person is None else measurement.person.pk)
    if place in seen:
        raise BadMeasurement(f"{ref} stands twice in one observation")
    seen.add(place)
    if measurement.outcome not in _OUTCOMES:
        raise BadMeasurement(f"{ref}: the outcomes of a measurement are {', '.join(_OUTCOMES)}")
    if measurement.outcome == "confirmed":
        if measurement.value is None:
            raise BadMeasurement(f"{ref}: a confirmed measurement says what it found")
        if asker == REUSE:
            raise BadMeasurement(f"{ref}: reuse confirms nothing; record it")
    if (measurement.outcome == "failed") != bool(measurement.failure):
        raise BadMeasurement(f"{ref}: a failed measurement, and no other, says why by a code")
    if measurement.failure and not _CODE.fullmatch(measurement.failure):
        raise BadMeasurement(f"{ref}: a failure is a code of up to 40 letters and digits")


def demand_person(account: Account, ref: Ref, person: Person | None) -> None:
    if person is not None and person.account_id != account.pk:
        raise BadMeasurement(f"{ref}: the person is of another account")
    if (ref.namespace == "user") != (person is not None):
        raise BadMeasurement(f"{ref}: user facts, and no others, are about a person")
