"""An answer and its fact, locked in one order: the fact first, then the answer."""

from functools import lru_cache

from django.conf import settings
from django.utils.crypto import salted_hmac

from facts.answers.asking import Question
from facts.answers.errors import AnswerEnded, UnknownAnswer
from facts.answers.serving import Standing
from facts.answers.skeleton import key_of
from facts.models import Account, Answer, Fact
from facts.refs import Ref
from facts.trust import Evidence

OBSERVER = "answers"
GREATEST_ID = 2**63 - 1


def ref_of(account: Account, question: Question) -> Ref:
    """``answer:question:<key>``: the same for the same question about the same things.

    Keyed by the site's secret and the account, so that nobody can find out from a key what was
    asked by trying questions, and no key says anything of another account's.
    """
    return Ref("answer", "question", key_of(question, _secret(account.pk, settings.SECRET_KEY)))


@lru_cache(maxsize=10_000)
def _secret(account: int, site: str) -> bytes:
    return salted_hmac("ken.answers", str(account), secret=site, algorithm="sha256").digest()


def locked(account: Account, answer_id: int, *, ended: bool = False) -> Answer:
    """The account's answer with its fact, both locked. Called in a transaction.

    Raises UnknownAnswer, and AnswerEnded for one that was replaced or retired unless ``ended``.
    """
    of_it = Answer.objects.filter(account=account, pk=min(answer_id, GREATEST_ID))
    fact = (
        Fact.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=of_it.values("fact"))
        .first()
    )
    if fact is None:
        raise UnknownAnswer(f"{account} has no answer of this number")
    fact.account = account
    answer = Answer.objects.select_for_update(of=("self",), no_key=True).get(pk=answer_id)
    answer.account, answer.fact = account, fact
    if answer.state != Answer.State.PROPOSED and not ended:
        raise AnswerEnded("this answer was replaced or retired; look the question up again")
    return answer


def standing_of(answer: Answer) -> Standing:
    """Where the answer stands, from its row and its fact's. No query where the fact is at hand."""
    fact = answer.fact
    is_of_it = fact.digest == answer.value_digest and answer.state == Answer.State.PROPOSED
    return Standing(
        evidence=fact.evidence if is_of_it else Evidence(),
        verified=is_of_it and fact.verified_at is not None,
        rejected=answer.rejected_at is not None,
        schema_changed=answer.schema_changed_at is not None,
    )
