import pytest

from facts.answers.errors import AnswerStands
from facts.answers.reviewing import verify
from facts.models import Answer
from tests.facts.answers.shop import (
    ALICE,
    ASSISTANT,
    AUDITOR,
    LATE,
    LATE_AND_THERE,
    LATER,
    NINE,
    after,
    ask,
    late,
    offer,
    proven,
    staff,
    stood,
    tell,
)


def told(looked):
    return looked.verdict, looked.reason


def test_a_question_that_nobody_answered_is_refused_and_makes_no_row(shop):
    assert told(ask(shop)) == ("refused", "unknown-question")
    assert not Answer.objects.exists()
    assert not shop.facts.filter(namespace="answer").exists()


def test_a_run_that_merely_succeeded_is_a_reading_and_serves_nothing(shop):
    answer = offer(shop).answer
    tell(answer, "measured", who=AUDITOR)

    assert told(ask(shop)) == ("refused", "unproven")
    assert stood(answer).fact.confirmed_at is None
    assert sorted(stood(answer).fact.history.values_list("by", "outcome")) == [
        ("assistant", "measured"),
        ("assistant", "requested"),
        ("auditor", "measured"),
    ]


def test_a_confirmed_answer_is_served_with_what_speaks_for_it(shop):
    answer = proven(shop)

    looked = ask(shop)

    assert told(looked) == ("serve", "")
    assert (looked.answer.id, looked.answer.query, looked.answer.dialect) == (
        answer.pk,
        LATE,
        "postgres",
    )
    assert (looked.answer.trust, looked.answer.verified) == ("believed", False)
    assert looked.answer.number == pytest.approx(5 / 6, abs=1e-4)


def test_the_same_words_in_another_case_and_spacing_are_the_same_question(shop):
    proven(shop)

    assert ask(shop, late(text="  which ORDERS   are late?")).verdict == "serve"
    assert told(ask(shop, late(text="Which orders are not late?"))) == (
        "refused",
        "unknown-question",
    )


def test_another_thing_is_another_question(shop):
    ups, dhl = ([{"kind": "Carrier", "identity": name}] for name in ("UPS", "DHL"))
    proven(shop, question=late(things=ups))

    assert ask(shop, late(things=ups)).verdict == "serve"
    assert told(ask(shop, late(things=dhl))) == ("refused", "unknown-question")


def test_what_the_query_adds_is_served_and_said(shop):
    proven(shop, query=LATE_AND_THERE)

    looked = ask(shop)

    assert looked.verdict == "adds"
    assert looked.additions
    assert all("late" not in addition for addition in looked.additions)


def test_a_near_miss_is_refused_with_its_reason_and_no_answer(shop):
    proven(shop)

    looked = ask(shop, late("open"))

    assert (looked.verdict, looked.reason, looked.answer) == ("refused", "contradicts", None)
    assert looked.words
    assert "open" not in looked.words
    assert "late" not in looked.words


def test_an_account_is_never_served_anothers_answer(shop, globex):
    proven(shop)

    assert told(ask(globex)) == ("refused", "unknown-question")


def test_a_refuted_answer_is_not_served_until_it_is_confirmed_again(shop):
    answer = proven(shop)
    tell(answer, "refuted", now=LATER)
    assert told(ask(shop, now=after(1))) == ("refused", "refuted")
    assert told(ask(shop, now=after(9))) == ("refused", "refuted")

    tell(answer, now=after(9))

    assert ask(shop, now=after(9)).verdict == "serve"


def test_an_answer_whose_newest_confirmation_is_old_is_refused_and_asked_for(shop):
    answer = proven(shop)

    assert ask(shop, now=after(28)).verdict == "serve"
    assert told(ask(shop, now=after(29))) == ("refused", "stale")
    assert stood(answer).fact.is_open

    tell(answer, now=after(30))
    assert not stood(answer).fact.is_open
    assert ask(shop, now=after(30)).verdict == "serve"


def test_a_persons_refutation_withdraws_a_verification_and_a_programs_does_not(shop):
    user, sue = staff()
    answer = proven(shop)
    verify(shop, answer.pk, user=user, now=LATER)

    tell(answer, "refuted", who=AUDITOR, now=after(1))
    looked = ask(shop, now=after(1))
    assert (looked.verdict, looked.answer.contested, looked.answer.trust) == (
        "serve",
        True,
        "proven",
    )

    tell(answer, "refuted", who=sue, now=after(2))
    assert told(ask(shop, now=after(2))) == ("refused", "refuted")
    assert stood(answer).fact.verified_at is None


def test_no_program_replaces_what_is_served_what_was_verified_or_what_a_person_said(shop):
    user, _ = staff()
    served = proven(shop)
    with pytest.raises(AnswerStands):
        offer(shop, query=LATE_AND_THERE, now=LATER)

    verify(shop, served.pk, user=user, now=LATER)
    tell(served, "refuted", now=LATER)
    with pytest.raises(AnswerStands):
        offer(shop, query=LATE_AND_THERE, now=after(1))

    corrected = offer(shop, query=LATE_AND_THERE, who=ALICE, now=after(2)).answer
    tell(corrected, "refuted", now=after(3))
    with pytest.raises(AnswerStands):
        offer(shop, query=LATE, now=after(4))
    assert told(ask(shop, now=after(4))) == ("refused", "refuted")


def test_a_persons_correction_replaces_what_was_there_and_its_evidence_is_its_own(shop):
    user, _ = staff()
    before = proven(shop)
    for day in range(1, 6):
        tell(before, now=after(day))
    verify(shop, before.pk, user=user, now=after(6))

    now = offer(shop, query=LATE_AND_THERE, who=ALICE, now=after(7)).answer

    looked = ask(shop, now=after(7))
    assert (looked.verdict, looked.answer.id, looked.answer.verified) == ("adds", now.pk, False)
    assert stood(now).fact.support == pytest.approx(1)
    assert stood(before).state == "replaced"
    assert list(before.outcomes.order_by("pk").values_list("outcome", "by_person"))[-1] == (
        "refuted",
        True,
    )


def test_a_program_replaces_a_programs_answer_that_nobody_is_served(shop):
    first = offer(shop).answer
    second = offer(shop, query=LATE_AND_THERE, now=LATER).answer
    assert (stood(first).state, stood(second).state) == ("replaced", "proposed")

    tell(second, now=LATER)
    tell(second, "refuted", now=LATER)
    third = offer(shop, now=after(1)).answer

    assert told(ask(shop, now=after(1))) == ("refused", "unproven")
    tell(third, now=after(1))
    assert ask(shop, now=after(1)).answer.id == third.pk


def test_the_same_proposal_again_is_a_reading_of_the_same_answer(shop):
    first = offer(shop)
    again = offer(shop, now=LATER)

    assert (first.is_new, again.is_new) == (True, False)
    assert first.answer.pk == again.answer.pk
    assert stood(first.answer).fact.support == 0


def test_evidence_for_a_replaced_query_says_nothing_for_the_next(shop):
    first = proven(shop)
    for day in range(1, 20):
        tell(first, now=after(day))
    tell(first, "refuted", now=after(19.5))
    second = offer(shop, query=LATE_AND_THERE, now=after(20)).answer

    assert told(ask(shop, now=after(20))) == ("refused", "unproven")
    tell(second, now=after(20))

    assert stood(second).fact.support == pytest.approx(1)
    assert ask(shop, who=ASSISTANT, now=after(20)).answer.trust == "believed"
    assert stood(second).fact.confirmed_at > NINE
