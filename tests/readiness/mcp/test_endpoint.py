"""Who may ask at ``/mcp``, for whom, and how a refusal is told."""

import os
import subprocess
import sys

import pytest
from django.test import Client
from django.utils import timezone

from facts import derivations, tokens
from facts.models import Person
from tests.conftest import ROOT
from tests.facts.observing import MINUTE, NINE
from tests.facts.program import program
from tests.readiness.mcp.messages import call, header, send
from tests.readiness.test_reading import work_on

ALICES = "Works on: Refunding."


def refusal(answer):
    """The problem of a refusal, which is an error of the protocol, too."""
    error = answer.json()["error"]
    assert answer["Content-Type"] == "application/json"
    assert (error["code"], error["message"]) == (-32600, error["data"]["detail"])
    assert error["data"]["status"] == answer.status_code
    return answer.status_code, error["data"]["type"]


def test_a_reader_of_the_whole_account_names_the_person_in_a_header(known):
    planner = program(known)

    assert header(planner).startswith("Knowledge:")
    assert header(planner, Ken_Person="alice").startswith(ALICES)
    assert "Refunding" in call(planner, "user", Ken_Person="alice")["content"][0]["text"]


def test_a_person_whose_name_no_header_holds_is_named_as_in_a_path(known):
    work_on(Person.objects.create(account=known, external_id="Zoë 50%"), "shipping", lift="9/2")
    derivations.settle(known, clock=lambda: NINE + MINUTE)

    told = header(program(known), Ken_Person="Zo%C3%AB%2050%25")

    assert told.startswith("Works on: Shipping.")


@pytest.mark.parametrize("named", ["zoe", "", "bob", "%ff", "alice%"])
def test_a_person_that_is_not_the_accounts_is_refused(named, known, globex):
    Person.objects.create(account=globex, external_id="bob")

    answer = send(program(known), "tools/list", Ken_Person=named)

    assert refusal(answer) == (404, "/problems/unknown-person")


def test_a_name_that_nothing_can_have_is_refused(known):
    answer = send(program(known), "tools/list", Ken_Person="al%00ice")

    assert refusal(answer) == (404, "/problems/not-found")


def test_a_persons_token_is_its_person_and_nobody_else(known, alice):
    Person.objects.create(account=known, external_id="bob")
    hers = program(known, person=alice)

    assert header(hers) == header(hers, Ken_Person="alice")
    assert header(hers).startswith(ALICES)
    answer = send(hers, "resources/read", {"uri": "ken://header"}, Ken_Person="bob")
    assert refusal(answer) == (404, "/problems/unknown-person")
    assert answer.json()["error"]["message"] == "this credential is of another person"


def test_a_token_names_no_other_account(known, globex):
    answer = send(program(known), "tools/list", Ken_Account="globex")

    assert refusal(answer) == (403, "/problems/not-permitted")


def test_an_observer_does_not_read(known):
    answer = send(program(known, observer="probe", name="prober"), "tools/list")

    status, _ = refusal(answer)
    assert status == 403


@pytest.mark.parametrize("text", ["ken_0123456789ab_" + "x" * 43, "nonsense", ""])
def test_what_is_no_token_is_challenged(text, known):
    caller = program(known)
    caller.client = Client(headers={"Authorization": f"Bearer {text}"})

    answer = send(caller, "tools/list")

    assert refusal(answer) == (401, "/problems/bad-token")
    assert answer["WWW-Authenticate"] == 'Bearer realm="ken"'


def test_a_revoked_token_reads_no_more(known):
    planner = program(known)
    assert send(planner, "tools/list").status_code == 200
    tokens.revoke(known.tokens.all(), now=timezone.now())

    answer = send(planner, "tools/list")

    assert refusal(answer) == (401, "/problems/bad-token")
    assert answer.json()["error"]["message"] == "this token was revoked"


def test_a_login_is_no_token(known, admin_client):
    caller = program(known)
    caller.client = admin_client

    status, _ = refusal(send(caller, "tools/list", Ken_Account="acme"))

    assert status == 401


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://testserver", 200),
        ("https://app.example.com", 200),
        ("https://desk.example.org", 200),
        ("https://testserver", 403),
        ("http://testserver:81", 403),
        ("http://app.example.com", 403),
        ("https://evil.example.com", 403),
        ("https://example.org.evil.net", 403),
        ("null", 403),
        ("http://[", 403),
        ("", 403),
    ],
)
def test_a_page_of_another_site_may_not_ask(origin, status, known, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://app.example.com", "https://*.example.org"]

    answer = send(program(known), "tools/list", Origin=origin)

    assert answer.status_code == status
    if status == 403:
        assert refusal(answer) == (403, "/problems/not-permitted")


def test_a_name_that_was_rebound_to_this_machine_is_no_host_of_ours(known):
    answer = send(program(known), "tools/list", Host="evil.test", Origin="http://evil.test")

    assert answer.status_code == 400


@pytest.mark.parametrize("method", ["get", "put", "delete", "options"])
def test_there_are_no_streams_and_no_sessions(method, known):
    answer = getattr(program(known).client, method)("/mcp")

    assert refusal(answer) == (405, "/problems/method-not-allowed")
    assert answer["Allow"] == "POST"


def test_a_message_is_short_json_in_one_piece(known):
    planner = program(known)

    def post(body, **headers):
        headers = {"Accept": "application/json", **headers}
        return planner.client.post("/mcp", body, content_type="application/json", headers=headers)

    assert refusal(post(b"{" + b" " * 65536)) == (413, "/problems/too-large")
    assert refusal(post(b"{}", Accept="text/html")) == (406, "/problems/not-acceptable")
    assert post(b"{").json()["error"]["code"] == -32700
    assert post(b"[" * 60_000).status_code == 400
    assert post(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}').status_code == 202
    assert post(b"[]").status_code == 400


def test_parameters_are_refused(known):
    answer = program(known).client.post(
        "/mcp?person=alice", {}, content_type="application/json"
    )  # fmt: skip

    assert refusal(answer) == (400, "/problems/invalid")


def test_tokens_stand_in_no_log(known, caplog):
    caplog.set_level("DEBUG")
    planner = program(known)
    call(planner, "data")
    tokens.revoke(known.tokens.all(), now=timezone.now())
    send(planner, "tools/list")

    handle, secret = planner.text.removeprefix("ken_").split("_", 1)
    said = "\n".join(f"{one.getMessage()} {one.__dict__}" for one in caplog.records)
    assert caplog.records
    assert secret not in said
    assert handle not in said


def test_commands_that_load_the_urls_do_not_load_the_sdk():
    ask = (
        "import sys, django; django.setup(); import config.urls; "
        "sys.exit(sum(name.split('.')[0] in ('mcp', 'mcp_types') for name in sys.modules))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, env=environment, check=False)

    assert done.returncode == 0
