"""The starter specs on real data: a trading company that Ken learns from nothing."""

import json
from dataclasses import replace

import pytest
from django.utils import timezone

from facts import derivations, store
from facts.intake import IntegrationState, set_integrations, set_plan
from facts.models import Account, Check
from facts.probing import connect
from facts.refs import Ref
from specs import asking, fitting, loading, reviewing, tasks
from specs.documents import parse, pretty
from specs.models import SpecVersion
from specs.needs import fit_of
from specs.wording import about
from tests.facts.probing.databases import given_postgres
from tests.specs.test_starter import FILES, STARTER

MAPPING = json.loads((STARTER / "mappings/northwind.json").read_text())

VERDICTS = {
    "carrier-comparison": ("ready", True, []),
    "invoice-reminders": (
        "not-ready",
        False,
        [
            "Invoice, at least 1: absent",
            "Invoice SENT_TO Customer, at least 0.9: absent",
            "dueAt of Invoice filled, at least 0.9: absent",
        ],
    ),
    "late-orders": ("ready", True, []),
    "refunds": (
        "not-ready",
        False,
        ["Refund, at least 1: absent", "Refund OF Order, at least 0.9: absent"],
    ),
    "repeat-customers": ("ready", True, []),
    "stock-alerts": ("ready", True, []),
    "supplier-scorecards": ("almost-ready", True, ["Delivery, at least 1: absent"]),
    "territory-reports": (
        "almost-ready",
        True,
        ["shipRegion of Order filled, at least 0.8: fill 0.39, at least 0.80"],
    ),
}
"""What each spec says of Northwind, whether it is usable, and the needs that decide."""

LACKS = {"supplier-scorecards": ["delivery data"], "territory-reports": ["shipRegion of Order"]}


@pytest.fixture
def starter(db) -> list[SpecVersion]:
    texts = {file.name: file.read_text() for file in FILES}
    return loading.load(texts, now=timezone.now())


def learn(account: Account) -> None:
    """What a first day brings: the database, the integrations and the plan."""
    learned = connect(account.external_id, given_postgres("northwind"), mapping=MAPPING)
    assert (learned.trouble, learned.failures, learned.conflicts) == ("", {}, [])
    now = timezone.now()
    set_integrations(
        account, [IntegrationState(name="dhl", category="shipping", healthy=True)], now=now
    )
    set_plan(account, ["reports"], now=now)


def judged(account: Account, spec_id: str) -> tuple[str, bool, list[str]]:
    judgement = asking.preview(spec_id, account, now=timezone.now())
    deciding = [f"{about(one.need)}: {one.figure}" for one in judgement.deciding]
    return str(judgement.verdict), judgement.usable, deciding


def test_each_starter_spec_judges_northwind_and_says_why(acme, starter):
    for version in starter:
        asking.judge_and_ask(version.spec_id, acme, now=timezone.now())

    learn(acme)
    derivations.settle(acme)

    assert {spec_id: judged(acme, spec_id) for spec_id in VERDICTS} == VERDICTS
    stored = {spec_id: acme.facts.at(fit_of(spec_id)).get().value for spec_id in VERDICTS}
    assert {spec_id: (value["verdict"], value["usable"]) for spec_id, value in stored.items()} == {
        spec_id: expected[:2] for spec_id, expected in VERDICTS.items()
    }
    assert {spec_id: stored[spec_id]["lacks"] for spec_id in LACKS} == LACKS


def test_the_figures_are_northwinds_own(acme, starter):
    learn(acme)
    judgement = asking.preview("late-orders", acme, now=timezone.now())
    assert [(str(one.state), one.figure) for one in judgement.needs] == [
        ("met", "count 830, at least 1"),
        ("met", "coverage 1.00, at least 0.50"),
        ("met", "fill 1.00, at least 0.60"),
        ("met", "fill 0.97, at least 0.60"),
        ("met", "healthy"),
    ]


def test_a_relation_of_an_empty_table_is_unknown_and_lowers_nothing(acme, starter):
    learn(acme)
    judgement = asking.preview("repeat-customers", acme, now=timezone.now())
    (segments,) = [one for one in judgement.needs if one.state == "unknown"]
    assert (about(segments.need), segments.figure) == (
        "CustomerSegment OF Customer, at least 0.5",
        "nothing to measure",
    )
    assert judgement.verdict == "ready"


@pytest.mark.parametrize("spec_id", ["late-orders", "refunds", "invoice-reminders"])
def test_from_an_empty_account_the_first_probe_settles_what_a_judging_asked_for(
    acme, starter, spec_id
):
    first = asking.judge_and_ask(spec_id, acme, now=timezone.now())
    assert {str(one.state) for one in first.needs} == {"unknown"}
    assert {fact.ref for fact in acme.facts.open()} == set(first.wants)

    learn(acme)

    second = asking.judge_and_ask(spec_id, acme, now=timezone.now())
    assert {str(one.state) for one in second.needs} <= {"met", "unmet"}
    assert (second.wants, second.asks) == ([], [])
    assert not acme.facts.open().filter(namespace="data").exists()
    assert not acme.facts.at(*first.wants).filter(value=None).exists()


