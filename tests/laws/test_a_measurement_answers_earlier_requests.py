"""Law 3. A measurement answers the requests made before it started, and no others."""

import pytest

from facts import store
from facts.errors import BadMeasurement
from facts.models import Fact
from tests.facts.observing import MINUTE, NINE, ORDERS, observe, stored


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
