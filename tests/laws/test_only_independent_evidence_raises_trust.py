"""Law 12. Only independent evidence raises trust."""

import pytest

from facts import store, trust
from facts.models import Fact
from facts.trust import Trust
from tests.facts.answers import shop
from tests.facts.observing import DAY, MINUTE, NINE, ORDERS, observe, stored
from tests.facts.program import problem, program


def number(fact, now):
    return trust.number(fact.evidence, now)


def test_reading_a_fact_a_thousand_times_leaves_its_trust_that_of_an_unread_twin(acme):
    twin = "data:label:Twin"
    observe(acme)
    observe(acme, twin)
    for read in range(1_000):
        now = NINE + read * DAY / 5
        outcome, by = [("used", "generation"), ("measured", "run"), ("confirmed", "reuse")][
            read % 3
        ]
        store.record(acme, [ORDERS], outcome=outcome, by=by, now=now)
    store.request(acme, ORDERS, by="generation", now=NINE + 200 * DAY)

    unread, read = stored(acme, twin), stored(acme)
    assert number(read, NINE + 200 * DAY) == number(unread, NINE + 200 * DAY)
    assert read.evidence == unread.evidence
    assert read.trust_lapses_at == unread.trust_lapses_at


def test_the_first_successful_read_of_a_value_is_one_confirmation(acme):
    observe(acme)

    assert stored(acme).trust(NINE) == Trust.BELIEVED
    assert number(stored(acme), NINE) == pytest.approx(5 / 6)


def test_ten_runs_of_a_day_by_one_observer_are_one_piece_of_evidence(acme):
    for minute in range(10):
        observe(acme, now=NINE + minute * MINUTE)
    observe(acme, now=NINE + DAY)

    assert stored(acme).support == pytest.approx(1 + 2 ** (-1 / 14), rel=1e-9)


def test_two_askers_of_a_day_are_two_pieces_of_evidence(acme):
    observe(acme, asker="alice")
    observe(acme, asker="bob")
    observe(acme, asker="bob")

    assert stored(acme).support == pytest.approx(2)


def test_a_changed_value_starts_its_evidence_anew_and_every_change_is_kept(acme):
    """Counts of 10, 12, 12 and 10 on four days: only the third adds to older evidence."""
    supports = []
    for day, count in enumerate([10, 12, 12, 10]):
        supports.append(observe(acme, value={"count": count}, now=NINE + day * DAY).support)

    assert supports == pytest.approx([1, 1, 1 + 2 ** (-1 / 14), 1])
    assert stored(acme).value == {"count": 10}
    history = stored(acme).history.order_by("first_at")
    assert [(line.outcome, line.counted) for line in history] == [("confirmed", True)] * 4


def test_the_days_cap_keeps_no_changed_value_from_starting_its_evidence(acme):
    observe(acme, value={"count": 10})
    observe(acme, value={"count": 12}, now=NINE + MINUTE)

    assert stored(acme).support == pytest.approx(1)
    assert stored(acme).trust(NINE + MINUTE) == Trust.BELIEVED


def test_the_days_cap_keeps_no_confirmation_from_clearing_a_refutation(acme):
    observe(acme)
    observe(acme, outcome="refuted", now=NINE + MINUTE)
    assert (stored(acme).refuted, stored(acme).failing) == (True, True)
    assert stored(acme).trust(NINE + MINUTE) == Trust.UNKNOWN

    observe(acme, now=NINE + 2 * MINUTE)

    assert (stored(acme).refuted, stored(acme).failing) == (False, False)
    assert stored(acme).support == pytest.approx(1, abs=1e-4)


def test_a_failed_read_is_no_evidence_either_way(acme):
    observe(acme)
    before = stored(acme).evidence
    observe(acme, outcome="failed", failure="57014", now=NINE + MINUTE)

    assert stored(acme).evidence == before
    assert stored(acme).failing


def test_what_a_person_verified_no_machine_demotes(acme, django_user_model):
    observe(acme)
    reviewer = django_user_model.objects.create(username="rita")
    Fact.objects.update(verified_by=reviewer, verified_at=NINE)

    observe(acme, outcome="refuted", now=NINE + MINUTE)

    fact = stored(acme)
    assert (fact.trust(NINE + 400 * DAY), fact.refuted) == (Trust.PROVEN, True)
    assert fact.trust_lapses_at is None


