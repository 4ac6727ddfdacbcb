"""What of the store waits for somebody: sources, facts that can't be read, answers."""

from datetime import datetime

from django.db.models import F, Q

from facts import waiting
from facts.models import Answer, Fact, Source


def _failing_sources(_now: datetime) -> int:
    return Source.objects.filter(~Q(failure="") | Q(ledger__failures__gt=0)).count()


def _failing_facts(_now: datetime) -> int:
    return Fact.objects.failing().count()


def _unproven_answers(_now: datetime) -> int:
    """Answers that nothing was counted for yet: none is served before somebody looks at it."""
    return Answer.objects.in_force().exclude(fact__digest=F("value_digest")).count()


def _contested_answers(_now: datetime) -> int:
    """Answers that a person verified and a machine refuted since."""
    contested = Answer.objects.in_force().filter(fact__verified_at__isnull=False)
    return contested.filter(fact__refuted=True).count()


def register() -> None:
    """Have the admin's home count them."""
    waiting.register(
        waiting.Counter(
            permission="facts.view_source",
            count=_failing_sources,
            words=("source does not answer", "sources do not answer"),
            page="admin:facts_source_changelist",
        ),
        waiting.Counter(
            permission="facts.view_fact",
            count=_failing_facts,
            words=("fact can't be read or was refuted", "facts can't be read or were refuted"),
            page="admin:facts_fact_changelist",
            query="standing=failing",
        ),
        waiting.Counter(
            permission="facts.verify_answer",
            count=_contested_answers,
            words=("verified answer is contested", "verified answers are contested"),
            page="admin:facts_answer_changelist",
            query="look=contested",
        ),
        waiting.Counter(
            permission="facts.verify_answer",
            count=_unproven_answers,
            words=("answer to verify", "answers to verify"),
            page="admin:facts_answer_changelist",
            query="look=unproven",
        ),
    )
