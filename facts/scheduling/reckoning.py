"""The weight and due time of checks, reckoned whenever something they follow from is written.

Never by a reader: what is due is then one index scan, whatever there is.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any

from django.db import connection, transaction

from facts import worth
from facts.askers import LAPSE, OWN_PATTERNS
from facts.models import Check
from facts.scheduling.due import Stakes, due

USE_DAYS = 30  # that use is counted over
BATCH = 5_000  # checks reckoned in one transaction

_STAKES = files(__package__).joinpath("sql/stakes.sql").read_text()
_WRITE_DUE = files(__package__).joinpath("sql/write_due.sql").read_text()


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What was reckoned of one check: the parts of its weight, and when it is due and why."""

    check: int
    askers: int
    use: float
    demand: float
    weight: float
    due_at: datetime | None
    because: str
    stakes: Stakes | None  # None for one that was never made, or failed: it is due without


def reckon(checks: Collection[int], *, now: datetime) -> None:
    """Reckon and write the due times of ``checks``; targets among them are not this lane's.

    Three statements, within the transaction of whatever was written. Checks are locked in the
    order of their keys.
    """
    if not checks:
        return
    with transaction.atomic(savepoint=False):
        locked = Check.objects.filter(pk__in=checks, source__isnull=False).order_by("pk")
        keys = list(locked.select_for_update(no_key=True).values_list("pk", flat=True))
        if keys:
            _write(reckoned(keys, now=now), now)


def reckon_all(sources: Collection[int], *, now: datetime) -> None:
    """Reckon every check of ``sources``, in batches: their thresholds moved."""
    if not sources:
        return
    keys = Check.objects.filter(source__in=sources).order_by("pk").values_list("pk", flat=True)
    for batch in _batches(list(keys)):
        reckon(batch, now=now)


def reckoned(checks: Collection[int], *, now: datetime) -> list[Reckoned]:
    """What ``checks`` would be reckoned as now, without writing it. One query."""
    with connection.cursor() as cursor:
        cursor.execute(
            _STAKES,
            {
                "checks": list(checks),
                "own": list(OWN_PATTERNS),
                "lapse": LAPSE,
                "since": now - timedelta(days=USE_DAYS),
                "now": now,
            },
        )
        columns = [column.name for column in cursor.description or ()]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    return [_reckoned(row, now) for row in rows]


def _reckoned(row: dict[str, Any], now: datetime) -> Reckoned:
    use = float(row["uses"]) / USE_DAYS
    weight = worth.weight(askers=row["askers"], use=use, demand=row["demand"])
    parts = (row["id"], row["askers"], use, row["demand"], weight)
    if row["failures"] or row["last_checked"] is None:
        return Reckoned(*parts, row["due_at"], row["due_because"], None)
    stakes = Stakes(
        key=row["id"],
        weight=weight,
        cost=row["cost"],
        a=row["a"],
        b=row["b"],
        threshold=row["threshold"],
        longest_wait=row["longest_wait"],
        last_checked=row["last_checked"],
        lapses_at=row["lapses_at"],
        asked_at=row["asked_at"],
    )
    return Reckoned(*parts, *due(stakes, now=now), stakes)


def _write(checks: Sequence[Reckoned], now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            _WRITE_DUE,
            {
                "now": now,
                "ids": [each.check for each in checks],
                "askers": [each.askers for each in checks],
                "uses": [each.use for each in checks],
                "weights": [each.weight for each in checks],
                "due_at": [each.due_at for each in checks],
                "because": [each.because for each in checks],
            },
        )


def _batches(keys: list[int]) -> Iterator[list[int]]:
    return (keys[start : start + BATCH] for start in range(0, len(keys), BATCH))