def test_over_http_reading_and_requesting_leave_the_evidence_alone(acme):
    observe(acme)
    before = stored(acme).evidence
    reader = program(acme)
    for _ in range(50):
        reader.get(f"facts/{ORDERS}")
        reader.post(f"facts/requests/{ORDERS}")

    assert stored(acme).evidence == before
    assert stored(acme).version == 1


@pytest.mark.parametrize("claim", ["by", "asker", "observer", "verified_by", "verified_at"])
def test_over_http_who_it_is_by_comes_from_the_token_and_no_body_may_say_it(acme, claim):
    prober = program(acme, observer="probe")

    answer = prober.observe(str(ORDERS), 0, **{claim: "rita"})

    assert [error["pointer"] for error in problem(answer)["errors"]] == [f"/{claim}"]
    assert not Fact.objects.exists()


@pytest.mark.parametrize("outcome", ["used", "requested", "measured"])
def test_over_http_what_is_no_verdict_is_no_observation(acme, outcome):
    answer = program(acme, observer="probe").observe(str(ORDERS), 0, outcome=outcome)

    assert [error["pointer"] for error in problem(answer)["errors"]] == ["/outcome"]
    assert not Fact.objects.exists()


def test_over_http_an_observers_many_tokens_are_one_source_of_evidence(acme):
    first = program(acme, observer="probe", name="importer")
    second = program(acme, observer="probe", name="importer 2")

    first.observe(str(ORDERS), 0, value={"count": 1})
    second.observe(str(ORDERS), 1, value={"count": 1})

    assert stored(acme).version == 2
    assert stored(acme).support == pytest.approx(1, abs=1e-6)


def test_retelling_a_rejected_answer_supports_nothing_and_serves_nothing(acme):
    """A person rejects it; 20 confirmations by reuse and 20 retellings follow."""
    shop.learn(acme)
    answer = shop.proven(acme)
    shop.ask(acme)
    shop.tell(answer, "refuted", who=shop.ALICE, now=NINE + DAY)
    before = shop.stood(answer).fact.evidence

    for day in range(2, 22):
        now = NINE + day * DAY
        store.record(acme, [answer.fact.ref], outcome="confirmed", by="reuse", now=now)
        shop.tell(answer, who=shop.ASSISTANT, reused=True, now=now)
        assert shop.ask(acme, now=now).reason == "refuted"
        shop.tell(answer, who=shop.ASSISTANT, now=now)
        shop.offer(acme, now=now)

    fact = shop.stood(answer).fact
    assert fact.evidence == before
    assert fact.history.filter(by="reuse", outcome="confirmed").count() == 40
    assert fact.history.filter(by="assistant", counted=True).count() == 0
    assert shop.ask(acme, now=NINE + 22 * DAY).reason == "refuted"


def test_a_popular_answer_does_not_prove_itself(acme):
    shop.learn(acme)
    answer = shop.proven(acme)
    before = shop.stood(answer).fact.evidence

    for use in range(300):
        now = NINE + use * DAY / 12
        assert shop.ask(acme, now=now).verdict == "serve"
        assert not shop.tell(answer, who=shop.ASSISTANT, now=now).counted

    assert shop.stood(answer).fact.evidence == before
    assert shop.ask(acme, now=NINE + 29 * DAY).reason == "stale"


def test_no_program_demotes_an_answer_that_a_person_verified_and_staff_see_it(acme):
    from facts.answers.reviewing import verify

    shop.learn(acme)
    user, _ = shop.staff()
    answer = shop.proven(acme)
    verify(acme, answer.pk, user=user, now=NINE + MINUTE)

    for day in range(1, 30):
        shop.tell(answer, "refuted", now=NINE + day * DAY)

    looked = shop.ask(acme, now=NINE + 30 * DAY)
    assert (looked.verdict, looked.answer.trust, looked.answer.contested) == (
        "serve",
        "proven",
        True,
    )
