from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, transaction

from facts.derivations import Outcome
from facts.derivations.dependencies import dependents_of
from facts.errors import BadRef
from facts.models import Fact
from facts.refs import Ref, demand_prefix, prefixes
from tests.facts.derivations.deriving import count, rests_on, run, target_in, total
from tests.facts.observing import MINUTE, NINE

LATER = NINE + 10 * MINUTE

WAITS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def reading(derived, *places):
    """Let ``total`` read these refs and prefixes."""

    def inputs(target, reading):
        for place in places:
            if place.endswith((":", "|")):
                reading.under(place)
            else:
                reading.at(Ref.parse(place))
        return {"counts": {}}

    derived.register(inputs=inputs)


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("data:label:Order", ["data:label:"]),
        ("data:fill:Order|promisedAt", ["data:fill:", "data:fill:Order|"]),
        ("data:hop:A|B|C", ["data:hop:", "data:hop:A|", "data:hop:A|B|"]),
    ],
)
def test_a_ref_is_under_its_kind_and_the_whole_names_it_starts_with(ref, found):
    assert prefixes(Ref.parse(ref)) == found


@pytest.mark.parametrize(
    "prefix", ["data:", "data:label:Ord", "data:hop:A|B", "label:", "", "data:label:|"]
)
def test_a_prefix_ends_where_a_name_does(prefix):
    with pytest.raises(BadRef):
        demand_prefix(prefix)


@pytest.mark.parametrize(
    ("place", "ref", "rests"),
    [
        ("data:fill:Order|promisedAt", "data:fill:Order|promisedAt", True),
        ("data:fill:Order|promisedAt", "data:fill:Order|promised", False),
        ("data:fill:Order|", "data:fill:Order|promisedAt", True),
        ("data:fill:Order|", "data:fill:OrderLine|sku", False),
        ("data:fill:", "data:fill:OrderLine|sku", True),
        ("data:fill:", "data:label:Order", False),
        ("data:hop:A|B|", "data:hop:A|B|C", True),
        ("data:hop:A|B|", "data:hop:A|X|C", False),
    ],
)
def test_a_target_rests_on_what_it_reads_and_on_nothing_else(acme, derived, place, ref, rests):
    reading(derived, place)
    run(acme)
    parsed = Ref.parse(ref)
    fact = Fact(namespace=parsed.namespace, kind=parsed.kind, key=parsed.key)
    assert dependents_of(acme, [fact]) == ({target_in(acme).pk} if rests else set())


def test_what_is_read_is_noted_and_what_no_longer_is_is_forgotten(acme, derived):
    reading(derived, "data:label:", "data:label:Order")
    run(acme)
    assert rests_on(target_in(acme)) == {("data:label:", None), ("data:label:Order", None)}
    reading(derived, "data:label:Order", "data:label:Carrier")
    run(acme, now=LATER)
    assert rests_on(target_in(acme)) == {("data:label:Order", None), ("data:label:Carrier", None)}


def test_a_target_that_reads_on_and_on_fails_and_says_so(acme, derived):
    numbers = iter(range(1000))

    def inputs(target, reading):
        reading.at(Ref.of("data", "label", f"T{next(numbers)}"))
        return {"counts": {}}

    count(acme, "Order", 830)
    run(acme)
    derived.register(version="2", inputs=inputs)
    assert run(acme, now=LATER) == Outcome.FAILED
    assert total(acme).failure == "unsettled-inputs"


def test_looking_for_dependents_takes_two_statements_however_much_changed(
    acme, derived, django_assert_num_queries
):
    run(acme)
    facts = [Fact(namespace="data", kind="label", key=f"T{n}") for n in range(500)]
    target = target_in(acme).pk
    with django_assert_num_queries(2):
        assert dependents_of(acme, facts) == {target}


@pytest.mark.django_db(transaction=True)
def test_a_change_under_way_while_a_target_first_says_what_it_reads_is_not_missed(acme, derived):
    """The observer looked for dependents before there were any, and commits after the first read.

    Whoever writes rows that are new waits for it, so that the read that counts comes after.
    """
    count(acme, "Order", 830)
    changed, built = Event(), Event()

    def observe():
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                count(acme, "Order", 840, now=LATER)
                changed.set()
                while not built.is_set():
                    cursor.execute(WAITS)
                    if cursor.fetchone()[0]:
                        break
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as workers:
        observer = workers.submit(observe)
        changed.wait()
        outcome = run(acme, now=LATER)
        built.set()
        observer.result()

    assert outcome == Outcome.BUILT
    assert total(acme).value == {"records": 840}
