"""load_specs, judge and spec_schema, and the schema's URL."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from specs.documents import pretty
from specs.schema import SCHEMA
from tests.facts.observing import observe
from tests.specs.loaded import CARRIER, ORDER, load, spec, states


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def late_orders(tmp_path):
    file = tmp_path / "late-orders.json"
    file.write_text(pretty(spec("late-orders", ORDER, CARRIER)))
    return str(file)


@pytest.mark.django_db
def test_specs_are_loaded_from_files(late_orders):
    assert printed("load_specs", late_orders) == "late-orders version 1 is in force.\n"
    assert json.loads(printed("load_specs", late_orders, "--json")) == [
        {"spec": "late-orders", "version": 1}
    ]


@pytest.mark.django_db
def test_a_refused_file_is_told_fault_by_fault_and_changes_nothing(late_orders, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"id": "x", "needs": [{"level": "MUST", "label": "Order", "min_count": 1}]}')

    with pytest.raises(CommandError) as refusal:
        call_command("load_specs", late_orders, str(bad))

    assert str(refusal.value).splitlines() == [
        f'{bad} /needs/0/level unknown word "MUST", one of REQUIRED, IMPROVES, ADVISORY',
        f"{bad} /needs/0/min_count unknown key, did you mean minCount",
    ]
    assert states() == []


def test_a_file_that_is_not_there_is_one_line(db):
    with pytest.raises(CommandError, match=r"^nowhere.json can't be read: No such file or dir"):
        call_command("load_specs", "nowhere.json")


def test_judging_prints_the_verdict_with_its_needs_and_wants(acme):
    load(spec("late-orders", ORDER, CARRIER))
    observe(acme, now=timezone.now())

    assert json.loads(printed("judge", "late-orders", "acme", "--json")) == {
        "spec": "late-orders",
        "verdict": "unknown",
        "usable": False,
        "needs": [
            {
                "level": "REQUIRED",
                "need": {"label": "Order", "minCount": 1},
                "state": "met",
                "figure": "count 830, at least 1",
                "refs": ["data:label:Order"],
            },
            {
                "level": "REQUIRED",
                "need": {"label": "Carrier", "minCount": 1},
                "state": "unknown",
                "figure": "not measured yet",
                "refs": ["data:label:Carrier"],
            },
        ],
        "wants": ["data:label:Carrier"],
    }


def test_judging_for_people_says_the_same(acme):
    load(spec("late-orders", ORDER, CARRIER))
    assert printed("judge", "late-orders", "acme") == (
        "late-orders for acme: unknown, not usable\n"
        "  REQUIRED  unknown  Order, at least 1: not measured yet\n"
        "  REQUIRED  unknown  Carrier, at least 1: not measured yet\n"
        "Would settle it:\n"
        "  data:label:Order\n"
        "  data:label:Carrier\n"
    )


@pytest.mark.parametrize(
    ("spec_id", "account", "message"),
    [
        ("nowhere", "acme", "no spec in force has the id 'nowhere'"),
        ("a", "nobody", "no account has the id 'nobody'; `connect` makes one"),
    ],
)
def test_an_unknown_spec_or_account_is_one_line(acme, spec_id, account, message):
    load(spec("a"))
    with pytest.raises(CommandError) as refusal:
        call_command("judge", spec_id, account)
    assert str(refusal.value) == message


def test_the_schema_is_printed_and_served_alike(client):
    served = client.get("/specs/schema.json")

    assert served.headers["Content-Type"] == "application/schema+json"
    assert served.json() == json.loads(printed("spec_schema")) == SCHEMA


def test_the_schema_is_only_read(client):
    assert client.post("/specs/schema.json").status_code == 405
