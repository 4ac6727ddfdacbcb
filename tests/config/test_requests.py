"""The line and the id of each request, and of the tasks that follow from it."""

import json
import logging

import pytest
from django_q.models import OrmQ
from django_q.signing import SignedPackage
from django_q.tasks import async_task

from config import tracing
from config.logs import JsonFormatter
from tests.facts.observing import observe
from tests.facts.program import program

pytestmark = pytest.mark.django_db
logger = logging.getLogger(__name__)


@pytest.fixture
def lines(caplog):
    """What the site told of its requests so far."""
    caplog.set_level("DEBUG")
    caplog.handler.setFormatter(JsonFormatter())

    def told(name="config.requests"):
        said = [json.loads(line) for line in caplog.text.splitlines()]
        return [line for line in said if line["logger"] == name]

    return told


def test_a_request_is_told_by_its_route_status_time_and_account(acme, lines):
    observe(acme)
    reader = program(acme)
    answer = reader.get("facts/data:label:Order?person=jane", X_Request_ID="a-1")
    reader.get("facts/data:label:Order")

    refused, read = lines()
    assert answer.status_code == 400
    assert {**refused, "at": "", "ms": 0} == {
        "at": "", "level": "info", "logger": "config.requests",
        "message": "GET api/v1/facts/<path:ref>", "id": "a-1", "status": 400, "ms": 0,
        "account": acme.pk,
    }  # fmt: skip
    assert read["status"] == 200
    assert 0 < read["ms"] < 60_000


def test_no_path_no_parameter_no_token_and_no_address_is_told(acme, lines, caplog):
    reader = program(acme)
    reader.get("people/jane.doe/facts?prefix=data:label:Ledger", User_Agent="netscape")
    reader.client.get("/nowhere/jane.doe@example.com?q=jane")
    reader.client.generic("JANE", "/api/v1/facts")

    first, second, third = lines()
    assert first["message"] == "GET api/v1/people/<str:person>/facts"
    assert (second["message"], second["status"]) == ("GET no route", 404)
    assert third["message"] == "OTHER api/v1/facts"
    told = json.dumps(lines())
    for word in ("jane", "Ledger", "netscape", "127.0.0.1", reader.text.split("_")[2], "acme"):
        assert word not in told


def test_what_is_asked_every_few_seconds_is_told_for_debugging_only(client, lines):
    for path in ("/healthz", "/readyz", "/static/facts/admin.css"):
        client.get(path)
    client.get("/accounts/login/")

    assert [(line["level"], line["message"]) for line in lines()] == [
        ("debug", "GET healthz"),
        ("debug", "GET readyz"),
        ("debug", "GET static"),
        ("info", "GET accounts/login/"),
    ]


def test_a_sane_id_is_kept_and_another_is_made(client):
    made = client.get("/healthz")["X-Request-ID"]

    assert client.get("/healthz", headers={"X-Request-ID": "Root-1-67891233"})["X-Request-ID"] == (
        "Root-1-67891233"
    )
    assert len(made) == 32
    for odd in ("", "x" * 65, "two words", "a\tb", "ken_0123456789ab_secret", "<b>", "jane@x.org"):
        given = client.get("/healthz", headers={"X-Request-ID": odd})["X-Request-ID"]
        assert given not in (odd, made)
        assert len(given) == 32


def test_an_answer_that_breaks_is_told_under_the_id_of_its_request(client, lines, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr("facts.heartbeat.is_alive", lambda *_, **__: 1 / 0)
    answer = client.get("/readyz", headers={"X-Request-ID": "b-2"})

    [broken] = lines("django.request")
    assert (answer.status_code, answer["X-Request-ID"]) == (500, "b-2")
    assert (broken["id"], broken["exception"], broken["message"]) == (
        "b-2",
        "ZeroDivisionError",
        "GET readyz",
    )
    assert tracing.current() == ""


def say():
    logger.info("at work")


def queue_another():
    say()
    async_task("tests.config.test_requests.say")


def test_a_task_is_told_under_the_id_of_the_request_that_queued_it(lines):
    with tracing.traced("c-3"):
        async_task("tests.config.test_requests.queue_another", sync=True)
    [queued] = OrmQ.objects.all()
    handed_on = SignedPackage.loads(queued.payload)

    assert [line["id"] for line in lines(__name__)] == ["c-3"]
    assert handed_on["traced"] == "c-3"
    assert handed_on["args"] == ()
    assert handed_on["kwargs"] == {}


def test_a_task_that_nobody_asked_for_is_told_under_its_own_id(lines):
    ran = async_task("tests.config.test_requests.say", sync=True)

    assert [line["id"] for line in lines(__name__)] == [ran]
    assert tracing.current() == ""
