import pytest

from facts import store, tokens
from facts.answers.errors import AnswerEnded, BadOutcome, UnknownAnswer
from facts.answers.reviewing import retire, verify
from facts.answers.who import Who
from facts.models import AnswerOutcome
from tests.facts.answers.shop import (
    ALICE,
    ASSISTANT,
    AUDITOR,
    LATE_AND_THERE,
    LATER,
    MINUTE,
    NINE,
    OTHER,
    after,
    ask,
    offer,
    proven,
    staff,
    stood,
    tell,
)
from tests.facts.observing import observe


def support(answer):
    return stood(answer).fact.support


def test_one_confirmation_of_a_source_and_day_counts(shop):
    answer = offer(shop).answer

    told = [tell(answer, now=NINE + minute * MINUTE) for minute in range(10)]
    other = tell(answer, who=OTHER)

    assert [(one.counted, one.why) for one in told] == [(True, "")] + [(False, "same-day")] * 9
    assert other.counted
    assert support(answer) == pytest.approx(2, abs=1e-3)


def test_use_and_readings_are_kept_and_count_for_nothing(shop):
    answer = proven(shop)
    before = stood(answer).fact

    for outcome in ("used", "measured"):
        told = tell(answer, outcome)
        assert (told.counted, told.why) == (False, "no-verdict")

    after_it = stood(answer).fact
    assert (after_it.evidence, after_it.version) == (before.evidence, before.version)
    assert set(after_it.history.values_list("by", "outcome")) >= {
        ("auditor", "used"),
        ("auditor", "measured"),
    }


def test_whoever_was_served_confirms_by_reuse_and_its_refutation_counts(shop):
    answer = proven(shop)
    ask(shop, who=ASSISTANT)

    told = tell(answer, who=ASSISTANT, now=after(3))
    assert (told.counted, told.why) == (False, "reuse")
    assert stood(answer).fact.history.filter(by="reuse", outcome="confirmed").count() == 1

    assert tell(answer, "refuted", who=ASSISTANT, now=after(4)).counted
    assert ask(shop, now=after(4)).reason == "refuted"


def test_where_a_reader_was_served_no_program_confirms_and_people_do(shop):
    answer = proven(shop)
    tokens.make(account=shop, name="planner", now=NINE)
    ask(shop, who=Who(name="planner"))

    assert tell(answer, who=OTHER, now=after(3)).why == "reuse"
    assert tell(answer, who=ALICE, now=after(3)).counted


def test_nobody_turns_its_own_refutation_into_a_confirmation_that_counts(shop):
    answer = proven(shop)
    ask(shop, who=ASSISTANT)
    tell(answer, "refuted", who=ASSISTANT, now=after(1))
    assert ask(shop, who=ASSISTANT, now=after(2)).reason == "refuted"

    assert tell(answer, who=ASSISTANT, now=after(3)).why == "reuse"
    assert ask(shop, now=after(3)).reason == "refuted"
    assert tell(answer, who=OTHER, now=after(3)).counted


def test_what_is_served_day_after_day_does_not_prove_itself(shop):
    answer = proven(shop)
    for day in range(28):
        assert ask(shop, now=after(day)).verdict == "serve"
        assert not tell(answer, who=ASSISTANT, now=after(day)).counted

    assert ask(shop, now=after(29)).reason == "stale"


def test_who_was_refused_worked_it_out_alone_and_counts_again(shop):
    answer = proven(shop)
    ask(shop, who=ASSISTANT)
    assert ask(shop, who=ASSISTANT, now=after(29)).reason == "stale"

    told = tell(answer, who=ASSISTANT, now=after(29))

    assert told.counted
    assert ask(shop, who=ASSISTANT, now=after(29)).verdict == "serve"
    assert not tell(answer, who=ASSISTANT, now=after(30)).counted


def test_a_lookup_by_another_program_may_be_said_and_only_lowers(shop):
    answer = proven(shop)

    assert not tell(answer, who=OTHER, reused=True).counted
    assert tell(answer, who=OTHER).counted


