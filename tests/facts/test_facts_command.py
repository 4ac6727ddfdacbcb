import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from facts import store
from facts.refs import Ref
from tests.facts.observing import DAY, NINE, observe


def run(*arguments):
    out = StringIO()
    call_command("facts", *arguments, stdout=out)
    return out.getvalue()


def lines(*arguments):
    return [json.loads(line) for line in run(*arguments, "--json").splitlines()]


def test_each_line_is_one_fact_by_ref(acme, globex):
    observe(acme, "data:label:Order", {"count": 830}, now=NINE)
    observe(acme, "data:label:Carrier", {"count": 3}, now=timezone.now())
    observe(acme, "data:label:Carrier", outcome="failed", failure="42501", now=timezone.now())
    observe(globex, "data:label:Secret")
    store.request(acme, Ref.parse("data:fill:Order|promisedAt"), by="generation", now=NINE)

    carrier = acme.facts.get(key="Carrier")
    assert lines("acme") == [
        {
            "person": None,
            "ref": "data:fill:Order|promisedAt",
            "value": None,
            "trust": "unknown",
            "failing": False,
            "measured_at": None,
            "version": 0,
        },
        {
            "person": None,
            "ref": "data:label:Carrier",
            "value": {"count": 3},
            "trust": "believed",
            "failing": True,
            "measured_at": carrier.measured_at.isoformat(),
            "version": 2,
        },
        {
            "person": None,
            "ref": "data:label:Order",
            "value": {"count": 830},
            "trust": "stale",
            "failing": False,
            "measured_at": "2026-03-02T09:00:00+00:00",
            "version": 1,
        },
    ]


def test_a_prefix_chooses_the_facts_under_it(acme):
    for ref in ("data:label:Order", "data:label:Ordering", "data:hop:Order|HAS|Line"):
        observe(acme, ref)

    assert [line["ref"] for line in lines("acme", "--prefix", "data:hop:")] == [
        "data:hop:Order|HAS|Line"
    ]
    assert len(lines("acme", "--prefix", "data:label:Order")) == 2


def test_a_persons_facts_say_whose_they_are(acme, alice, monkeypatch):
    monkeypatch.setattr("facts.owners._owners", {("user", "label"): "probe"})
    observe(acme, "user:label:refunding", person=alice)

    assert lines("acme")[0]["person"] == "alice"
    assert "user:label:refunding of alice" in run("acme")


def test_people_read_a_table(acme):
    observe(acme, value={"count": 830}, now=NINE)

    head, row = run("acme").splitlines()

    assert head.split() == ["ref", "trust", "version", "measured", "(UTC)", "value"]
    assert row.split(maxsplit=5) == [
        *("data:label:Order", "stale", "1", "2026-03-02", "09:00", '{"count": 830}')
    ]


def test_an_account_without_facts_prints_none(acme):
    assert run("acme", "--json") == ""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["initech"], "no account has the id 'initech'"),
        (["acme", "--prefix", "dta:"], "a ref starts with one of data, account, user, answer"),
        (["acme", "--prefix", "data:lable:"], "nobody observes such facts; the kinds are"),
        (["acme", "--prefix", "data:label:Nope"], "no fact whose ref starts with data:label:Nope"),
        (["acme", "--frefix", "data:"], "--help"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(acme, arguments, reason):
    observe(acme, now=NINE + DAY)

    with pytest.raises(CommandError, match=reason) as refusal:
        run(*arguments)

    assert "\n" not in str(refusal.value)
    assert refusal.value.returncode == 1


def test_a_list_of_any_length_takes_the_same_queries(acme, django_assert_num_queries):
    for number in range(30):
        observe(acme, f"data:label:T{number}")

    with django_assert_num_queries(3):  # the account, whether any fits, the facts
        assert len(lines("acme", "--prefix", "data:")) == 30
