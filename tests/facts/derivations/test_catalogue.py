from datetime import timedelta

import pytest

from facts import derivations, store
from facts.derivations import Outcome
from facts.derivations.catalogue import REF, build, measure_of, measures_of
from facts.lapses import ask_for_lapsed
from facts.models import Source, Table
from facts.refs import Ref
from tests.facts.derivations.deriving import count, is_due, run
from tests.facts.observing import DAY, MINUTE, NINE, observe, stored

LATER = NINE + 10 * MINUTE


@pytest.fixture
def shop(acme):
    """Acme with a source that was reflected, and two tables in it."""
    source = Source.objects.create(account=acme, encrypted_url="", reflected_at=NINE)
    for name, label in (("orders", "Order"), ("carriers", "Carrier")):
        Table.objects.create(account=acme, source=source, name=name, label=label, row_estimate=1000)
    return acme


def said(label, count, measure, trust, *, failing=False):
    """What the catalogue says of one label."""
    return {
        "label": label,
        "count": count,
        "measure": measure,
        "failing": failing,
        "trust": trust,
    }


def labels(account):
    return stored(account, REF).value["labels"]


@pytest.mark.parametrize(
    ("records", "measure"),
    [(0, 0), (1, 693), (9, 2303), (830, 6723), (10**9, 20723)],  # 1000 ln(1 + n), by calculator
)
def test_the_measure_of_data_grows_as_the_logarithm(records, measure):
    assert measure_of(records) == measure


def test_a_label_never_counted_weighs_as_estimated_else_as_the_heaviest():
    assert measures_of([830, None, None], [None, 9, None]) == [6723, 2303, 6723]
    assert measures_of([None, None], [None, None]) == [0, 0]
    assert measures_of([], []) == []


def test_labels_come_by_weight_and_then_by_name():
    built = build(
        {
            "labels": ["B", "A", "C"],
            "counts": [3, 3, 830],
            "estimates": [None, None, None],
            "failing": [False, True, False],
            "trust": ["believed", "unknown", "proven"],
        }
    )
    assert built == {
        (None, REF): {
            "labels": [
                said("C", 830, 6723, "proven"),
                said("A", 3, 1386, "unknown", failing=True),
                said("B", 3, 1386, "believed"),
            ]
        }
    }


def test_it_is_built_from_the_labels_as_they_stand(shop):
    count(shop, "Order", 830)
    assert run(shop, derivation="catalogue") == Outcome.BUILT
    assert labels(shop) == [
        said("Carrier", None, 6909, "unknown"),
        said("Order", 830, 6723, "believed"),
    ]


def test_a_label_that_can_not_be_read_says_so_and_keeps_its_count(shop):
    count(shop, "Order", 830)
    run(shop, derivation="catalogue")
    observe(shop, "data:label:Order", outcome="failed", failure="42501", now=LATER)
    run(shop, derivation="catalogue", now=LATER)
    (order,) = [each for each in labels(shop) if each["label"] == "Order"]
    assert (order["failing"], order["count"]) == (True, 830)


def test_trust_that_lapses_shows_in_it(shop):
    count(shop, "Order", 830)
    run(shop, derivation="catalogue")
    lapses_at = stored(shop, "data:label:Order").trust_lapses_at
    ask_for_lapsed(now=lapses_at)
    derivations.run_due(clock=lambda: lapses_at + MINUTE, account=shop)
    assert {each["label"]: each["trust"] for each in labels(shop)}["Order"] == "stale"


def test_an_estimate_that_moves_rebuilds_only_while_the_label_was_never_counted(shop):
    count(shop, "Order", 830)
    run(shop, derivation="catalogue")

    Table.objects.filter(label="Order").update(row_estimate=2000)
    assert run(shop, derivation="catalogue", now=LATER) == Outcome.CONFIRMED
    Table.objects.filter(label="Carrier").update(row_estimate=2000)
    assert run(shop, derivation="catalogue", now=LATER) == Outcome.BUILT


def test_a_table_that_is_gone_leaves_it(shop):
    count(shop, "Order", 830)
    count(shop, "Carrier", 3)
    run(shop, derivation="catalogue")
    Table.objects.filter(label="Carrier").update(gone_at=LATER)
    observe(shop, "data:label:Carrier", {"absent": True}, now=LATER)
    run(shop, derivation="catalogue", now=LATER)
    assert [each["label"] for each in labels(shop)] == ["Order"]


def test_what_was_only_asked_for_is_no_label(shop):
    store.request(shop, Ref.parse("data:label:Spaceship"), by="alice", now=NINE)
    run(shop, derivation="catalogue")
    assert {each["label"] for each in labels(shop)} == {"Carrier", "Order"}


def test_a_name_that_needs_encoding_is_shown_as_it_is(shop):
    Table.objects.create(account=shop, source=shop.sources.get(), name="a|b", label="A|b: 1%")
    count(shop, "A|b: 1%", 5)
    run(shop, derivation="catalogue")
    assert [each["label"] for each in labels(shop)] == ["Carrier", "Order", "A|b: 1%"]


def test_before_the_first_probe_there_is_none(acme):
    assert run(acme, derivation="catalogue") == Outcome.MISSING
    Source.objects.create(account=acme, encrypted_url="")
    count(acme, "Order", 830)
    assert run(acme, derivation="catalogue") == Outcome.MISSING
    assert acme.facts.at(REF).first() is None


def test_labels_that_a_program_observed_need_no_source(acme):
    count(acme, "Order", 830)
    assert run(acme, derivation="catalogue") == Outcome.BUILT
    assert not is_due(acme, now=NINE + 365 * DAY, derivation="catalogue")


def test_settling_an_account_builds_it(shop):
    count(shop, "Order", 830)
    assert derivations.settle(shop, clock=lambda: NINE)[Outcome.BUILT] >= 1
    again = NINE + timedelta(seconds=1)
    assert derivations.settle(shop, clock=lambda: again)[Outcome.BUILT] == 0
