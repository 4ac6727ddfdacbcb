"""What people do with answers: verify, take that back, retire. Each leaves a line in the log."""

from datetime import datetime

from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import transaction

from facts import signals, store, trust
from facts.answers import evidence
from facts.answers.errors import BadAnswer
from facts.answers.locking import OBSERVER, locked
from facts.answers.reading_queries import keep, read_again
from facts.answers.who import Who
from facts.models import ABSENT, Account, Answer, Fact
from facts.store import Measurement

VERIFY, RETIRE = "facts.verify_answer", "facts.retire_answer"


@transaction.atomic
def verify(account: Account, answer_id: int, *, user: User, now: datetime) -> Answer:
    """Vouch for an answer: it is proven, and no machine demotes it.

    Whoever verifies has looked at the query by the schema of now and confirms it. Raises
    UnknownAnswer, AnswerEnded, and BadAnswer where the schema changed so that the query no longer
    answers its question.
    """
    answer = locked(account, answer_id)
    if answer.schema_changed_at is not None:
        keep(answer, read_again(answer))
    who = who_is(user)
    evidence.keep_outcome(answer, "confirmed", who=who, reused=False, now=now)
    evidence.confirm(answer, who=who, now=now)
    _set_verified(answer.fact, user, now=now)
    _log(answer, user, "Verified.")
    return answer


@transaction.atomic
def withdraw(account: Account, answer_id: int, *, user: User, now: datetime) -> Answer:
    """Take a verification back: the evidence alone says what the answer is worth.

    Raises UnknownAnswer, AnswerEnded, and BadAnswer where nobody verified it.
    """
    answer = locked(account, answer_id)
    if answer.fact.verified_at is None:
        raise BadAnswer("nobody verified this answer")
    _set_verified(answer.fact, None, now=now)
    _log(answer, user, "Withdrew the verification.")
    return answer


@transaction.atomic
def retire(account: Account, answer_id: int, *, user: User, now: datetime) -> Answer:
    """End an answer: the question has none until somebody proposes another.

    Raises UnknownAnswer, AnswerEnded.
    """
    answer = locked(account, answer_id)
    answer.state, answer.ended_at = Answer.State.RETIRED, now
    answer.save(update_fields=["state", "ended_at"])
    evidence.unverify(answer.fact)
    answer.fact = store.observe(
        account,
        Measurement(ref=answer.fact.ref, version=None, value=ABSENT),
        by=OBSERVER,
        asker=who_is(user).name,
        measured_from=now,
        now=now,
    )
    _log(answer, user, "Retired.")
    return answer


def who_is(user: User) -> Who:
    """A member of staff as histories show them."""
    return Who(name=f"staff:{user.get_username()}", is_person=True)


def _set_verified(fact: Fact, user: User | None, *, now: datetime) -> None:
    """Write who vouches for a locked fact, and tell what rests on it."""
    fact.verified_by, fact.verified_at = user, None if user is None else now
    fact.trust_lapses_at = trust.lapses_at(
        fact.evidence, now=now, verified=user is not None, cut_offs=settings.TRUST_CUT_OFFS
    )
    fact.save(update_fields=["verified_by", "verified_at", "trust_lapses_at"])
    signals.observed.send(sender=Fact, account=fact.account, facts=[fact], now=now)


def _log(answer: Answer, user: User, message: str) -> None:
    LogEntry.objects.log_actions(user.pk, [answer], CHANGE, message, single_object=True)
