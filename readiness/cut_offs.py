"""Proposals for the cut-offs of readiness and of trust, from what became of answers.

Only outcomes that are somebody's own judgement tell anything: a program that was served an answer
and says that it works by it says Ken's own word again, and refutations alone of what was served
would be a sample of the wrong ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q

from facts.errors import KenError
from facts.models import AnswerOutcome
from readiness.calibrating import FEWEST, CutOff, Given, cut_off
from readiness.reliability import Bin, bins


class TooFewOutcomes(KenError):
    """There are too few outcomes to say anything."""

    code = "too-few-outcomes"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that answers are given under, from 0 to ``top``."""

    name: str
    field: str
    top: float
    digits: int  # to show


FIGURES = {
    "coverage": Figure("readiness: coverage, in percent", "coverage", 100.0, 0),
    "number": Figure("trust", "number", 1.0, 2),
    "lower_bound": Figure("trust: its 10 % lower bound", "lower_bound", 1.0, 2),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A cut-off of the settings: of which figure, and how often answers above it should be right.

    The shares are placeholders too: what a level promises is for its owners to say.
    """

    name: str
    figure: str
    target: float


SETTINGS = {
    "ready": Setting("READY_AT", "coverage", 0.90),
    "not_ready": Setting("NOT_READY_BELOW", "coverage", 0.60),
    "believed": Setting("TRUST_BELIEVED_AT", "number", 0.80),
    "proven": Setting("TRUST_PROVEN_AT", "lower_bound", 0.90),
}


@dataclass(frozen=True, slots=True)
class Proposed:
    """A setting as it stands and as the outcomes would have it; None where they are too few."""

    setting: Setting
    in_force: float
    cut_off: CutOff | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the outcomes say. It changes nothing."""

    outcomes: int
    left_out: int  # by reuse
    tables: dict[str, list[Bin]]  # by figure
    proposals: list[Proposed]


def calibrate(targets: Mapping[str, float] | None = None) -> Calibration:
    """Hold the cut-offs against all outcomes there are. Two queries.

    ``targets`` are shares that replace those of SETTINGS. Raises TooFewOutcomes.
    """
    own = AnswerOutcome.objects.filter(Q(by_person=True) | Q(reused=False))
    rows = list(own.order_by("pk").values("answer", "outcome", *FIGURES))
    if len(rows) < FEWEST:
        raise TooFewOutcomes(
            f"there are {len(rows)} outcomes that tell anything; from {FEWEST} on something can"
            " be said of the cut-offs"
        )
    given = {name: _given(rows, name) for name in FIGURES}
    wanted = {**{key: setting.target for key, setting in SETTINGS.items()}, **(targets or {})}
    return Calibration(
        outcomes=len(rows),
        left_out=AnswerOutcome.objects.count() - len(rows),
        tables={name: bins(given[name], top=figure.top) for name, figure in FIGURES.items()},
        proposals=[
            Proposed(
                Setting(setting.name, setting.figure, wanted[key]),
                _in_force()[setting.name],
                cut_off(
                    given[setting.figure],
                    target=wanted[key],
                    top=FIGURES[setting.figure].top,
                ),
            )
            for key, setting in SETTINGS.items()
        ],
    )


def _given(rows: list[dict[str, object]], figure: str) -> list[Given]:
    return [
        Given(float(str(row[figure])), row["outcome"] == "confirmed", int(str(row["answer"])))
        for row in rows
        if row[figure] is not None
    ]


def _in_force() -> dict[str, float]:
    return {
        "READY_AT": settings.READY_AT,
        "NOT_READY_BELOW": settings.NOT_READY_BELOW,
        "TRUST_BELIEVED_AT": settings.TRUST_CUT_OFFS.believed,
        "TRUST_PROVEN_AT": settings.TRUST_CUT_OFFS.proven,
    }
