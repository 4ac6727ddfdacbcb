"""Proposing an answer: a question, the query that answers it, and what may be replaced by it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import transaction
from sqlglot.dialects.dialect import Dialect

from facts import store
from facts.answers import evidence
from facts.answers.asking import Question
from facts.answers.errors import AnswerStands, BadAnswer
from facts.answers.keepable import demand_keepable
from facts.answers.locking import ref_of, standing_of
from facts.answers.reading_queries import Read, keep, read_query
from facts.answers.schema_reading import DIALECTS
from facts.answers.serving import withheld_because
from facts.answers.who import Who
from facts.giving_way import once_more
from facts.models import Account, Answer, Fact
from facts.refs import Ref

FIELDS = ("question", "query", "dialect", "params")
DIALECT = "postgres"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A question, and the query that is said to answer it."""

    question: Question
    query: str
    dialect: str = DIALECT
    params: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_document(cls, document: Any) -> Self:
        """The proposal of a JSON document. Raises BadAnswer, BadQuestion."""
        if not isinstance(document, dict):
            raise BadAnswer(f"a proposal is an object of {', '.join(FIELDS)}")
        if set(document) - set(FIELDS):
            raise BadAnswer(f"a proposal has no fields but {', '.join(FIELDS)}")
        if missing := [name for name in ("question", "query") if name not in document]:
            raise BadAnswer(f"a proposal lacks its {missing[0]}")
        query, dialect = document["query"], document.get("dialect", DIALECT)
        params = document.get("params", {})
        if not isinstance(query, str) or not isinstance(dialect, str):
            raise BadAnswer("a proposal's query and dialect are text")
        if not isinstance(params, dict):
            raise BadAnswer("a proposal's params are an object of values by name")
        dialect = DIALECTS.get(dialect.casefold(), dialect.casefold())
        if Dialect.get(dialect) is None:
            raise BadAnswer("a dialect is one that sqlglot knows, such as postgres or sqlite")
        question = Question.from_document(document["question"])
        return cls(question=question, query=query, dialect=dialect, params=params)


@dataclass(frozen=True, slots=True)
class Proposed:
    """The answer that stands after a proposal, and whether the proposal made it."""

    answer: Answer
    is_new: bool


@once_more
@transaction.atomic
def propose(account: Account, proposal: Proposal, *, who: Who, now: datetime) -> Proposed:
    """Keep a query as the answer to a question, until evidence or another query says otherwise.

    A program's run that merely succeeded is a reading: it says nothing for the answer. A person's
    proposal is a correction: it replaces whatever was there and is one confirmation. A program
    replaces only a program's answer, and only one that is not served and no person verified.

    Raises BadAnswer, AnswerStands; nothing is kept then.
    """
    demand_keepable(proposal.question, proposal.query, proposal.dialect, proposal.params)
    Account.objects.select_for_update(no_key=True).get(pk=account.pk)  # a catalogue waits, or we
    read = read_query(account, proposal.question, proposal.query, proposal.dialect, proposal.params)
    fact = _fact(account, ref_of(account, proposal.question), by=who.name, now=now)
    before = Answer.objects.in_force().select_for_update(no_key=True).filter(fact=fact).first()
    is_new = before is None or not _is_same(before, proposal)
    if before is None or is_new:
        if before is not None:
            _replace(before, fact, who=who, now=now)
        answer = _made(account, fact, proposal, read, who=who, now=now)
    else:
        answer = before
    answer.account, answer.fact = account, fact
    _note(answer, read, who=who, now=now)
    return Proposed(answer, is_new=is_new)


def _fact(account: Account, ref: Ref, *, by: str, now: datetime) -> Fact:
    """The question's fact, locked; a new question asks for its first confirmation."""
    standing = account.facts.at(ref).select_for_update(of=("self",), no_key=True).first()
    return standing or store.request(account, ref, by=by, now=now)


def _is_same(answer: Answer, proposal: Proposal) -> bool:
    return (answer.query, answer.dialect, answer.params, answer.constraints) == (
        proposal.query,
        proposal.dialect,
        dict(proposal.params),
        proposal.question.to_document()["constraints"],
    )


def _replace(answer: Answer, fact: Fact, *, who: Who, now: datetime) -> None:
    """End the answer that stands. Raises AnswerStands where ``who`` may not."""
    answer.fact = fact
    standing = standing_of(answer)
    if not who.is_person:
        if answer.by_person:
            raise AnswerStands("a person gave this question its answer; no program replaces it")
        if standing.verified:
            raise AnswerStands("a person verified this question's answer; no program replaces it")
        if not withheld_because(standing, now=now, cut_offs=settings.TRUST_CUT_OFFS):
            raise AnswerStands("this question has an answer that is served; refute it first")
    else:
        evidence.keep_outcome(answer, "refuted", who=who, reused=False, now=now)
    evidence.unverify(fact)
    answer.state, answer.ended_at = Answer.State.REPLACED, now
    answer.save(update_fields=["state", "ended_at"])


def _made(
    account: Account, fact: Fact, proposal: Proposal, read: Read, *, who: Who, now: datetime
) -> Answer:
    answer = Answer.objects.create(
        account=account,
        fact=fact,
        person=who.person,
        **proposal.question.to_document(),
        query=proposal.query,
        dialect=proposal.dialect,
        params=dict(proposal.params),
        **read.kept(),
        proposed_by=who.name,
        by_person=who.is_person,
        proposed_at=now,
    )
    answer.value_digest = evidence.value_digest(answer.pk)
    answer.save(update_fields=["value_digest"])
    return answer


def _note(answer: Answer, read: Read, *, who: Who, now: datetime) -> None:
    """A person vouches for what they propose, and has looked at it; a program has read it."""
    if not who.is_person:
        store.record(answer.account, [answer.fact.ref], outcome="measured", by=who.name, now=now)
        return
    evidence.confirm(answer, who=who, now=now)
    if answer.schema_changed_at is not None:
        keep(answer, read)
