"""The page of the budget: spending, what is next, what is abandoned, failures, the heartbeat."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from facts import heartbeat
from facts.ledgers import Spending
from facts.models import Fact, Source
from facts.scheduling import overview
from tests.facts.observing import DAY, NINE, observe
from tests.facts.scheduling.sources import a_check, a_source

PAGE = "/admin/facts/ledger/"
HOUR = timedelta(hours=1)


def spend(source, *, hour, seconds, checks=1, failures=0):
    Spending.objects.create(
        account=source.account,
        source=source,
        hour=hour,
        seconds=seconds,
        checks=checks,
        failures=failures,
    )


def page(client):
    answer = client.get(PAGE)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def test_spending_is_told_by_source_and_hour(acme):
    dear, cheap = a_source(acme, "dear", seconds_per_hour=60), a_source(acme, "cheap")
    spend(dear, hour=NINE, seconds=5, checks=3, failures=1)
    spend(dear, hour=NINE - 2 * HOUR, seconds=2)
    spend(dear, hour=NINE - 24 * HOUR, seconds=99)
    spend(cheap, hour=NINE, seconds=1)

    told, more = overview.spending(now=NINE + timedelta(minutes=5))

    assert [(each.source.name, each.total, each.this_hour) for each in told] == [
        ("dear", 7, 5),
        ("cheap", 1, 1),
    ]
    assert (told[0].checks, told[0].failures, more) == (4, 1, 0)
    assert len(told[0].hours) == 24
    assert told[0].hours[-3:] == [(NINE - 2 * HOUR, 2), (NINE - HOUR, 0), (NINE, 5)]


def test_what_is_left_is_what_a_claim_would_find(acme):
    source = a_source(acme, seconds_per_hour=60, credit=-10.0)
    spend(source, hour=NINE, seconds=70)
    ((told,), _) = overview.spending(now=NINE + timedelta(minutes=30))
    assert told.left == 20


def test_a_long_list_of_sources_says_how_many_more_there_are(acme):
    for number in range(23):
        spend(a_source(acme, f"source {number:02}"), hour=NINE, seconds=number)
    told, more = overview.spending(now=NINE)
    assert (len(told), more) == (20, 3)
    assert told[0].source.name == "source 22"


def test_the_ten_most_worth_checking_are_those_due_first_and_nobody_s(acme):
    source = a_source(acme)
    for number in range(12):
        a_check(source, f"T{number:02}", due_at=NINE + number * HOUR)
    a_check(source, "Leased", due_at=NINE - HOUR, lease_until=NINE + HOUR)
    a_check(source, "Worthless", due_at=NINE - HOUR, due_because="floor")
    labels = [check.table.label for check in overview.most_worth_checking()]
    assert labels == [f"T{number:02}" for number in range(10)]


def test_what_the_budget_abandons_is_counted_by_source_and_the_heaviest_named(acme):
    poor, other = a_source(acme, "poor"), a_source(acme, "other")
    a_check(poor, "Heavy", due_because="floor", weight=5, due_at=NINE + 3 * DAY)
    a_check(poor, "Light", due_because="floor", weight=1, due_at=NINE + DAY)
    a_check(other, "Worthy", due_because="worth", weight=9)
    left = overview.abandoned()
    assert left.count == 2
    assert [(source.name, count, due) for source, count, due in left.by_source] == [
        ("poor", 2, NINE + DAY)
    ]
    assert [check.table.label for check in left.heaviest] == ["Heavy", "Light"]


def test_failures_are_told_by_code(acme):
    a_source(acme, "down", failure="timeout")
    a_check(a_source(acme), failures=2)
    observe(acme, outcome="failed", failure="42501")
    Fact.objects.create(
        account=acme, namespace="data", kind="label", key="Customer", failure="42501"
    )
    assert overview.failures() == [
        ("sources", "timeout", 1),
        ("checks", "in a row", 1),
        ("facts", "42501", 2),
    ]


def test_the_page_tells_it_all_in_a_fixed_number_of_queries(
    acme, support, django_assert_max_num_queries
):
    source = a_source(acme, "main", seconds_per_hour=60)
    spend(source, hour=timezone.now().replace(minute=0, second=0, microsecond=0), seconds=7.25)
    a_check(source, "Order", due_at=timezone.now() + DAY, weight=3)
    a_check(source, "Carrier", due_because="floor", due_at=timezone.now() + 9 * DAY)
    for number in range(15):
        a_check(source, f"T{number}", due_at=timezone.now() + 5 * DAY)
    with django_assert_max_num_queries(22):
        said = page(support)
    assert "never started" in said
    assert "main" in said
    assert "7.2 s" in said
    assert "table Order" in said
    assert "Abandoned at these budgets: 1" in said
    assert "Everything can be read." in said


def test_the_page_says_how_the_workers_are(support):
    assert "never started" in page(support)
    heartbeat.beat(heartbeat.QUEUE, now=timezone.now() - HOUR)
    assert "silent" in page(support)
    heartbeat.beat(heartbeat.QUEUE, now=timezone.now())
    assert "at work" in page(support)


def test_an_empty_house_has_a_page_too(support):
    said = page(support)
    for nothing in (
        "Nothing was spent.",
        "Nothing waits to be checked.",
        "Everything can be read.",
    ):
        assert nothing in said


def test_what_somebody_named_a_source_is_text_on_the_page(acme, support):
    source = a_source(acme, "<b>main</b>")
    spend(source, hour=timezone.now().replace(minute=0, second=0, microsecond=0), seconds=1)
    assert b"<b>main</b>" not in support.get(PAGE).content


@pytest.mark.parametrize("seconds", ["0", "-5", "nan", "inf", ""])
def test_an_operator_can_t_set_a_budget_of_nothing(acme, operator, seconds):
    source = a_source(acme)
    answer = operator.post(
        f"/admin/facts/source/{source.pk}/change/",
        {
            "account": acme.pk,
            "name": "main",
            "url": "",
            "mapping": "{}",
            "seconds_per_hour": seconds,
            "concurrency": "1",
            "row_limit": "1000",
        },
    )
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert Source.objects.get().seconds_per_hour == 120
