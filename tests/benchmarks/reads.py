"""What the assistant's reads cost: python -m tests.benchmarks.reads

A header beside a bare SELECT of one row through the same stack, the same over HTTP beside itself
without its calls counted, and a knowledge read of an account of 500 types. Ratios of medians, both
sides in turn in one run.
"""

import logging
import os
import statistics
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()
logging.disable(logging.INFO)  # a line a request

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from facts import derivations, store, tokens  # noqa: E402
from facts.models import Account, Fact, Source, Table  # noqa: E402
from facts.refs import Ref  # noqa: E402
from facts.store import Measurement  # noqa: E402
from readiness import turn  # noqa: E402
from readiness.knowledge import get_knowledge  # noqa: E402
from readiness.reading import header_of  # noqa: E402

TYPES = 500
ROUNDS = 2_000
CALLS = 600  # of the 3,000 that a token has a minute


def main() -> None:
    """Make an account in a database of its own, measure, and throw the database away."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        account = _account()
        _header(account)
        _counting(account)
        _knowledge(account)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _account() -> Account:
    now = timezone.now()
    account = Account.objects.create(external_id="bench")
    source = Source.objects.create(account=account, encrypted_url="-", reflected_at=now)
    labels = [f"Type{number:03}" for number in range(TYPES)]
    Table.objects.bulk_create(
        Table(account=account, source=source, name=label, label=label) for label in labels
    )
    lines = []
    for number, label in enumerate(labels):
        lines.append((Ref.of("data", "label", label), {"count": number * 10}))
        for column in range(10):
            fill = {"filled": number, "count": number * 10, "fill": 0.1}
            lines.append((Ref.of("data", "fill", label, f"column{column}"), fill))
    store.observe_many(
        account,
        [Measurement(ref=ref, version=0, value=value) for ref, value in lines],
        by="probe",
        measured_from=now,
        now=now,
    )
    derivations.settle(account)
    return account


def _header(account: Account) -> None:
    now = timezone.now()
    pk = account.facts.at(turn.OF_ACCOUNT).get().pk

    def bare() -> Any:
        return Fact.objects.get(pk=pk)

    def read() -> Any:
        return header_of(account, None, now=now)

    bare_time, read_time = _medians(bare, read)
    print(f"a header beside a bare SELECT of its row: {read_time / bare_time:.2f} x (at most 1.5)")


def _counting(account: Account) -> None:
    _, text = tokens.make(account=account, name="planner", now=timezone.now())
    client = Client(headers={"Authorization": f"Bearer {text}", "Host": "localhost"})

    def counted() -> Any:
        return client.get("/api/v1/header")

    def uncounted() -> Any:
        with patch.object(tokens.allowances, "spend", lambda _token, **_now: None):
            return client.get("/api/v1/header")

    with CaptureQueriesContext(connection) as queries:
        statuses = {counted().status_code for _ in range(CALLS)}
    leases = sum("UPDATE facts_token" in query["sql"] for query in queries)
    settings.CALLS_PER_MINUTE = 1_000_000
    uncounted_time, counted_time = _medians(uncounted, counted)
    print(
        f"a header over HTTP, counted beside uncounted: {counted_time / uncounted_time:.2f} x "
        f"(at most 1.05); {CALLS} calls answered {statuses}, {leases} statements counted them"
    )


def _medians(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[float, float]:
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for side, work in enumerate((first, second)):
            began = time.perf_counter()
            work()
            times[side].append(time.perf_counter() - began)
    return statistics.median(times[0]), statistics.median(times[1])


def _knowledge(account: Account) -> None:
    with CaptureQueriesContext(connection) as queries:
        began = time.perf_counter()
        get_knowledge(account, "data", now=timezone.now())
        took = time.perf_counter() - began
    print(
        f"knowledge of an account of {TYPES} types: {len(queries)} queries (at most 4), "
        f"{1000 * took:.0f} ms"
    )


if __name__ == "__main__":
    main()
