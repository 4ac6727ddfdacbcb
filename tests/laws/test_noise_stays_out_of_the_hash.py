"""Law 7: what says nothing moves no hash, and null, missing, empty and zero are four things."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection

from facts.derivations import Outcome
from facts.derivations.hashing import hash_of, parts_of
from facts.intake import IntegrationState, set_integrations
from facts.models import Fact, Integration
from tests.facts.derivations.deriving import TOTAL, is_due, run, target_in, total
from tests.facts.observing import DAY, MINUTE, NINE, observe, stored

LATER = NINE + 10 * MINUTE
SENDIFY = "account:integration:Sendify"


def built_from(inputs):
    return hash_of(parts_of(inputs), version="1")


def reads(derived, prefix="account:integration:"):
    """Let the derivation read facts under a prefix, whole values."""

    def inputs(target, reading):
        return {"values": {str(fact.ref): fact.value for fact in reading.under(prefix)}}

    derived.register(inputs=inputs, build=lambda inputs: {(None, TOTAL): {"n": len(inputs)}})


def integration(**said):
    return IntegrationState(name="Sendify", category="shipping", **{"healthy": True, **said})


def test_a_last_succeeded_time_that_moves_rebuilds_nothing(acme, derived):
    reads(derived)
    set_integrations(acme, [integration(last_succeeded=NINE)], now=NINE)
    run(acme)
    before = total(acme).built_from

    for minutes in range(1, 6):
        at = LATER + minutes * MINUTE
        set_integrations(acme, [integration(last_succeeded=at)], now=at)
        assert not is_due(acme, now=at + DAY)
        assert run(acme, now=at) == Outcome.CONFIRMED

    assert total(acme).built_from == before
    assert Integration.objects.get().last_succeeded == LATER + 5 * MINUTE

    set_integrations(acme, [integration(healthy=False)], now=LATER + DAY)
    assert run(acme, now=LATER + DAY) == Outcome.BUILT


def test_the_order_in_which_things_were_said_rebuilds_nothing(acme, derived):
    first = [integration(), IntegrationState(name="Bill", category="payments", healthy=True)]
    reads(derived)
    set_integrations(acme, first, now=NINE)
    run(acme)

    set_integrations(acme, first[::-1], now=LATER)

    assert run(acme, now=LATER) == Outcome.CONFIRMED


@pytest.mark.parametrize(
    "text",
    [
        '{"count": 10000000000000000, "fill": 0.5, "names": ["a", "b"]}',
        '{"names":["a","b"],"fill":5e-1,"count":1e16}',
        ' { "fill" : 0.5 , "count" : 1e+16 , "names" : [ "a" , "b" ] } ',
    ],
)
def test_how_json_was_written_rebuilds_nothing(acme, derived, text):
    reads(derived)
    observe(acme, SENDIFY, {"count": 10**16, "fill": 0.5, "names": ["a", "b"]}, by="integrations")
    run(acme)

    with connection.cursor() as cursor:  # as some other program would
        cursor.execute("UPDATE facts_fact SET value = %s WHERE kind = 'integration'", [text])

    assert run(acme, now=LATER) == Outcome.CONFIRMED


@pytest.mark.parametrize("count", [1e16, 10**400, 0.1 + 0.2, -0.0, 5e-324, 1.0])
def test_a_trip_through_the_database_rebuilds_nothing(acme, derived, count):
    """What the store took and what it gives back have one hash."""
    value = {"count": count}
    fact = observe(acme, SENDIFY, value, by="integrations")
    assert built_from({"v": stored(acme, SENDIFY).value}) == built_from({"v": value})

    observe(acme, SENDIFY, stored(acme, SENDIFY).value, by="integrations", now=LATER)
    assert stored(acme, SENDIFY).digest == fact.digest


def test_null_missing_empty_and_zero_rebuild_each(acme, derived):
    reads(derived)
    seen = set()
    for minutes, value in enumerate(({"n": None}, {}, {"n": []}, {"n": ""}, {"n": 0}, {"n": 0.0})):
        observe(acme, SENDIFY, value, by="integrations", now=NINE + minutes * MINUTE)
        assert run(acme, now=NINE + minutes * MINUTE) == Outcome.BUILT
        seen.add(total(acme).built_from)
    assert len(seen) == 6


def test_a_ref_never_measured_and_one_not_there_are_two_inputs(acme, derived):
    assert built_from({"values": {"a": None}}) != built_from({"values": {}})


def test_a_part_that_is_empty_is_not_one_that_is_missing():
    assert built_from({"labels": [], "failing": []}) != built_from({"labels": []})
    assert built_from({"labels": ["ab"], "failing": ["c"]}) != built_from(
        {"labels": ["a"], "failing": ["bc"]}
    )
    assert built_from({"a": ["b"]}) != built_from({"a": "b"})


def test_equal_instants_are_one_input_in_any_zone():
    here = datetime(2026, 3, 2, 9, tzinfo=UTC)
    there = here.astimezone(timezone(timedelta(hours=-8)))
    assert built_from({"at": here}) == built_from({"at": there})


def test_a_time_without_a_zone_is_refused(acme, derived):
    observe(acme, SENDIFY, {"healthy": True}, by="integrations")
    derived.register(inputs=lambda target, reading: {"at": datetime(2026, 3, 2, 9)})  # noqa: DTZ001
    assert run(acme) == Outcome.FAILED
    assert total(acme) is None
    assert target_in(acme).failures == 1


def test_two_processes_with_other_hash_seeds_find_one_hash():
    script = (
        "import django; django.setup()\n"
        "from facts.derivations.hashing import hash_of, parts_of\n"
        "names = {'Order', 'Carrier', 'Parcel', 'Invoice'}\n"
        "print(hash_of(parts_of({'b': names, 'a': {n: 1 for n in names}}), version='1'))"
    )
    names = {"Order", "Carrier", "Parcel", "Invoice"}
    here = built_from({"a": dict.fromkeys(names, 1), "b": names})
    for seed in ("0", "1", "2", "3"):
        told = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        )
        assert told.stdout.strip() == here


def test_requests_and_confirmations_of_an_input_are_no_input(acme, derived):
    reads(derived, "data:label:")
    observe(acme, "data:label:Order", {"count": 830})
    run(acme)
    fact = Fact.objects.get(kind="label")

    observe(acme, "data:label:Order", {"count": 830}, now=LATER)
    assert stored(acme, "data:label:Order").version == fact.version + 1

    assert run(acme, now=LATER) == Outcome.CONFIRMED
