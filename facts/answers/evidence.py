"""What moves an answer's trust: the fact's observations, and what is kept for calibration."""

from datetime import datetime
from typing import Any

from django.conf import settings

from facts import canonical, store, trust
from facts.answers.locking import OBSERVER, standing_of
from facts.answers.who import Who
from facts.models import Answer, AnswerOutcome, Fact, Observation
from facts.refs import Ref
from facts.rows import day_of
from facts.store import Measurement

READINESS = Ref("account", "readiness", "overall")


def value_of(answer_id: int) -> dict[str, Any]:
    """The value of a question's fact while it speaks of this answer."""
    return {"answer": answer_id}


def value_digest(answer_id: int) -> str:
    """The digest of the same."""
    return canonical.digest(value_of(answer_id))


def confirm(answer: Answer, *, who: Who, now: datetime) -> bool:
    """Observe that the answer is right; whether it added to the evidence.

    The first confirmation of a query starts its evidence anew; of one asker's a day one counts.
    """
    fact = answer.fact
    counted = fact.digest != answer.value_digest or not _counted_today(fact, who.name, now)
    answer.fact = _observed(answer, who=who, now=now, value=value_of(answer.pk))
    if who.is_person and answer.rejected_at is not None:
        answer.rejected_at = None
        answer.save(update_fields=["rejected_at"])
    return counted


def refute(answer: Answer, *, who: Who, now: datetime) -> None:
    """Observe that the answer is wrong. A person's word withdraws what a person verified."""
    if who.is_person:
        unverify(answer.fact)
        answer.rejected_at = now
        answer.save(update_fields=["rejected_at"])
    answer.fact = _observed(answer, who=who, now=now, outcome="refuted")


def unverify(fact: Fact) -> None:
    """Take a person's verification from a fact; when its trust lapses is somebody else's to say."""
    if fact.verified_at is not None:
        fact.verified_by, fact.verified_at = None, None
        fact.save(update_fields=["verified_by", "verified_at"])


def keep_outcome(
    answer: Answer, outcome: str, *, who: Who, reused: bool, now: datetime
) -> AnswerOutcome:
    """Keep an outcome with the trust and the readiness that the answer was given under.

    The readiness is what stands at its ref, whoever builds it; without one none is kept.
    """
    standing = standing_of(answer)
    readiness = store.read(answer.account, READINESS)
    value = readiness.value if readiness is not None and isinstance(readiness.value, dict) else {}
    return AnswerOutcome.objects.create(
        account=answer.account,
        answer=answer,
        outcome=outcome,
        by_person=who.is_person,
        reused=reused,
        at=now,
        trust=standing.trust(now, settings.TRUST_CUT_OFFS),
        number=trust.number(standing.evidence, now),
        lower_bound=trust.lower_bound(standing.evidence, now),
        level=value.get("level") or "",
        coverage=value.get("coverage"),
    )


def _observed(answer: Answer, *, who: Who, now: datetime, **found: Any) -> Fact:
    return store.observe(
        answer.account,
        Measurement(ref=answer.fact.ref, version=None, **found),
        by=OBSERVER,
        asker=who.name,
        measured_from=now,
        now=now,
    )


def _counted_today(fact: Fact, by: str, now: datetime) -> bool:
    return Observation.objects.filter(
        fact=fact, by=by, day=day_of(now), outcome=Observation.Outcome.CONFIRMED, counted=True
    ).exists()
