"""The stored verdict: what it is built from, what is in it, and what it asks for."""

import pytest
from django_q.models import OrmQ

from facts import guard, store
from facts.derivations import Missing, Reading, Target
from facts.intake import IntegrationState, set_integrations
from facts.models import Account, Check
from facts.refs import Ref
from specs import fitting, reviewing, tasks
from specs.needs import fit_of
from tests.facts.observing import DAY, MINUTE, NINE, ORDERS, observe
from tests.specs.loaded import CARRIER, ORDER, load, spec
from tests.specs.test_schema import GOOD_NEEDS

SIGNAL = GOOD_NEEDS["signal"]
FILL = GOOD_NEEDS["fill"]


def inputs(account: Account, spec_id: str = "a", now=NINE + MINUTE) -> dict:
    read = fitting.inputs(Target(account, spec_id), Reading(account, now))
    assert not isinstance(read, Missing)
    return read


def built(account: Account, spec_id: str = "a", now=NINE + MINUTE) -> dict:
    (((person, ref), value),) = fitting.build(inputs(account, spec_id, now)).items()
    assert (person, ref) == (None, fit_of(spec_id))
    return value


def test_a_stored_verdict_says_what_its_readers_need(acme):
    load(spec("a", ORDER, FILL) | {"title": "Late orders"})
    observe(acme)
    observe(acme, "data:fill:Order|promisedAt", {"filled": 1, "count": 10})

    assert built(acme) == {
        "title": "Late orders",
        "verdict": "almost-ready",
        "usable": True,
        "needs": [
            {
                "level": "REQUIRED",
                "need": {"label": "Order", "minCount": 1},
                "state": "met",
                "figure": "count 830, at least 1",
                "refs": ["data:label:Order"],
            },
            {
                "level": "IMPROVES",
                "need": {"fill": {"label": "Order", "property": "promisedAt"}, "minFill": 0.6},
                "state": "unmet",
                "figure": "fill 0.10, at least 0.60",
                "refs": ["data:fill:Order|promisedAt"],
            },
        ],
        "wants": [],
        "lacks": ["promisedAt of Order"],
        "asks": [],
    }


def test_what_is_lacking_names_required_needs_first_and_each_once(acme):
    load(
        spec(
            "a",
            FILL,
            CARRIER,
            {"level": "IMPROVES", "label": "Carrier", "minCount": 9},
            SIGNAL,
        )
    )
    observe(acme, "data:fill:Order|promisedAt", {"absent": True})
    observe(acme, "data:label:Carrier", {"count": 0})
    set_integrations(acme, [], now=NINE)

    assert built(acme)["lacks"] == ["carrier data", "promisedAt of Order"]


def test_the_guard_leaves_a_verdict_as_it_is(acme):
    load(spec("refunds"), spec("a", *GOOD_NEEDS.values()))
    observe(acme, outcome="failed", failure="42501")
    verdict = built(acme)
    assert guard.clean(verdict) == verdict


def test_an_account_that_was_never_measured_is_judged_too(acme):
    load(spec("a", ORDER, CARRIER))
    verdict = built(acme)
    assert (verdict["verdict"], verdict["asks"]) == (
        "unknown",
        ["data:label:Order", "data:label:Carrier"],
    )


def test_when_an_integration_last_succeeded_is_no_input(acme):
    load(spec("a", SIGNAL))
    dhl = {"name": "dhl", "category": "shipping", "healthy": True}
    set_integrations(acme, [IntegrationState(**dhl, last_succeeded=NINE)], now=NINE)
    before = inputs(acme)

    set_integrations(acme, [IntegrationState(**dhl, last_succeeded=NINE + DAY)], now=NINE + DAY)

    assert inputs(acme, now=NINE + DAY) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda acme: observe(acme, value={"count": 831}),
        lambda acme: observe(acme, value={"absent": True}),
        lambda acme: observe(acme, outcome="failed", failure="42501"),
        lambda acme: observe(acme, outcome="refuted", now=NINE + MINUTE),
        lambda acme: load(spec("a") | {"title": "Another"}),
        lambda acme: load(spec("a", ORDER, CARRIER)),
    ],
    ids=["value", "absence", "failure", "refutation", "title", "needs"],
)
def test_what_a_verdict_rests_on_is_an_input(acme, change):
    load(spec("a"))
    observe(acme)
    before = inputs(acme)

    change(acme)

    assert inputs(acme) != before


