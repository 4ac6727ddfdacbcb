"""How an answer's trust went over time, from the counted lines of its history. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from facts import trust
from facts.trust import Evidence

SAMPLES = 60  # along the span
CONFIRMED, REFUTED = "confirmed", "refuted"


@dataclass(frozen=True, slots=True)
class Counted:
    """A counted line: when, what, and of which value (a confirmation says)."""

    at: datetime
    outcome: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Course:
    """Trust at even moments of a span, and the events in it.

    A number is None as long as nothing was counted: it would be 0.8 and say nothing.
    """

    start: datetime
    end: datetime
    numbers: tuple[float | None, ...]
    events: tuple[Counted, ...]

    def count(self, outcome: str) -> int:
        """How many events of an outcome there are."""
        return sum(event.outcome == outcome for event in self.events)


def course(lines: Iterable[Counted], *, start: datetime, end: datetime) -> Course:
    """The trust from ``start`` to ``end``, by the one function that says it everywhere.

    A confirmation of another value starts the evidence anew with itself, as the store has it.
    """
    ordered = sorted(lines, key=lambda line: line.at)
    step = max((end - start) / (SAMPLES - 1), timedelta(microseconds=1))
    evidence, digest, place = Evidence(), "", 0
    numbers: list[float | None] = []
    for sample in range(SAMPLES):
        now = start + sample * step
        while place < len(ordered) and ordered[place].at <= now:
            evidence, digest = _taken(evidence, digest, ordered[place])
            place += 1
        numbers.append(trust.number(evidence, now) if place else None)
    return Course(start, end, tuple(numbers), _within(ordered, start, end))


def _within(lines: Sequence[Counted], start: datetime, end: datetime) -> tuple[Counted, ...]:
    return tuple(line for line in lines if start <= line.at <= end)


def _taken(evidence: Evidence, digest: str, line: Counted) -> tuple[Evidence, str]:
    if line.outcome == REFUTED:
        return trust.refuted(evidence, at=line.at, now=line.at), digest
    before = evidence if line.digest == digest else Evidence()
    return trust.confirmed(before, at=line.at, now=line.at), line.digest