def test_the_stored_verdicts_pull_their_evidence_in_by_themselves(
    acme, starter, django_capture_on_commit_callbacks
):
    """Nobody judges by hand: the derivation asks, the probe answers, the derivation rebuilds."""
    with django_capture_on_commit_callbacks(execute=True):
        derivations.settle(acme)
    late = acme.facts.at(fit_of("late-orders")).get()
    assert (late.value["verdict"], len(late.value["asks"])) == ("unknown", 5)

    with django_capture_on_commit_callbacks(execute=True):
        learn(acme)
        derivations.settle(acme)

    late.refresh_from_db()
    assert (late.value["verdict"], late.value["asks"]) == ("ready", [])


def test_an_integration_that_works_again_and_again_rebuilds_nothing(acme, starter):
    learn(acme)
    derivations.settle(acme)
    before = versions(acme)

    now = timezone.now()
    dhl = IntegrationState(name="dhl", category="shipping", healthy=True, last_succeeded=now)
    set_integrations(acme, [dhl], now=now)

    assert derivations.settle(acme) == {}
    assert versions(acme) == before


def test_an_integration_that_breaks_is_advice(acme, starter):
    learn(acme)
    derivations.settle(acme)
    broken = IntegrationState(name="dhl", category="shipping", healthy=False)
    set_integrations(acme, [broken], now=timezone.now())

    assert derivations.settle(acme)["built"] >= 1
    late = acme.facts.at(fit_of("late-orders")).get().value
    assert late["verdict"] == "ready"
    assert late["needs"][-1]["figure"] == "not healthy"
    assert not Check.objects.filter(derivation="feature-fit", failures__gt=0).exists()


def check_of(account: Account, label: str) -> Check:
    return Check.objects.get(account=account, table__label=label)


def versions(account: Account) -> dict[str, int]:
    return dict(account.facts.under("account:feature-fit:").values_list("key", "version"))


def rebuilt(account: Account, before: dict[str, int]) -> set[str]:
    """The specs whose verdicts are written anew; each was written once at most."""
    grown = {key: version - before[key] for key, version in versions(account).items()}
    assert set(grown.values()) <= {0, 1}
    return {key for key, by in grown.items() if by}


def test_retiring_a_spec_withdraws_its_demand_and_the_weight_of_its_requests(acme, starter):
    learn(acme)
    derivations.settle(acme)
    asked = [Ref.parse("data:label:Territory"), Ref.parse("data:label:Order")]
    store.request_many(acme, asked, by="spec:territory-reports", now=timezone.now())
    fit = Check.objects.get(derivation="feature-fit", target="territory-reports")
    wanted = fit.wanted + fit.demand
    before = {label: check_of(acme, label) for label in ("Territory", "Order", "Supplier")}
    assert wanted >= 1
    assert {check.weight - check.demand for check in before.values()} == {1}

    reviewing.retire("territory-reports", now=timezone.now())
    tasks.follow()

    after = {label: check_of(acme, label) for label in before}
    assert {label: before[label].weight - after[label].weight for label in before} == {
        "Territory": wanted,
        "Order": wanted,
        "Supplier": 0,
    }
    assert acme.facts.at(fit_of("territory-reports")).get().value == {"absent": True}
    assert "territory-reports" not in Check.objects.values_list("target", flat=True)


def test_a_new_version_is_built_once_and_the_same_document_not_at_all(acme, starter):
    learn(acme)
    derivations.settle(acme)
    late = parse((STARTER / "late-orders.json").read_text())
    before = versions(acme)

    loading.load({"late": pretty(late)}, now=timezone.now())
    derivations.settle(acme)
    assert rebuilt(acme, before) == set()

    late["needs"][0]["minCount"] = 1_000
    loading.load({"late": pretty(late)}, now=timezone.now())
    derivations.settle(acme)
    assert rebuilt(acme, before) == {"late-orders", "carrier-comparison"}  # which needs it
    assert {acme.facts.at(fit_of(key)).get().value["verdict"] for key in rebuilt(acme, before)} == {
        "not-ready"
    }


def test_new_code_builds_every_verdict_once(acme, starter):
    learn(acme)
    derivations.settle(acme)

    derivations.unregister(fitting.NAME)
    derivations.register(replace(fitting.FEATURE_FIT, version="next"))
    before = versions(acme)
    try:
        derivations.settle(acme)
        assert rebuilt(acme, before) == set(VERDICTS)
        derivations.settle(acme)
        assert rebuilt(acme, before) == set(VERDICTS)
    finally:
        derivations.unregister(fitting.NAME)
        derivations.register(fitting.FEATURE_FIT)
