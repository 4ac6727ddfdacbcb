"""What became of an answer: who says so, and what of it is evidence."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Q

from facts import store
from facts.answers import evidence
from facts.answers.errors import BadAnswer, BadOutcome
from facts.answers.locking import locked, standing_of
from facts.answers.reading_queries import keep, read_again
from facts.answers.serving import Standing, counts
from facts.answers.who import Who
from facts.deciding import REUSE
from facts.giving_way import once_more
from facts.models import Account, Answer, Observation, Token

OUTCOMES = ("confirmed", "refuted", "used", "measured")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What an outcome came to: whether it is evidence, and why not where it is none.

    ``why`` is ``no-verdict``, ``reuse``, ``rejected`` (a person refuted it, and only a person
    confirms it again) or ``same-day``.
    """

    answer: Answer
    counted: bool
    why: str = ""


@once_more
@transaction.atomic
def record_outcome(
    account: Account,
    answer_id: int,
    outcome: str,
    *,
    who: Who,
    now: datetime,
    reused: bool = False,
) -> Recorded:
    """Take what became of an answer.

    A program's confirmation is by reuse where it, or a reader, was served the answer: Ken's own
    history says so, whatever the program says. ``reused`` says so too, of a lookup that another
    program made; it can only lower.

    Raises UnknownAnswer, AnswerEnded, BadOutcome; nothing is recorded then.
    """
    if outcome not in OUTCOMES:
        raise BadOutcome(f"an outcome is one of {', '.join(OUTCOMES)}")
    answer = locked(account, answer_id)
    standing = standing_of(answer)
    if outcome in ("used", "measured"):
        store.record(account, [answer.fact.ref], outcome=outcome, by=who.name, now=now)
        return Recorded(answer, counted=False, why="no-verdict")
    reused = not who.is_person and (reused or was_served(answer, who.name))
    evidence.keep_outcome(answer, outcome, who=who, reused=reused, now=now)
    if outcome == "refuted":
        evidence.refute(answer, who=who, now=now)
        return Recorded(answer, counted=True)
    if not counts(by_person=who.is_person, reused=reused, rejected=standing.rejected):
        said, by = ("confirmed", REUSE) if reused else ("measured", who.name)
        store.record(account, [answer.fact.ref], outcome=said, by=by, now=now)
        return Recorded(answer, counted=False, why="reuse" if reused else "rejected")
    counted = evidence.confirm(answer, who=who, now=now)
    if standing.schema_changed:
        _look_again(answer, standing, who=who)
    return Recorded(answer, counted=counted, why="" if counted else "same-day")


def was_served(answer: Answer, by: str) -> bool:
    """Whether ``by`` may have the answer from Ken. Two queries.

    So it is where the answer is the last that Ken told ``by`` of this question. It is so, too,
    where a reader was told it: readers can't tell outcomes, so that somebody else tells theirs.
    A program that was refused an answer since, or asked for another look at it, worked by something
    else; unless it was its own refutation that took the answer from it.
    """
    said = (Observation.Outcome.USED, Observation.Outcome.REQUESTED)
    refuted = Observation.Outcome.REFUTED
    readers = Token.objects.filter(account=answer.account, observer="").values("name")
    newest: dict[str, dict[str, datetime]] = {}
    lines = answer.fact.history.filter(Q(by=by) | Q(by__in=readers), outcome__in=(*said, refuted))
    for name, outcome, at in lines.values_list("by", "outcome").annotate(Max("last_at")):
        newest.setdefault(name, {})[outcome] = at
    return any(_has_it(told, answer.proposed_at) for told in newest.values())


def _has_it(told: dict[str, datetime], proposed_at: datetime) -> bool:
    served = told.get(Observation.Outcome.USED)
    if served is None or served < proposed_at:
        return False
    refused = told.get(Observation.Outcome.REQUESTED)
    return refused is None or served >= refused or Observation.Outcome.REFUTED in told


def _look_again(answer: Answer, standing: Standing, *, who: Who) -> None:
    """Read the query by the changed schema, where whoever confirms may look for everybody."""
    if standing.verified and not who.is_person:
        return
    try:
        keep(answer, read_again(answer))
    except BadAnswer:
        return  # it stays unserved
