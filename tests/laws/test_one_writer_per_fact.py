"""Law 1. A registry says which observer owns which kind; everybody else requests."""

import pytest

from facts import owners, store
from facts.errors import BadMeasurement, NotTheOwner, UnknownKind
from facts.models import Fact, Observation
from facts.refs import Ref
from tests.facts.observing import MINUTE, NINE, ORDERS, observe, stored
from tests.facts.program import problem, program


def test_the_owner_writes_what_it_measured(acme):
    observe(acme, value={"count": 830})

    fact = stored(acme)
    assert (fact.value, fact.version, fact.measured_at) == ({"count": 830}, 1, NINE)


def test_anybody_else_is_refused_and_nothing_changes(acme):
    observe(acme, value={"count": 830})
    before = Fact.objects.values().get()

    with pytest.raises(NotTheOwner, match="data:label is written by probe only, not by generation"):
        observe(acme, value={"count": 1}, by="generation", now=NINE + MINUTE)

    assert Fact.objects.values().get() == before
    assert Observation.objects.count() == 1


def test_one_foreign_line_in_a_batch_refuses_the_whole_batch(acme):
    lines = [
        store.Measurement(ref=ORDERS, version=0, value={"count": 1}),
        store.Measurement(ref=Ref.parse("data:hop:A|B|C"), version=0, value={"count": 1}),
    ]
    with pytest.raises(NotTheOwner):
        store.observe_many(acme, lines, by="generation", measured_from=NINE, now=NINE)

    assert not Fact.objects.exists()


def test_a_kind_nobody_owns_can_be_neither_observed_nor_requested(acme):
    with pytest.raises(UnknownKind, match="nobody observes such facts; the kinds are"):
        observe(acme, "data:weather:today")
    with pytest.raises(UnknownKind):
        store.request(acme, Ref.parse("data:weather:today"), by="generation", now=NINE)

    assert not Fact.objects.exists()


def test_a_second_owner_of_a_kind_cannot_be_registered():
    with pytest.raises(RuntimeError, match="data:label is owned by probe, not usage"):
        owners.register("data", "label", observer="usage")


def test_everybody_may_request_and_it_is_kept_by_whom(acme):
    store.request(acme, ORDERS, by="generation", now=NINE)
    store.request(acme, ORDERS, by="spec:late-orders", now=NINE + MINUTE)

    assert stored(acme).requested_at == NINE + MINUTE
    assert stored(acme).version == 0
    assert sorted(Observation.objects.values_list("by", "outcome")) == [
        ("generation", "requested"),
        ("spec:late-orders", "requested"),
    ]


@pytest.mark.parametrize(
    ("measured", "reason"),
    [
        ({"outcome": "measured"}, "the outcomes of a measurement are"),
        ({"outcome": "failed"}, "says why by a code"),
        ({"outcome": "failed", "failure": "no such table: orders"}, "is a code"),
        ({"failure": "42501"}, "says why by a code"),
        ({"asker": "reuse"}, "reuse confirms nothing"),
        ({"started": NINE + MINUTE}, "can't start in the future"),
    ],
)
def test_a_measurement_that_makes_no_sense_is_refused(acme, measured, reason):
    with pytest.raises(BadMeasurement, match=reason):
        observe(acme, **measured)

    assert not Fact.objects.exists()


def test_a_ref_that_stands_twice_in_a_batch_is_refused(acme):
    line = store.Measurement(ref=ORDERS, version=0, value={"count": 1})
    with pytest.raises(BadMeasurement, match="data:label:Order stands twice"):
        store.observe_many(acme, [line, line], by="probe", measured_from=NINE, now=NINE)


def test_observing_one_vocabulary_moves_no_other_fact(acme):
    of_status, of_kind = "data:vocabulary:Order|status", "data:vocabulary:Order|kind"
    for ref in (of_status, of_kind):
        observe(acme, ref, {"of": ref[16:], "type": "text", "values": [], "more": 0})
    before = Fact.objects.filter(key="Order|kind").values().get()

    observe(
        acme,
        of_status,
        {"of": "Order|status", "type": "text", "values": [], "more": 1},
        now=NINE + MINUTE,
    )

    assert Fact.objects.filter(key="Order|kind").values().get() == before
    assert stored(acme, of_status).version == 2


def test_over_http_a_wrong_observer_is_refused_with_403_and_nothing_changes(acme):
    observe(acme, value={"count": 830})
    before = Fact.objects.values().get()
    planner = program(acme, observer="plan")

    for answer in (
        planner.observe(str(ORDERS), 1, value={"count": 1}),
        planner.post(
            "facts/observations",
            {
                "measured_from": "2026-03-02T09:00:00Z",
                "measurements": [
                    {"ref": "account:plan:features", "version": 0, "value": {"features": []}},
                    {"ref": str(ORDERS), "version": 1, "value": {"count": 1}},
                ],
            },
        ),
    ):
        details = problem(answer)
        assert (details["status"], details["type"]) == (403, "/problems/not-the-owner")
        assert "written by probe only" in details["detail"]

    assert details["errors"][0]["pointer"] == "/measurements/1"
    assert Fact.objects.values().get() == before
    assert Observation.objects.count() == 1


def test_over_http_the_owner_writes(acme):
    answer = program(acme, observer="probe").observe(str(ORDERS), 0, value={"count": 7})

    assert answer.status_code == 201
    assert stored(acme).value == {"count": 7}
    assert stored(acme).history.get().by == "probe"
