"""The store: the only place that writes facts.

The interface other modules build on; its body follows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from facts.errors import Conflict
from facts.models import Account, Check, Fact, Person
from facts.refs import Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What an observer found at one ref.

    ``version`` is the version of the fact the measurement started from: 0 for a fact that was
    never measured, None where the observer holds the fact's lock already and compares nothing.
    """

    ref: Ref
    version: int | None
    outcome: str = "confirmed"  # or refuted, measured, failed
    value: Any = None  # what was found, for confirmed
    failure: str = ""  # why it could not be read, for failed: a code, never a message
    person: Person | None = None  # for user: facts, and only for them
    figures: Any = None  # small numbers kept in the history, for trends
    built_from: str = ""  # the hash of a derived fact's inputs
    built_by: str = ""  # and its code's version


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of a bulk observation."""

    written: list[Fact]
    conflicts: list[Conflict]


def observe(
    account: Account,
    measurement: Measurement,
    *,
    by: str,
    measured_from: datetime,
    now: datetime,
    check: Check | None = None,
) -> Fact:
    """Write one measurement by its owner. Raises NotTheOwner, Conflict, BadMeasurement."""
    raise NotImplementedError


def observe_many(
    account: Account,
    measurements: Sequence[Measurement],
    *,
    by: str,
    measured_from: datetime,
    now: datetime,
    check: Check | None = None,
) -> Observed:
    """Write many measurements of one run in a fixed number of statements.

    Lines that lost a race are conflicts, the others are written.
    Raises NotTheOwner, BadMeasurement.
    """
    raise NotImplementedError


def request(
    account: Account, ref: Ref, *, by: str, now: datetime, person: Person | None = None
) -> Fact:
    """Wish that a fact be measured, saying by whom. Raises UnknownKind."""
    raise NotImplementedError


def request_many(
    account: Account, refs: Iterable[Ref], *, by: str, now: datetime, person: Person | None = None
) -> list[Fact]:
    """Wish that many facts be measured, in a fixed number of statements."""
    raise NotImplementedError


def versions(
    account: Account, refs: Iterable[Ref], *, person: Person | None = None
) -> dict[Ref, int]:
    """The current version of each ref, 0 for one never measured: where a measurement starts."""
    raise NotImplementedError
