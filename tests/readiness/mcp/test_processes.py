"""The official client against the site as a real process."""

import json
from contextlib import asynccontextmanager

import anyio
import httpx2
import pytest
from django.db import connections
from django.utils import timezone
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from facts import derivations, tokens
from facts.models import Account, Person
from tests.readiness.test_knowledge import table
from tests.readiness.test_reading import work_on
from tests.served import site

pytestmark = pytest.mark.django_db(transaction=True)
CALLS = 12


def token(account, name, **more):
    _, text = tokens.make(account=account, name=name, now=timezone.now(), **more)
    return text


@asynccontextmanager
async def client(url, text, *, mode="auto", **headers):
    headers = {"Authorization": f"Bearer {text}", **headers}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(
            streamable_http_client(f"{url}/mcp", http_client=http), mode=mode, cache=None
        ) as opened,
    ):
        yield opened


async def knowledge(client, about):
    result = await client.call_tool("get-knowledge", {"about": about})
    assert not result.is_error
    return json.loads(result.content[0].text)


async def header(client):
    result = await client.read_resource("ken://header")
    return result.contents[0].text


def known_account(name, label, verb, *people):
    account = Account.objects.create(external_id=name)
    table(account, label, 830)
    for person in people:
        work_on(Person.objects.create(account=account, external_id=person), verb, lift="9/2")
    derivations.settle(account, clock=timezone.now)
    return account


@pytest.fixture
def acme():
    return known_account("acme", "Order", "refunding", "alice", "bob")


@pytest.fixture
def globex():
    return known_account("globex", "Shipment", "shipping", "alice")


def test_the_official_client_reads_over_both_eras(acme, tmp_path):
    text = token(acme, "planner")

    async def read(url):
        for mode in ("auto", "legacy"):
            async with client(url, text, mode=mode, **{"Ken-Person": "alice"}) as planner:
                assert planner.server_info.name == "ken"
                [tool] = (await planner.list_tools()).tools
                [resource] = (await planner.list_resources()).resources
                assert (tool.name, resource.uri) == ("get-knowledge", "ken://header")
                assert (await header(planner)).startswith("Works on: Refunding.")
                data = await knowledge(planner, "data")
                assert [each["type"] for each in data["types"]] == ["Order"]
                user = await knowledge(planner, "user")
                assert [each["title"] for each in user["activities"]] == ["Refunding"]
                refused = await planner.call_tool("get-knowledge", {"about": "weather"})
                assert refused.is_error
                with pytest.raises(MCPError, match="there is one tool"):
                    await planner.call_tool("get-weather", {})

    with site(tmp_path / "said") as url:
        anyio.run(read, url)

    said = (tmp_path / "said").read_text()
    told = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert {line["message"] for line in told} == {"POST mcp"}
    assert len({line["id"] for line in told}) == len(told) > 10  # each its own
    assert text.split("_")[1] not in said


def test_a_token_that_is_revoked_while_it_is_used_is_refused(acme, tmp_path):
    text = token(acme, "planner")

    def revoke():
        tokens.revoke(acme.tokens.all(), now=timezone.now())
        connections.close_all()  # this thread's own

    async def read(url):
        async with client(url, text) as planner:
            assert (await header(planner)).startswith("Knowledge:")
            await anyio.to_thread.run_sync(revoke)
            with pytest.raises(MCPError, match="this token was revoked"):
                await header(planner)

    with site(tmp_path / "said") as url:
        anyio.run(read, url)


def test_clients_of_two_accounts_at_once_see_each_their_own(acme, globex, tmp_path):
    """Law 15, over one process and its threads and connections."""
    seen = {}

    async def read(url, name, text, person):
        async with client(url, text, **{"Ken-Person": person}) as planner:
            for _ in range(CALLS):
                told = {"header": await header(planner)}
                for about in ("data", "account", "user"):
                    told[about] = json.dumps(await knowledge(planner, about))
                seen.setdefault(name, []).append(told)

    async def all_at_once(url):
        async with anyio.create_task_group() as group:
            for number in range(3):
                for account in (acme, globex):
                    text = token_of[account, number]
                    group.start_soon(read, url, account.external_id, text, "alice")

    token_of = {
        (account, number): token(account, f"planner {number}")
        for account in (acme, globex)
        for number in range(3)
    }
    with site(tmp_path / "said") as url:
        anyio.run(all_at_once, url)

    assert {name: len(told) for name, told in seen.items()} == {
        "acme": 3 * CALLS,
        "globex": 3 * CALLS,
    }
    for name, own, others in (
        ("acme", ("Order", "Refunding"), ("Shipment", "Shipping")),
        ("globex", ("Shipment", "Shipping"), ("Order", "Refunding")),
    ):
        for told in seen[name]:
            assert own[0] in told["data"]
            assert own[1] in told["user"]
            assert told["header"].startswith(f"Works on: {own[1]}.")
            assert not any(word in text for text in told.values() for word in others)
