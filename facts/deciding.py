"""What one observation makes of a fact: the rule, apart from the rows it is written to."""

from datetime import datetime
from typing import NamedTuple

from facts import trust
from facts.trust import CutOffs, Evidence, Trust

NO_EVIDENCE = Evidence()
REUSE = "reuse"  # the asker of what Ken itself served again: it vouches for nothing


class Standing(NamedTuple):
    """A fact as it stands before an observation; the defaults are one never measured.

    A tuple, as Decision is, because a run makes thousands of both.
    """

    id: int | None = None
    version: int = 0
    digest: str = ""
    measured_from: datetime | None = None
    measured_at: datetime | None = None
    failure: str = ""
    evidence: Evidence = NO_EVIDENCE
    verified_at: datetime | None = None
    verified_by_id: int | None = None
    requested_at: datetime | None = None
    settled_by_id: int | None = None
    trust_lapses_at: datetime | None = None
    counted_today: bool = False  # a confirmation of this asker has added to the sums today

    @property
    def verified(self) -> bool:
        """Whether a person vouches for it."""
        return self.verified_at is not None


NEVER_MEASURED = Standing()


class Decision(NamedTuple):
    """What is to be written. ``keeps`` says that value and digest stay as they were."""

    keeps: bool
    digest: str
    version: int
    measured_from: datetime | None
    measured_at: datetime | None
    failure: str
    evidence: Evidence
    trust_lapses_at: datetime | None
    counted: bool
    changed: bool  # value, failing or trust state are others than before


def decide(
    standing: Standing,
    *,
    outcome: str,
    digest: str,
    failure: str,
    measured_from: datetime,
    now: datetime,
    cut_offs: CutOffs,
) -> Decision:
    """Take one observation by the owner into what stands.

    A failed one keeps value, trust and the time measured, and answers no request: it says why and
    moves the version. A confirmation of another value starts the evidence anew with itself. A
    second confirmation of a day by one asker adds nothing to the sums.
    """
    before = standing.evidence
    if outcome == "failed":
        evidence, counted = before, False
    elif outcome == "refuted":
        evidence, counted = trust.refuted(before, at=now, now=now), True
    else:
        is_new = digest != standing.digest
        counted = is_new or not standing.counted_today
        evidence = trust.confirmed(Evidence() if is_new else before, at=now, now=now, adds=counted)
    keeps = outcome != "confirmed"
    failed = outcome == "failed"
    after_digest = standing.digest if keeps else digest
    after_failure = failure if failed else ""
    return Decision(
        keeps=keeps,
        digest=after_digest,
        version=standing.version + 1,
        measured_from=standing.measured_from if failed else measured_from,
        measured_at=standing.measured_at if failed else now,
        failure=after_failure,
        evidence=evidence,
        trust_lapses_at=trust.lapses_at(
            evidence, now=now, verified=standing.verified, cut_offs=cut_offs
        ),
        counted=counted,
        changed=(
            after_digest != standing.digest
            or after_failure != standing.failure
            or evidence.refuted != before.refuted
            or _lapsed(standing, now)
            or _state(standing, before, now, cut_offs) != _state(standing, evidence, now, cut_offs)
        ),
    )


def _lapsed(standing: Standing, now: datetime) -> bool:
    """Whether the state changed by itself and nobody has been told: this observation tells."""
    return standing.trust_lapses_at is not None and standing.trust_lapses_at <= now


def _state(standing: Standing, evidence: Evidence, now: datetime, cut_offs: CutOffs) -> Trust:
    return trust.state(evidence, now=now, verified=standing.verified, cut_offs=cut_offs)
