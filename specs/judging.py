"""Judging a spec: from the facts its needs rest on to a verdict, without a query or a clock.

Unknown is not absent: what was never measured makes a feature unknown and is asked for, and only
what was measured can make it not ready.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from facts.refs import Ref
from specs.figures import State, figure_of
from specs.needs import Level, Need

MOST_ASKED = 25  # refs requested by one judging


class Verdict(StrEnum):
    """What a feature is for an account."""

    READY = "ready"
    ALMOST_READY = "almost-ready"
    NOT_READY = "not-ready"
    UNKNOWN = "unknown"


_DECIDE = {
    Verdict.NOT_READY: (Level.REQUIRED, State.UNMET),
    Verdict.UNKNOWN: (Level.REQUIRED, State.UNKNOWN),
    Verdict.ALMOST_READY: (Level.IMPROVES, State.UNMET),
}


@dataclass(frozen=True, slots=True)
class FactView:
    """What judging reads of a fact: nothing else of it may change a verdict."""

    value: Any = None  # None: never measured
    stale: bool = False
    failure: str = ""  # why the newest read failed, a code; the value is the last answer then
    refuted: bool = False  # the value is known to be wrong, and nothing newer was measured


NEVER_MEASURED = FactView()


@dataclass(frozen=True, slots=True)
class JudgedNeed:
    """A need, what became of it, and the figure that was compared."""

    need: Need
    state: State
    figure: str
    stale: bool = False
    failure: str = ""

    @property
    def refs(self) -> list[Ref]:
        """The refs the need rests on."""
        return [self.need.ref] if self.need.ref else []


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reasons. ``usable``, every REQUIRED met, is what a caller gates on."""

    verdict: Verdict
    usable: bool
    needs: tuple[JudgedNeed, ...]

    @property
    def deciding(self) -> list[JudgedNeed]:
        """The needs that make the verdict what it is; none where it is ready."""
        level, state = _DECIDE.get(self.verdict, (None, None))
        return [
            judged for judged in self.needs if judged.need.level is level and judged.state is state
        ]

    @property
    def wants(self) -> list[Ref]:
        """The refs that would settle the unknown needs, heaviest first."""
        return _heaviest_first(judged for judged in self.needs if judged.state is State.UNKNOWN)

    @property
    def asks(self) -> list[Ref]:
        """What this judging requests: its wants, then what it had to judge on stale evidence."""
        stale = _heaviest_first(judged for judged in self.needs if judged.stale)
        return list(dict.fromkeys([*self.wants, *stale]))[:MOST_ASKED]

    def as_json(self) -> dict[str, Any]:
        """The judgement as it is stored and printed."""
        return {
            "verdict": self.verdict.value,
            "usable": self.usable,
            "needs": [
                {
                    "level": judged.need.level.value,
                    "need": dict(judged.need.said),
                    "state": judged.state.value,
                    "figure": judged.figure,
                    "refs": [str(ref) for ref in judged.refs],
                }
                for judged in self.needs
            ],
            "wants": [str(ref) for ref in self.wants],
        }


def judge(needs: Sequence[Need], facts: Mapping[Ref, FactView]) -> Judgement:
    """The verdict on ``needs`` as far as ``facts`` tell; a ref without a fact is unknown."""
    judged = tuple(_judged(need, facts) for need in needs)
    required = _states(judged, Level.REQUIRED)
    improving = _states(judged, Level.IMPROVES)
    if State.UNMET in required:
        verdict = Verdict.NOT_READY
    elif State.UNKNOWN in required:
        verdict = Verdict.UNKNOWN
    elif State.UNMET in improving:
        verdict = Verdict.ALMOST_READY
    else:
        verdict = Verdict.READY
    return Judgement(verdict, required <= {State.MET}, judged)


def _judged(need: Need, facts: Mapping[Ref, FactView]) -> JudgedNeed:
    if need.ref is None:
        return JudgedNeed(need, State.UNKNOWN, "not understood by this version")
    fact = facts.get(need.ref, NEVER_MEASURED)
    if fact.value is None:
        state, figure = State.UNKNOWN, "" if fact.failure else "not measured yet"
    elif fact.refuted:
        state, figure = State.UNKNOWN, "refuted since it was measured"
    else:
        state, figure = figure_of(need, fact.value)
    failed = f"could not be read ({fact.failure})" if fact.failure else ""
    marks = [figure, "stale" if fact.stale else "", failed]
    return JudgedNeed(need, state, ", ".join(filter(None, marks)), fact.stale, fact.failure)


def _states(judged: Iterable[JudgedNeed], level: Level) -> set[State]:
    return {one.state for one in judged if one.need.level is level}


def _heaviest_first(judged: Iterable[JudgedNeed]) -> list[Ref]:
    """Their refs: those that settle most REQUIRED needs first, then IMPROVES, then ADVISORY."""
    weights: dict[Ref, list[int]] = {}
    for one in judged:
        for ref in one.refs:
            weights.setdefault(ref, [0] * len(Level))[list(Level).index(one.need.level)] += 1
    return sorted(weights, key=lambda ref: weights[ref], reverse=True)
