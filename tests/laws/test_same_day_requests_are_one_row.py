"""Law 4. Same-day requests by the same asker are one row, so that a history spans days."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
import time_machine

from facts import store
from facts.models import Observation
from facts.refs import Ref
from tests.facts.observing import DAY, MINUTE, NINE, ORDERS, observe
from tests.facts.program import program


def rows():
    return list(
        Observation.objects.filter(outcome="requested")
        .order_by("day", "by")
        .values_list("by", "count", "first_at", "last_at")
    )


def test_five_hundred_requests_of_a_day_and_asker_are_one_row(acme):
    for number in range(500):
        store.request(acme, ORDERS, by="generation", now=NINE + number * timedelta(seconds=60))

    assert rows() == [("generation", 500, NINE, NINE + 499 * MINUTE)]


def test_the_day_ends_at_midnight_utc_whatever_the_clocks_zone(acme):
    east = timezone(timedelta(hours=9))
    before_midnight = datetime(2026, 3, 2, 23, 59, tzinfo=UTC)
    store.request(acme, ORDERS, by="generation", now=before_midnight.astimezone(east))
    store.request(acme, ORDERS, by="generation", now=before_midnight + 2 * MINUTE)

    assert [count for _, count, _, _ in rows()] == [1, 1]


def test_each_asker_has_a_row_of_its_own(acme):
    store.request(acme, ORDERS, by="generation", now=NINE)
    store.request(acme, ORDERS, by="staff", now=NINE)
    store.request(acme, ORDERS, by="staff", now=NINE + MINUTE)

    assert [(by, count) for by, count, _, _ in rows()] == [("generation", 1), ("staff", 2)]


def test_a_ref_named_twice_in_one_call_is_one_request(acme):
    store.request_many(acme, [ORDERS, Ref.parse("data:label:Order")], by="generation", now=NINE)

    assert [count for _, count, _, _ in rows()] == [1]


def test_uses_fold_likewise_and_measurements_stay_one_row_each(acme):
    for minute in range(3):
        observe(acme, now=NINE + minute * MINUTE)
        store.record(acme, [ORDERS], outcome="used", by="generation", now=NINE + minute * MINUTE)

    assert list(Observation.objects.filter(outcome="used").values_list("count")) == [(3,)]
    assert Observation.objects.filter(outcome="confirmed").count() == 3


@pytest.mark.parametrize("days", [1, 30])
def test_a_busy_facts_last_rows_span_days(acme, days):
    for day in range(days):
        for minute in range(20):
            store.request(acme, ORDERS, by="generation", now=NINE + day * DAY + minute * MINUTE)

    assert len(rows()) == days


def test_requests_of_thousands_take_two_statements(acme, django_assert_max_num_queries):
    refs = [Ref.of("data", "label", f"T{n}") for n in range(1_000)]
    with django_assert_max_num_queries(5):  # with a savepoint, and one that wakes the checks
        store.request_many(acme, refs, by="generation", now=NINE)


def test_over_http_a_days_requests_of_one_token_are_one_row(acme):
    before_midnight = datetime(2026, 3, 2, 23, 59, tzinfo=UTC)
    with time_machine.travel(NINE, tick=False) as clock:
        reader, other = program(acme), program(acme, name="planner")
        one, many = f"facts/requests/{ORDERS}", "facts/requests"
        for path, body in ((many, {"refs": [str(ORDERS)]}), (one, None)) * 3:
            assert reader.post(path, body).status_code == 202
            clock.shift(MINUTE)
        other.post(f"facts/requests/{ORDERS}")
        clock.move_to(before_midnight)
        reader.post(f"facts/requests/{ORDERS}")
        clock.move_to(before_midnight + 2 * MINUTE)
        reader.post(f"facts/requests/{ORDERS}")

    after_midnight = before_midnight + 2 * MINUTE
    assert rows() == [
        ("crm", 7, NINE, before_midnight),
        ("planner", 1, NINE + 6 * MINUTE, NINE + 6 * MINUTE),
        ("crm", 1, after_midnight, after_midnight),
    ]