def test_a_person_who_saw_the_answer_vouches_by_their_own_judgement(shop):
    answer = proven(shop)
    ask(shop, who=ALICE)

    assert tell(answer, who=ALICE).counted


def test_what_a_person_refuted_no_program_confirms(shop):
    answer = proven(shop)
    tell(answer, "refuted", who=ALICE)

    told = tell(answer, who=OTHER, now=after(1))
    assert (told.counted, told.why) == (False, "rejected")
    assert ask(shop, now=after(1)).reason == "refuted"

    assert tell(answer, who=ALICE, now=after(3)).counted  # C = 1.86, F = 0.35: 0.81
    assert ask(shop, now=after(3)).verdict == "serve"
    assert tell(answer, who=OTHER, now=after(3)).counted


def test_nothing_is_said_of_an_answer_that_ended_or_is_anothers(shop, globex):
    user, _ = staff()
    replaced = offer(shop).answer
    retired = offer(shop, query=LATE_AND_THERE).answer
    retire(shop, retired.pk, user=user, now=LATER)

    for answer in (replaced, retired):
        with pytest.raises(AnswerEnded):
            tell(answer)
    for number in (retired.pk + 1, 2**63):
        retired.pk = number
        with pytest.raises(UnknownAnswer):
            tell(retired)
    replaced.account = globex
    with pytest.raises(UnknownAnswer):
        tell(replaced)
    assert not AnswerOutcome.objects.exists()


@pytest.mark.parametrize("outcome", ["requested", "failed", "", "Confirmed"])
def test_an_outcome_is_one_of_four_words(shop, outcome):
    with pytest.raises(BadOutcome):
        tell(offer(shop).answer, outcome)


def test_outcomes_keep_the_trust_and_the_readiness_they_were_given_under(shop):
    answer = offer(shop).answer
    tell(answer)
    observe(
        shop,
        "account:readiness:overall",
        {"level": "almost-ready", "coverage": 73.25},
        by="readiness",
    )
    tell(answer, "refuted", now=after(14))

    first, second = AnswerOutcome.objects.order_by("pk")
    assert (first.outcome, first.trust, first.number) == ("confirmed", "unknown", 0.8)
    assert (first.level, first.coverage) == ("", None)
    assert (second.outcome, second.trust, second.level) == ("refuted", "believed", "almost-ready")
    assert second.number == pytest.approx(4.5 / 5.5, rel=1e-4)
    assert second.lower_bound == pytest.approx(0.1 ** (1 / 4.5), rel=1e-4)
    assert second.coverage == 73.25


def test_outcomes_by_reuse_are_kept_as_such_and_readings_are_no_outcomes(shop):
    answer = proven(shop)
    ask(shop)
    tell(answer, who=ASSISTANT)
    tell(answer, "measured", who=ASSISTANT)

    assert list(AnswerOutcome.objects.order_by("pk").values_list("reused", "by_person")) == [
        (False, False),
        (True, False),
    ]


def test_a_verification_is_a_confirmation_and_answers_who_asked(shop):
    user, _ = staff()
    answer = offer(shop).answer
    assert stood(answer).fact.is_open

    verify(shop, answer.pk, user=user, now=LATER)

    fact = stood(answer).fact
    assert (fact.is_open, fact.verified_by, fact.trust_lapses_at) == (False, user, None)
    assert fact.support == pytest.approx(1)
    assert ask(shop, now=after(400)).answer.trust == "proven"


def test_a_request_through_the_store_is_no_evidence(shop):
    answer = proven(shop)
    store.request(shop, answer.fact.ref, by="crm", now=LATER)

    assert stood(answer).fact.evidence == answer.fact.evidence


def test_an_auditor_that_never_looks_up_is_independent(shop):
    answer = proven(shop)
    for day in range(1, 4):
        ask(shop, now=after(day))
        assert tell(answer, who=AUDITOR, now=after(day)).counted
