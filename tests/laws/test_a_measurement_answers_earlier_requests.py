"""Law 3. A measurement answers the requests made before it started, and no others."""

import pytest
import time_machine

from facts import store
from facts.errors import BadMeasurement
from facts.models import Fact
from tests.facts.observing import MINUTE, NINE, ORDERS, observe, stored
from tests.facts.program import problem, program


def test_a_request_made_while_the_measurement_ran_is_still_open(acme):
    store.request(acme, ORDERS, by="generation", now=NINE)
    store.request(acme, ORDERS, by="generation", now=NINE + 2 * MINUTE)

    observe(acme, started=NINE + MINUTE, now=NINE + 3 * MINUTE)

    assert stored(acme).is_open
    assert list(Fact.objects.open()) == [stored(acme)]


def test_a_request_made_before_the_measurement_started_is_answered(acme):
    store.request(acme, ORDERS, by="generation", now=NINE)

    observe(acme, started=NINE + MINUTE, now=NINE + 3 * MINUTE)

    assert not stored(acme).is_open
    assert not Fact.objects.open().exists()


def test_a_request_at_the_very_instant_the_measurement_started_is_open(acme):
    store.request(acme, ORDERS, by="generation", now=NINE)

    observe(acme, started=NINE, now=NINE + MINUTE)

    assert stored(acme).is_open


def test_a_failed_measurement_answers_nothing(acme):
    store.request(acme, ORDERS, by="generation", now=NINE)

    observe(acme, outcome="failed", failure="57014", started=NINE + MINUTE, now=NINE + MINUTE)

    assert stored(acme).is_open


@pytest.mark.parametrize(
    "said", [("used", "generation"), ("measured", "run"), ("confirmed", "reuse")]
)
def test_use_readings_and_reuse_answer_nothing_and_move_nothing(acme, said):
    outcome, by = said
    observe(acme)
    store.request(acme, ORDERS, by="generation", now=NINE + MINUTE)
    before = Fact.objects.values().get()

    assert store.record(acme, [ORDERS], outcome=outcome, by=by, now=NINE + 2 * MINUTE) == 1

    assert Fact.objects.values().get() == before
    assert stored(acme).is_open


def test_an_older_request_told_late_does_not_move_the_newest_back(acme):
    store.request(acme, ORDERS, by="generation", now=NINE + MINUTE)
    store.request(acme, ORDERS, by="staff", now=NINE)

    assert stored(acme).requested_at == NINE + MINUTE


def test_a_measurement_said_to_start_in_the_future_is_refused(acme):
    with pytest.raises(BadMeasurement):
        observe(acme, started=NINE + MINUTE, now=NINE)

    assert not Fact.objects.exists()


@pytest.mark.parametrize(("started", "is_open"), [("09:01", True), ("09:03", False)])
def test_over_http_only_a_measurement_started_after_the_request_answers_it(acme, started, is_open):
    with time_machine.travel(NINE, tick=False) as clock:
        reader, prober = program(acme), program(acme, observer="probe", name="importer")
        reader.post(f"facts/requests/{ORDERS}")
        clock.move_to(NINE + 2 * MINUTE)
        reader.post(f"facts/requests/{ORDERS}")
        clock.move_to(NINE + 3 * MINUTE)

        answer = prober.observe(str(ORDERS), 0, measured_from=f"2026-03-02T{started}:00Z")

    assert (answer.status_code, answer.json()["open"]) == (201, is_open)
    assert stored(acme).is_open == is_open


def test_over_http_a_measurement_from_the_future_is_refused(acme):
    with time_machine.travel(NINE, tick=False):
        prober = program(acme, observer="probe")

        answer = prober.observe(str(ORDERS), 0, measured_from="2026-03-02T09:00:01Z")

    assert problem(answer)["type"] == "/problems/bad-measurement"
    assert not Fact.objects.exists()
