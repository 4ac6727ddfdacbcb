"""Several who speak of one question at the same moment, each on a connection of their own."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from facts.answers.errors import AnswerStands
from facts.answers.who import Who
from facts.models import Account, Answer, AnswerOutcome
from tests.facts.answers.shop import (
    ALICE,
    LATE,
    LATE_AND_THERE,
    LATER,
    ORDERS,
    after,
    ask,
    learn,
    offer,
    proven,
    retyped,
    stood,
    tell,
)

AT_ONCE = 8

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def company(transactional_db):
    account = Account.objects.create(external_id="acme")
    learn(account)
    return account


def at_once(*works):
    """What each of ``works`` came to, begun together: a value, or the refusal it raised."""
    ready = Barrier(len(works))

    def done(work):
        try:
            ready.wait(10)
            return work()
        except AnswerStands as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(done, works))


def test_many_proposals_of_a_question_leave_one_answer_in_force(company):
    queries = [LATE, LATE_AND_THERE] * (AT_ONCE // 2)

    at_once(*(lambda query=query: offer(company, query=query) for query in queries))

    assert Answer.objects.in_force().count() == 1
    assert company.facts.filter(namespace="answer").count() == 1
    assert not Answer.objects.exclude(state="proposed").filter(ended_at=None).exists()


def test_confirmations_of_many_sources_all_count_and_of_one_source_once(company):
    answer = offer(company).answer
    sources = [Who(name=f"program {number}") for number in range(AT_ONCE)]

    at_once(*(lambda who=who: tell(answer, who=who) for who in [*sources, *sources]))

    assert stood(answer).fact.support == pytest.approx(AT_ONCE)
    assert stood(answer).fact.history.filter(outcome="confirmed", counted=True).count() == AT_ONCE
    assert AnswerOutcome.objects.count() == 2 * AT_ONCE


def test_a_person_corrects_while_programs_confirm_and_propose(company):
    before = proven(company)

    def correct():
        return offer(company, query=LATE_AND_THERE, who=ALICE, now=LATER)

    told = at_once(correct, *[lambda: offer(company, query=LATE, now=LATER)] * 4)

    corrected = told[0].answer
    assert Answer.objects.in_force().get() == corrected
    assert stood(before).state == "replaced"
    assert ask(company).answer.id == corrected.pk
    assert all(isinstance(one, AnswerStands) or not one.is_new for one in told[1:])


def test_a_schema_that_changes_meanwhile_is_never_missed(company):
    """Whoever comes first: an analysis by the old schema is either marked or never made."""
    for round_ in range(4):
        kind = ["uuid", "integer"][round_ % 2]
        now = after(round_ + 1)
        answer = proven(company, question=_question(round_), now=now)

        at_once(
            lambda kind=kind, now=now: learn(company, (retyped(ORDERS, "id", kind),), now=now),
            lambda now=now, number=round_: offer(
                company, question=_question(number, "too"), now=now
            ),
            lambda now=now, answer=answer: tell(answer, who=Who(name="other"), now=now),
        )

        for one in Answer.objects.in_force():
            assert one.schema_changed_at is not None or one.columns == _columns(company, one)


def _question(number, more=""):
    return {
        "text": f"Late orders {number} {more}?",
        "constraints": [
            {"label": "Order", "op": "rows"},
            {"label": "Order", "property": "status", "op": "=", "value": "late"},
        ],
    }


def _columns(account, answer):
    from facts.answers.analysis import Analysis
    from facts.answers.schema import Schema, columns_digest
    from facts.answers.schema_reading import schema_document

    schema = Schema.from_document(schema_document(account))
    return columns_digest(schema, Analysis.from_document(answer.analysis).reads)
