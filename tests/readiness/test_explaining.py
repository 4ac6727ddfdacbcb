"""Explaining a fact, from what is derived down to the checks that measure it."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from facts import derivations, store
from facts.canonical import digest
from facts.errors import UnknownRef
from facts.models import Check, Fact
from facts.refs import Ref
from facts.scheduling.due import Stakes, due
from facts.scheduling.reckoning import reckon
from facts.worth import value
from readiness.explaining import explain
from readiness.telling import lines
from tests.facts.observing import DAY, MINUTE, NINE, ORDERS, observe
from tests.facts.scheduling.sources import a_check, a_source

CATALOGUE = Ref.parse("account:catalogue:data")
LATER = NINE + DAY


@pytest.fixture
def orders(acme):
    """The check of a table that two asked about since it was measured at nine."""
    source = a_source(acme, seconds_per_hour=60, threshold=20.0, reflected_at=NINE)
    check = a_check(source, last_checked=NINE, cost=0.25, demand=2)
    observe(acme, now=NINE)
    acme.facts.at(ORDERS).update(settled_by=check)
    store.request(acme, ORDERS, by="generation", now=NINE + MINUTE)
    store.request(acme, ORDERS, by="staff", now=NINE + 2 * MINUTE)
    reckon([check.pk], now=LATER)
    check.refresh_from_db()
    return check


def told(acme, ref=ORDERS):
    return explain(acme, ref, now=LATER)


def test_a_measured_fact_names_its_check_and_why_it_is_due_when_it_is(acme, orders):
    (check,) = told(acme)["checks"]

    assert (check["check"], check["source"]) == ("table Order", "main")
    assert check["weight"] == {"total": 5, "askers": 2, "use": 0, "demand": 2}
    assert check["change_rate"] == {"a": 1, "b": 7, "per_day": 1 / 7}
    assert (check["cost"], check["threshold"], check["budget"]) == (0.25, 20, 60)
    assert check["last_checked"] == NINE
    assert [(request["by"], request["at"]) for request in check["requests"]] == [
        ("staff", NINE + 2 * MINUTE),
        ("generation", NINE + MINUTE),
    ]


def test_the_due_time_told_follows_from_the_figures_told(acme, orders):
    (check,) = told(acme)["checks"]
    stakes = Stakes(
        key=orders.pk,
        weight=check["weight"]["total"],
        cost=check["cost"],
        a=check["change_rate"]["a"],
        b=check["change_rate"]["b"],
        threshold=check["threshold"],
        longest_wait=check["longest_wait"],
        last_checked=check["last_checked"],
    )
    assert due(stakes, now=LATER) == (check["due_at"], check["because"])
    assert check["worth"]["price"] == 5
    assert check["worth"]["bought_now"] == value(1, stakes.terms)
    assert NINE + check["worth"]["after_days"] * DAY == check["due_at"]


def test_a_derived_fact_is_explained_down_to_the_checks_below_it(acme, orders):
    derivations.settle(acme, clock=lambda: LATER)
    explained = told(acme, CATALOGUE)
    assert explained["derived"]["derivation"] == "catalogue"
    assert [check["check"] for check in explained["checks"]] == ["table Order"]


def test_explaining_stores_nothing(acme, orders, django_assert_max_num_queries):
    before = list(Fact.objects.values()), list(type(orders).objects.values())
    with django_assert_max_num_queries(8):
        told(acme)
    assert (list(Fact.objects.values()), list(type(orders).objects.values())) == before


def test_another_account_s_fact_is_unknown(acme, globex, orders):
    with pytest.raises(UnknownRef):
        told(globex)


def test_a_person_reads_it_in_lines(acme, orders):
    said = list(lines(told(acme)))
    assert said[0] == (
        "data:label:Order: believed, version 1 measured 2026-03-02 09:00:00 UTC,"
        " asked for 2026-03-02 09:02:00 UTC"
    )
    assert said[1:3] == ["", "check of table Order, source main"]
    assert "  weight 5 = 1 + 2 open askers + 0 uses a day + 2 demand" in said
    assert "  changes 0.143 times a day (a 1 in b 7 days)" in said
    assert (
        "  costs 0.25 seconds, of 60 an hour;"
        " threshold 20 weighted days of freshness a second" in said
    )
    assert "  last checked 2026-03-02 09:00:00 UTC" in said
    assert "  staff asked for data:label:Order 2026-03-02 09:02:00 UTC" in said


def test_a_derived_fact_is_read_in_lines_that_indent_with_each_floor(acme, orders):
    derivations.settle(acme, clock=lambda: LATER)
    said = list(lines(told(acme, CATALOGUE)))
    assert said[0].startswith("account:catalogue:data: ")
    assert any(line.startswith("  built by catalogue, code ") for line in said)
    assert any(line.startswith("    data:label:Order: believed") for line in said)


def test_what_changed_since_it_was_built_is_read_in_lines_by_hash(acme, orders):
    derivations.settle(acme, clock=lambda: LATER)
    parts = Check.objects.get(derivation="catalogue").built_parts
    observe(acme, ORDERS, {"count": 831}, now=LATER + MINUTE)

    said = list(lines(explain(acme, CATALOGUE, now=LATER + MINUTE)))

    assert f"  input labels: {parts['labels'][:12]}" in said
    was, now = parts["counts"][:12], digest([831])[:12]
    assert f"  input counts: changed, {was} -> {now}" in said
    (orders_line,) = [line for line in said if line.startswith("    data:label:Order: ")]
    assert "newer than what was built from it" in orders_line


def command(*arguments):
    out = StringIO()
    call_command("explain", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_lines_or_json(acme, orders):
    assert command("acme", "data:label:Order").startswith("data:label:Order: ")
    plain = json.loads(command("acme", "data:label:Order", "--json"))
    assert plain["checks"][0]["cost"] == 0.25


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody", "data:label:Order"], "no account has the id 'nobody'"),
        (["acme", "data:label:Ghost"], "nothing is known or asked for at data:label:Ghost"),
        (["acme", "Order"], "a ref starts with one of"),
        (["acme", "data:label:Order", "--person", "eve"], "has no person 'eve'"),
    ],
)
def test_bad_input_is_refused_in_one_line(acme, orders, arguments, said):
    with pytest.raises(CommandError) as refused:
        command(*arguments)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
