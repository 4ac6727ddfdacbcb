from facts.models import Observation
from tests.facts.derivations.deriving import TOTAL, count, run, total
from tests.facts.observing import MINUTE, NINE


def records_of(_ref, value):
    return {"records": value["records"]}


def kept(account):
    lines = Observation.objects.filter(fact=total(account)).exclude(outcome="requested")
    return [line.figures for line in lines.order_by("last_at")]


def test_figures_a_derivation_declares_stay_with_each_of_its_measurements(acme, derived):
    derived.register(figures=records_of)
    count(acme, "Order", 830)
    run(acme)
    count(acme, "Order", 831, now=NINE + MINUTE)
    run(acme, now=NINE + MINUTE)
    run(acme, now=NINE + 2 * MINUTE)  # confirmed, unbuilt

    assert kept(acme) == [{"records": 830}, {"records": 831}, {"records": 831}]


def test_what_became_absent_has_no_figures(acme, derived):
    derived.register(figures=records_of)
    count(acme, "Order", 830)
    run(acme)
    derived.result = lambda inputs: {}
    count(acme, "Order", 0, now=NINE + MINUTE)
    run(acme, now=NINE + MINUTE)

    assert kept(acme) == [{"records": 830}, None]


def test_a_derivation_that_declares_none_leaves_none(acme, derived):
    count(acme, "Order", 830)
    run(acme)

    assert (kept(acme), total(acme).ref) == ([None], TOTAL)
