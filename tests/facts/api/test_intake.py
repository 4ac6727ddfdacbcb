import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from facts.models import Account, Fact, Integration
from tests.facts.program import program


@pytest.fixture
def teller(acme):
    """Makes a program of one of the intake's observers."""
    return lambda observer: program(acme, observer=observer.split()[0], name=f"{observer}-pusher")


SHIPPING = {"name": "dhl", "category": "shipping", "healthy": True}


def test_integrations_and_their_signals_are_told_whole(acme, teller):
    answer = teller("integrations").put(
        "integrations", {"integrations": [{**SHIPPING, "last_succeeded": "2026-03-02T09:00:00Z"}]}
    )

    assert (answer.status_code, answer.json()) == (200, {"written": 2})
    assert acme.facts.get(kind="integration").value == {"category": "shipping", "healthy": True}
    assert acme.facts.get(kind="signal").value == {"healthy": True}


def test_when_an_integration_last_succeeded_is_kept_and_changes_no_digest(acme, teller):
    digests, product = [], teller("integrations")
    for hour in (9, 10):
        told = {**SHIPPING, "last_succeeded": f"2026-03-02T{hour:02}:00:00Z"}
        product.put("integrations", {"integrations": [told]})
        digests.append(set(Fact.objects.values_list("digest", flat=True)))

    assert digests[0] == digests[1]
    assert Integration.objects.get().last_succeeded.hour == 10


def test_the_plan_is_told_whole(acme, teller):
    answer = teller("plan").put("plan", {"features": ["refunds", "late-orders"]})

    assert answer.json() == {"written": 1}
    assert acme.facts.get(kind="plan").value == {"features": ["late-orders", "refunds"]}


def test_use_leaves_shapes_and_tells_refused_lines_by_their_place(acme, teller):
    answer = teller("usage").post(
        "usage",
        {
            "queries": [
                {"query": "SELECT 1 FROM orders WHERE a = 'zebra'", "dialect": "postgres"},
                {"query": "SELEC 'zebra", "dialect": "postgres"},
                {"query": "SELECT 1", "dialect": "zebra"},
                {"account": "globex", "query": "SELECT 1", "dialect": "postgres"},
            ]
        },
    )

    assert answer.json() == {
        "accepted": 1,
        "dropped": 1,
        "refused": [
            {"line": 2, "reason": "dialect is one that sqlglot knows, such as postgres, sqlite"
                                  " or mysql"},
            {"line": 3, "reason": "the credential says which account; a line does not"},
        ],
    }  # fmt: skip
    assert "zebra" not in str(list(Fact.objects.values()))


def test_what_was_told_is_read_by_readers_and_by_who_told_it(acme, teller):
    told = {**SHIPPING, "last_succeeded": "2026-03-02T09:00:00Z"}
    teller("integrations").put("integrations", {"integrations": [told]})
    teller("plan").put("plan", {"features": ["refunds"]})

    for caller in (program(acme), teller("integrations 2")):
        [integration] = caller.get("integrations").json()["integrations"]
        assert {name: integration[name] for name in told} == told
        assert integration["trust"] == "believed"
    assert program(acme, name="other").get("plan").json()["features"] == ["refunds"]
    assert teller("probe").get("integrations").status_code == 403
    assert teller("probe 2").get("plan").status_code == 403


def test_a_plan_that_nobody_told_is_unknown_and_not_empty(acme, teller):
    plan = {"features": None, "trust": "unknown", "measured_at": None}
    assert program(acme).get("plan").json() == plan
    teller("plan").put("plan", {"features": []})
    assert program(acme, name="other").get("plan").json()["features"] == []


def test_an_integration_that_is_gone_is_read_no_more(acme, teller):
    product = teller("integrations")
    product.put("integrations", {"integrations": [SHIPPING]})
    product.put("integrations", {"integrations": []})

    assert product.get("integrations").json() == {"integrations": []}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("put", "integrations", {"integrations": []}),
        ("put", "plan", {"features": []}),
        ("post", "usage", {"queries": []}),
    ],
)
def test_only_the_one_observer_tells(acme, teller, method, path, body):
    for stranger in (teller("probe"), program(acme)):
        assert getattr(stranger, method)(path, body).status_code == 403

    assert not Fact.objects.exclude(version=0).exists()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("integrations", {"integrations": [{**SHIPPING, "account": "globex"}]}),
        ("integrations", {"integrations": [SHIPPING, SHIPPING]}),
        ("plan", {"features": ["x" * 201]}),
        ("plan", {"features": ["ann@example.com"]}),
        ("plan", {"feature": []}),
    ],
)
def test_what_can_not_be_is_refused_whole(acme, teller, path, body):
    answer = teller(path).put(path, body)

    assert answer.status_code == 400
    assert "example.com" not in answer.content.decode()
    assert not Fact.objects.exclude(version=0).exists()


def test_the_command_tells_accounts_all_of_a_file_or_nothing(db, tmp_path, capsys):
    file = tmp_path / "accounts.json"
    file.write_text(json.dumps({"acme": {"integrations": [SHIPPING], "plan": ["refunds"]}}))
    call_command("load_account", str(file))
    assert capsys.readouterr() == ("1 account told\n", "new account: acme\n")
    assert Account.objects.get().facts.get(kind="plan").value == {"features": ["refunds"]}

    file.write_text(json.dumps({"globex": {"plan": ["a"]}, "umbrella": {"plan": [1]}}))
    with pytest.raises(CommandError, match="'umbrella': the features of a plan are texts"):
        call_command("load_account", str(file))
    assert not Account.objects.exclude(external_id="acme").exists()
