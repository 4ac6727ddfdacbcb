"""Whether an answer may be served, whatever was asked: the rule, apart from the rows it reads."""

from dataclasses import dataclass
from datetime import datetime

from facts import trust
from facts.trust import CutOffs, Evidence, Trust

REASONS = {
    "unknown-question": "no answer was proposed for this question about these things",
    "unproven": "an answer was proposed, and not enough speaks for it yet",
    "refuted": "it was found wrong, and nobody has confirmed it since",
    "stale": "its newest confirmation is too old",
    "schema-changed": "a column it reads has changed, and nobody has looked at it since",
    "withheld": "a part of it may no longer be kept",
}
"""Why no answer is served, by the code of the reason."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of an answer: the evidence for it, and what people and the schema say."""

    evidence: Evidence
    verified: bool = False  # by a person
    rejected: bool = False  # a person refuted it, and none confirmed it since
    schema_changed: bool = False  # in a column it reads, and nobody has looked at it since

    @property
    def contested(self) -> bool:
        """Whether a machine refuted what a person verified: staff should look."""
        return self.verified and self.evidence.refuted

    def trust(self, now: datetime, cut_offs: CutOffs) -> Trust:
        """What a reader may make of the answer at ``now``."""
        return trust.state(
            self.evidence,
            now=now,
            verified=self.verified,
            rests_changed=self.schema_changed,
            cut_offs=cut_offs,
        )


def withheld_because(standing: Standing, *, now: datetime, cut_offs: CutOffs) -> str:
    """The code of why the answer is not served, empty where it is.

    Proven or believed is served. A schema that changed beneath it holds back even a verified one.
    """
    if standing.schema_changed:
        return "schema-changed"
    if standing.verified:
        return ""
    if standing.rejected or standing.evidence.refuted:
        return "refuted"
    match standing.trust(now, cut_offs):
        case Trust.PROVEN | Trust.BELIEVED:
            return ""
        case Trust.STALE:
            return "stale"
        case _:
            return "unproven"


def counts(*, by_person: bool, reused: bool, rejected: bool) -> bool:
    """Whether a confirmation is evidence. (A refutation always is.)

    A program's confirmation of what it was served is Ken's own word again. What a person refuted
    only a person confirms: a program that says it once more is retelling it.
    """
    return by_person or not (reused or rejected)
