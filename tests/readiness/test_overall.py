from datetime import timedelta

import pytest

from facts import derivations
from facts.derivations import Outcome
from facts.models import Check, Source, Table
from facts.usage.queries import RunQuery
from facts.usage.taking import take
from readiness import overall
from readiness.reading import readiness_of
from tests.facts.observing import DAY, MINUTE, NINE, observe

LATER = NINE + MINUTE


@pytest.fixture
def shop(acme):
    source = Source.objects.create(account=acme, encrypted_url="-", reflected_at=NINE)
    for label, count in [("Order", 830), ("Customer", 91), ("Carrier", 6)]:
        Table.objects.create(account=acme, source=source, name=label.lower(), label=label)
        observe(acme, f"data:label:{label}", {"count": count})
    return acme


def settle(account, now=LATER):
    """What the runs of the account's readiness came to."""
    return derivations.settle(account, clock=lambda: now)


def levels(account, now=LATER):
    found = readiness_of(account, now=now)
    return found["level"], found["shown"], found["gap"]


def built_times(account):
    return account.facts.at(overall.REF).get().version


def test_an_account_whose_every_label_is_believed_is_ready(shop):
    settle(shop)

    assert levels(shop) == ("ready", 100, None)
    items = readiness_of(shop, now=LATER)["items"]
    # ln 831, ln 92 and ln 7 by a thousand: 6723, 4522 and 1946 of 13191
    assert [(item["label"], item["data"], item["weight"]) for item in items] == [
        ("Order", 6723, 0.5096),
        ("Customer", 4522, 0.3428),
        ("Carrier", 1946, 0.1475),
    ]


def test_an_unreadable_heavy_label_vetoes_and_the_gap_names_it(shop):
    observe(shop, "data:label:Carrier", outcome="failed", failure="42501", now=LATER)
    settle(shop)

    assert levels(shop) == ("almost-ready", 85, "Still learning Carrier.")
    assert readiness_of(shop, now=LATER)["vetoes"] == ["Carrier"]


def test_the_level_follows_when_trust_lapses_though_nothing_happened(shop):
    settle(shop)
    later = NINE + 29 * DAY
    for fact in shop.facts.filter(kind="label"):
        assert fact.trust_lapses_at <= later
    derivations.wake("catalogue", now=later, account=shop)  # as the tick does when trust lapses
    settle(shop, later)

    assert levels(shop, later) == ("not-ready", None, None)


def test_use_weighs_from_the_next_day_on_and_stands_still_for_that_day(shop):
    settle(shop)
    run = RunQuery("acme", "SELECT 1 FROM carrier", "sqlite", ok=False)
    take(shop, [run] * 3, now=LATER)
    derivations.wake("readiness", now=LATER, account=shop)
    settle(shop, LATER + MINUTE)
    assert [item["use"] for item in readiness_of(shop, now=LATER)["items"]] == [0, 0, 0]

    tomorrow = NINE + DAY
    derivations.wake("readiness", now=tomorrow, account=shop)
    settle(shop, tomorrow)

    items = readiness_of(shop, now=tomorrow)["items"]
    assert [(item["label"], item["use"]) for item in items] == [
        ("Carrier", 100),
        ("Order", 0),
        ("Customer", 0),
    ]
    assert Check.objects.get(derivation="readiness").due_at == (
        tomorrow.replace(hour=0) + DAY  # the next midnight, for use moves on with the days
    )


def test_without_use_nothing_is_due_by_itself(shop):
    settle(shop)

    assert Check.objects.get(derivation="readiness").due_at is None


def test_the_same_inputs_build_nothing(shop):
    settle(shop)
    version = built_times(shop)
    derivations.wake("readiness", now=LATER, account=shop)

    outcomes = settle(shop, LATER + MINUTE)

    assert outcomes[Outcome.BUILT] == 0
    assert built_times(shop) == version + 1  # confirmed, unbuilt


@pytest.mark.parametrize("setting", ["READY_AT", "NOT_READY_BELOW", "READY_TOP"])
def test_a_changed_cut_off_rebuilds(shop, settings, setting):
    settle(shop)
    setattr(settings, setting, 3)
    derivations.wake("readiness", now=LATER, account=shop)

    assert settle(shop, LATER + MINUTE)[Outcome.BUILT] >= 1


def test_before_the_first_probe_is_over_nothing_is_built(acme):
    Source.objects.create(account=acme, encrypted_url="-")
    settle(acme)

    assert Check.objects.get(derivation="readiness").built_from == ""
    assert levels(acme) == ("not-ready", None, None)
    assert not acme.facts.at(overall.REF).exclude(value=None).exists()


def test_an_unreachable_source_changes_no_level_before_trust_lapses(shop):
    settle(shop)
    before = levels(shop)
    Source.objects.update(failure="unreachable")
    derivations.wake("readiness", now=NINE + DAY, account=shop)
    settle(shop, NINE + DAY + timedelta(hours=1))

    assert levels(shop, NINE + DAY) == before
