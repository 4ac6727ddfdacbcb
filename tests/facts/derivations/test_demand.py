"""Demand goes down from what is wanted to the checks whose facts it is built on."""

import pytest

from facts import derivations, signals, store
from facts.models import Check, Fact, Source, Table
from facts.refs import Ref
from facts.store import Measurement
from tests.facts.derivations.deriving import run, target_in
from tests.facts.observing import MINUTE, NINE

LATER = NINE + 10 * MINUTE
ORDERS, CARRIERS = Ref.parse("data:label:Order"), Ref.parse("data:label:Carrier")
FILL = Ref.parse("data:fill:Order|promisedAt")


@pytest.fixture
def shop(acme):
    """Acme with two tables, each probed by a check that settled its facts."""
    source = Source.objects.create(account=acme, encrypted_url="", reflected_at=NINE)
    for name, refs in (("orders", [ORDERS, FILL]), ("carriers", [CARRIERS])):
        table = Table.objects.create(account=acme, source=source, name=name, label=name)
        check = Check.objects.create(
            account=acme, kind=Check.Kind.TABLE, source=source, table=table
        )
        lines = [Measurement(ref=ref, version=0, value={"count": 830}) for ref in refs]
        store.observe_many(acme, lines, by="probe", measured_from=NINE, now=NINE, check=check)
    return acme


def declare(derived, name, *reads, wanted=0.0, version="1"):
    """A derivation that wants so much, reads these, and builds ``account:total:<name>``."""

    def inputs(target, reading):
        found = []
        for read in reads:
            is_prefix = str(read).endswith((":", "|"))
            found += reading.under(read) if is_prefix else reading.at(read).values()
        return {"name": name, "values": [fact.value for fact in found]}

    derivations.unregister(name)
    derivations.register(
        derived.declared(
            name=name,
            version=version,
            inputs=inputs,
            build=lambda inputs: {(None, Ref.of("account", "total", inputs["name"])): {"n": 1}},
            demand=lambda target: wanted,
        )
    )


def demand(account, table):
    return Check.objects.get(account=account, table__name=table).demand


def test_what_is_read_has_the_demand_of_what_reads_it(shop, derived):
    declare(derived, "late-orders", ORDERS, wanted=2)
    run(shop, derivation="late-orders")
    assert (demand(shop, "orders"), demand(shop, "carriers")) == (2, 0)
    assert target_in(shop, "late-orders").weight == 3  # and one for being there


def test_two_that_read_one_check_add_up_and_one_that_reads_it_twice_counts_once(shop, derived):
    declare(derived, "late-orders", ORDERS, FILL, wanted=2)
    declare(derived, "refunds", ORDERS, "data:label:", wanted=5)
    run(shop, derivation="late-orders")
    run(shop, derivation="refunds")
    assert (demand(shop, "orders"), demand(shop, "carriers")) == (7, 5)


def test_demand_goes_down_through_what_is_derived_in_turn(shop, derived):
    declare(derived, "fit", ORDERS, wanted=1)
    declare(derived, "header", Ref.parse("account:total:fit"), wanted=10)
    run(shop, derivation="fit")
    run(shop, derivation="header")
    assert target_in(shop, "fit").demand == 10
    assert target_in(shop, "fit").weight == 1 + 1 + 10
    assert demand(shop, "orders") == 11


def test_demand_that_changes_is_counted_anew_without_a_build(shop, derived):
    declare(derived, "fit", ORDERS, wanted=1)
    run(shop, derivation="fit")
    declare(derived, "fit", ORDERS, wanted=4)
    assert run(shop, derivation="fit", now=LATER) == "confirmed"
    assert demand(shop, "orders") == 4


def test_what_is_read_no_longer_loses_the_demand(shop, derived):
    declare(derived, "fit", ORDERS, wanted=3)
    run(shop, derivation="fit")
    declare(derived, "fit", CARRIERS, wanted=3, version="2")
    run(shop, derivation="fit", now=LATER)
    assert (demand(shop, "orders"), demand(shop, "carriers")) == (0, 3)


def test_a_target_that_goes_withdraws_its_demand(shop, derived):
    declare(derived, "fit", ORDERS, wanted=3)
    run(shop, derivation="fit")
    derivations.unregister("fit")
    derivations.register(derived.declared(name="fit", targets=lambda account: []))
    derivations.sync_targets(shop, now=LATER, derivation="fit")
    assert demand(shop, "orders") == 0


def test_a_fact_that_finds_its_check_later_brings_the_demand_there(shop, derived):
    parcels = Ref.parse("data:label:Parcel")
    declare(derived, "fit", parcels, wanted=3)
    run(shop, derivation="fit")
    check = Check.objects.get(table__name="carriers")
    line = Measurement(ref=parcels, version=0, value={"count": 1})
    store.observe(shop, line, by="probe", measured_from=LATER, now=LATER, check=check)

    run(shop, derivation="fit", now=LATER)

    assert demand(shop, "carriers") == 3


def test_another_account_s_demand_stays_there(shop, globex, derived):
    declare(derived, "fit", ORDERS, wanted=3)
    run(globex, derivation="fit")
    assert demand(shop, "orders") == 0


def test_whoever_schedules_checks_is_told_once_of_what_moved(shop, derived):
    told = []

    def note(checks, **_):
        told.append({check.table and check.table.name for check in checks})

    signals.demanded.connect(note)
    declare(derived, "fit", ORDERS, wanted=3)
    run(shop, derivation="fit")
    run(shop, derivation="fit", now=LATER)
    signals.demanded.disconnect(note)
    assert told == [{"orders"}]
    assert Fact.objects.filter(kind="total").count() == 1