def test_evidence_that_went_stale_is_an_input(acme):
    load(spec("a"))
    observe(acme)
    before = inputs(acme)
    assert inputs(acme, now=NINE + 27 * DAY) == before
    assert inputs(acme, now=NINE + 29 * DAY) != before


def test_a_second_confirmation_of_the_same_value_is_no_input(acme):
    load(spec("a"))
    observe(acme)
    before = inputs(acme)
    observe(acme, now=NINE + DAY)
    assert inputs(acme, now=NINE + DAY) == before


def test_inputs_are_two_queries_and_note_what_they_read(acme, django_assert_num_queries):
    load(spec("a", ORDER, CARRIER, FILL))
    reading = Reading(acme, NINE)
    with django_assert_num_queries(2):
        fitting.inputs(Target(acme, "a"), reading)
    assert {ref for ref, _person in reading.reads} == {
        "data:label:Order",
        "data:label:Carrier",
        "data:fill:Order|promisedAt",
    }


def test_a_spec_retired_a_moment_ago_is_not_built(acme):
    assert fitting.inputs(Target(acme, "gone"), Reading(acme, NINE)) == Missing()


def test_a_new_verdict_asks_for_its_evidence_once_it_is_stored(
    acme, django_capture_on_commit_callbacks
):
    load(spec("a", ORDER, CARRIER))
    with django_capture_on_commit_callbacks(execute=True):
        observe(acme, fit_of("a"), built(acme), by="specs")

    asked = {str(fact.ref): fact.history.get().by for fact in acme.facts.open()}
    assert asked == {"data:label:Order": "spec:a", "data:label:Carrier": "spec:a"}


def test_a_wish_for_a_verdict_finds_its_spec(db):
    load(spec("a"))
    assert fitting.target_of(fit_of("a"), None) == "a"
    assert fitting.target_of(fit_of("b"), None) is None
    assert fitting.target_of(ORDERS, None) is None
    assert fitting.target_of(Ref.parse("account:feature-fit:a|b"), None) is None


def checks(account: Account) -> list[str]:
    found = Check.objects.filter(account=account, derivation="feature-fit")
    return list(found.order_by("target").values_list("target", flat=True))


def test_a_spec_in_force_is_to_be_judged_for_every_account(acme, globex, monkeypatch):
    load(spec("a"), spec("b"))
    assert OrmQ.objects.count() == 2  # one for each spec put in force

    monkeypatch.setattr(tasks, "ACCOUNTS_A_TASK", 1)
    tasks.follow()
    tasks.follow(after=acme.pk)

    assert checks(acme) == checks(globex) == ["a", "b"]
    assert OrmQ.objects.count() == 4  # and each full batch queued the next


def test_a_retired_spec_is_judged_for_nobody_and_its_verdicts_are_absent(acme):
    load(spec("a"), spec("b"))
    tasks.follow()
    check = Check.objects.get(derivation="feature-fit", target="a")
    store.observe(
        acme,
        store.Measurement(ref=fit_of("a"), version=0, value=built(acme)),
        by="specs",
        measured_from=NINE,
        now=NINE,
        check=check,
    )

    reviewing.retire("a", now=NINE)
    tasks.follow()

    assert checks(acme) == ["b"]
    assert acme.facts.at(fit_of("a")).get().value == {"absent": True}


def test_a_new_version_makes_its_verdicts_due(acme):
    load(spec("a"))
    tasks.follow()
    Check.objects.update(due_at=None)

    load(spec("a", CARRIER), now=NINE + DAY)

    assert Check.objects.get(derivation="feature-fit").due_at == NINE + DAY
