"""Specs in force and stored verdicts over HTTP."""

import pytest

from facts import derivations
from facts.models import Check, Fact
from specs import reviewing
from specs.needs import fit_of
from tests.facts.observing import MINUTE, NINE, observe
from tests.facts.program import problem, program
from tests.specs.loaded import CARRIER, ORDER, load, spec

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(acme):
    return program(acme)


def settle(account):
    derivations.settle(account, clock=lambda: NINE + MINUTE)


def test_the_specs_in_force_are_listed_by_id(reader):
    load(spec("b", ORDER), spec("a", CARRIER) | {"title": "Late orders"})
    load(spec("b", CARRIER))

    results = reader.get("specs").json()["results"]

    assert [(each["id"], each["title"], each["version"]) for each in results] == [
        ("a", "Late orders", 1),
        ("b", "B", 2),
    ]
    assert results[1]["document"] == spec("b", CARRIER)
    assert results[0]["active_from"] == "2026-03-02T09:00:00Z"


def test_specs_come_in_pages(reader):
    load(*(spec(f"s-{number}", ORDER) for number in range(5)))

    first = reader.get("specs?page_size=3").json()
    second = reader.get(first["next"].removeprefix("http://testserver/api/v1/")).json()

    assert [each["id"] for each in first["results"] + second["results"]] == [
        "s-0", "s-1", "s-2", "s-3", "s-4",
    ]  # fmt: skip


def test_one_spec_is_read_as_it_is_in_force(reader):
    load(spec("a", ORDER))
    draft = reviewing.new_version(load(spec("a", ORDER))[0].spec, spec("a", CARRIER),
                                  author=None, now=NINE)  # fmt: skip

    assert draft.number == 2
    assert reader.get("specs/a").json()["version"] == 1


def test_a_spec_that_is_not_in_force_is_told_as_unknown_without_its_name(reader):
    details = problem(reader.get("specs/anna-smith"))

    assert (details["status"], details["type"]) == (404, "/problems/unknown-spec")
    assert "anna" not in str(details)


def test_a_verdict_is_read_as_stored_and_nothing_is_judged(acme, reader, django_assert_num_queries):
    load(spec("a", ORDER))
    observe(acme)
    settle(acme)
    reader.get("verdicts/a")
    Fact.objects.filter(kind="label").update(value={"count": 0})  # behind the store's back
    Check.objects.update(due_at=None)

    told = reader.get("verdicts/a").json()

    assert (told["verdict"], told["usable"], told["lacks"]) == ("ready", True, [])
    assert told["needs"][0]["figure"] == "count 830, at least 1"
    assert (told["trust"], told["measured_at"]) == ("stale", "2026-03-02T09:01:00Z")
    assert acme.facts.at(fit_of("a")).get().is_open


def test_a_spec_not_judged_yet_is_unknown_and_asked_for(acme, reader):
    load(spec("a", ORDER))

    told = reader.get("verdicts/a").json()

    assert (told["verdict"], told["usable"], told["measured_at"]) == ("unknown", False, None)
    assert acme.facts.at(fit_of("a")).get().is_open


def test_of_an_unknown_spec_there_is_no_verdict_and_no_trace(acme, reader):
    load(spec("a", ORDER))

    assert problem(reader.get("verdicts/b"))["type"] == "/problems/unknown-spec"
    assert not acme.facts.at(fit_of("b")).exists()


def test_verdicts_are_listed_by_what_they_say(acme, reader):
    load(spec("a", ORDER), spec("b", CARRIER), spec("c", {**CARRIER, "level": "IMPROVES"}))
    observe(acme)
    observe(acme, "data:label:Carrier", {"count": 0})
    settle(acme)

    def told(query=""):
        return [
            (each["spec"], each["verdict"], each["usable"])
            for each in reader.get(f"verdicts{query}").json()["results"]
        ]

    a, b, c = ("a", "ready", True), ("b", "not-ready", False), ("c", "almost-ready", True)
    assert sorted(told()) == [a, b, c]
    assert told("?verdict=not-ready") == [b]
    assert sorted(told("?usable=true")) == [a, c]
    assert told("?usable=true&verdict=almost-ready") == [c]


def test_a_retired_spec_has_no_verdict_any_more(acme, reader):
    load(spec("a", ORDER))
    observe(acme)
    settle(acme)
    Fact.objects.filter(kind="feature-fit").update(value={"absent": True})

    assert reader.get("verdicts").json()["results"] == []
    assert reader.get("verdicts/a").status_code == 404


@pytest.mark.parametrize("path", ["specs", "specs/a", "verdicts", "verdicts/a"])
def test_an_observer_reads_none_of_it(acme, path):
    load(spec("a", ORDER))

    assert program(acme, observer="probe", name="prober").get(path).status_code == 403


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("verdicts?verdict=fine", "verdict"),
        ("verdicts?spec=a", "spec"),
        ("specs?verdict=ready", "verdict"),
        ("specs?cursor=bm9uZQ==", "cursor"),
        ("specs/a?version=1", "version"),
    ],
)
def test_what_is_not_understood_is_refused_by_name(reader, path, parameter):
    load(spec("a", ORDER))

    details = problem(reader.get(path))

    assert [error["parameter"] for error in details["errors"]] == [parameter]


def test_a_verdict_is_built_and_told_by_nobody(acme):
    answer = program(acme, observer="specs", name="judge").put(
        "facts/account:feature-fit:a",
        {"value": {"verdict": "ready"}, "measured_from": "2026-03-02T09:00:00Z"},
        If_Match='"0"',
    )

    assert answer.status_code == 403
    assert not acme.facts.at(fit_of("a")).exists()
