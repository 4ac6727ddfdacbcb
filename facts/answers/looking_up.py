"""Looking an answer up: served for the question it was proven for, or refused with the reason."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection

from facts import store, trust
from facts.answers.analysis import Analysis
from facts.answers.asking import Question
from facts.answers.containment import judge
from facts.answers.locking import ref_of
from facts.answers.schema import Schema
from facts.answers.serving import REASONS, Standing, withheld_because
from facts.answers.who import Who
from facts.fields import clean_document
from facts.models import Account
from facts.refs import Ref
from facts.trust import Evidence

KEPT = 2_000  # analyses that a process keeps as they were read

_LOOK_UP = files(__package__).joinpath("sql/look_up.sql").read_text()


@dataclass(frozen=True, slots=True)
class Served:
    """An answer as it is given: the query to run, and what speaks for it."""

    id: int
    query: str
    dialect: str
    params: dict[str, Any]
    trust: str
    number: float  # of trust, from 0 to 1
    verified: bool
    contested: bool  # a machine refuted what a person verified


@dataclass(frozen=True, slots=True)
class Looked:
    """What a lookup came to.

    ``verdict`` is ``serve``, ``adds`` (served, and ``additions`` says what the query restricts
    besides, which whoever gives the answer says with it) or ``refused``, with the ``reason`` as a
    code and ``words`` for it.
    """

    verdict: str
    ref: Ref
    reason: str = ""
    words: str = ""
    additions: tuple[str, ...] = ()
    answer: Served | None = None


def look_up(account: Account, question: Question, *, who: Who, now: datetime) -> Looked:
    """The answer that was proven for this very question, or why there is none.

    Two queries where it is served, the second a note that it was; one where there is none or it
    does not fit what is asked. One that is not served for want of trust is asked for, as whatever
    is stale, in two more. Nothing is analysed: the analysis stands with the answer.
    """
    ref = ref_of(account, question)
    row = _row(account, ref)
    if row is None:
        return _refused(ref, "unknown-question")
    standing = row.standing()
    if reason := withheld_because(standing, now=now, cut_offs=settings.TRUST_CUT_OFFS):
        store.request(account, ref, by=who.name, now=now)
        return _refused(ref, reason)
    if (params := _kept(row)) is None:
        return _refused(ref, "withheld")
    decision = judge(question.constraints, _analysis(row.analysis), _schema(row.schema))
    if not decision.is_served:
        return _refused(ref, decision.verdict, decision.reason)
    store.record(account, [ref], outcome="used", by=who.name, now=now)
    answer = Served(
        id=row.id,
        query=row.query,
        dialect=row.dialect,
        params=params,
        trust=str(standing.trust(now, settings.TRUST_CUT_OFFS)),
        number=trust.number(standing.evidence, now),
        verified=standing.verified,
        contested=standing.contested,
    )
    return Looked(decision.verdict, ref, additions=tuple(decision.additions), answer=answer)


class _Row(NamedTuple):
    """A row of the statement; documents are their text, moments seconds of the epoch."""

    id: int
    query: str
    dialect: str
    params: str
    analysis: str
    schema: str
    rejected: bool
    schema_changed: bool
    is_of_it: bool  # whether the fact speaks of this answer
    support: float
    refute: float
    evidence_at: float | None
    confirmed_at: float | None
    refuted_at: float | None
    verified: bool

    def standing(self) -> Standing:
        """Where the answer stands, as ``locking.standing_of`` says it of the models."""
        moments = (self.evidence_at, self.confirmed_at, self.refuted_at)
        return Standing(
            evidence=Evidence(self.support, self.refute, *map(_moment, moments))
            if self.is_of_it
            else Evidence(),
            verified=self.is_of_it and self.verified,
            rejected=self.rejected,
            schema_changed=self.schema_changed,
        )


def _row(account: Account, ref: Ref) -> _Row | None:
    """One statement, worded once: the framework's wording of it takes longer than all the rest."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK_UP, {"account": account.pk, "key": ref.key})
        row = cursor.fetchone()
    return None if row is None else _Row(*row)


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _kept(row: _Row) -> dict[str, Any] | None:
    """The params, or None where these or the query hold what may not be kept today."""
    said = {"query": row.query, "params": json.loads(row.params)}
    return said["params"] if clean_document(said) == said else None


@lru_cache(maxsize=KEPT)
def _analysis(text: str) -> Analysis:
    """The analysis of its text, guarded as every field is when it is loaded."""
    return Analysis.from_document(clean_document(json.loads(text)))


@lru_cache(maxsize=KEPT)
def _schema(text: str) -> Schema:
    return Schema.from_document(clean_document(json.loads(text)))


def _refused(ref: Ref, reason: str, words: str = "") -> Looked:
    return Looked("refused", ref, reason=reason, words=words or REASONS[reason])
