"""What a lookup of a stored answer costs: queries, and Python's time beyond the driver's.

    python -m tests.benchmarks.lookup [--lookups N]

Measured in one run on a scratch database: process time of whole lookups, without what the same
statements with the same parameters take when they are sent to the driver by themselves, and how
many times as long analysing the query anew would take. Process time counts no waiting, but all
that this process does.
"""

import argparse
import os
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import django

ROUNDS = 25


def _timed(*works: Callable[[], Any], times: int) -> list[float]:
    """Microseconds of process time of one of ``times`` calls of each, the least of many rounds.

    The works take turns, so that whatever else the machine does meets all of them; the least is
    what the work itself takes.
    """
    found: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, took in zip(works, found, strict=True):
            started = time.process_time_ns()
            for _ in range(times):
                work()
            took.append((time.process_time_ns() - started) / times / 1_000)
    return [min(took) for took in found]


def main() -> None:
    """Make an account with an answer, and measure."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--lookups", type=int, default=40)
    times = arguments.parse_args().lookups
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()

    from django.test.utils import setup_databases, teardown_databases

    databases = setup_databases(verbosity=0, interactive=False)
    try:
        _measure(times)
    finally:
        teardown_databases(databases, verbosity=0)


class _Memory:
    """A connection and its cursor at once, whose every statement finds the same row."""

    rowcount = 1

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.row = row

    def cursor(self) -> "_Memory":
        return self

    def __enter__(self) -> "_Memory":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, _sql: str, _parameters: Any) -> None:
        pass

    def fetchone(self) -> tuple[Any, ...]:
        return self.row


def _measure(times: int) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from facts import store
    from facts.answers import looking_up
    from facts.answers.analysis import analyse
    from facts.answers.asking import Question
    from facts.answers.schema import Schema
    from facts.answers.schema_reading import schema_document
    from facts.models import Account
    from tests.browser.test_answers import QUERY, UPS
    from tests.facts.answers import shop

    account = Account.objects.create(external_id="acme")
    shop.learn(account)
    shop.proven(account, question=UPS, query=QUERY)
    question = Question.from_document(UPS)

    def looked() -> None:
        found = looking_up.look_up(account, question, who=shop.ASSISTANT, now=shop.LATER)
        assert found.answer is not None

    sent: list[tuple[Any, Any]] = []

    def noted(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        sent.append((sql, parameters))
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(noted), CaptureQueriesContext(connection) as captured:
        looked()
    plain = connection.connection

    def driven() -> None:
        for sql, parameters in sent:
            with plain.cursor() as cursor:
                cursor.execute(sql, parameters)
                if cursor.description:
                    cursor.fetchone()

    row = looking_up._row(account, looking_up.ref_of(account, question))
    assert row is not None

    def from_memory() -> None:
        memory = _Memory(tuple(row))
        with (
            patch.object(looking_up, "connection", memory),
            patch.object(store, "connection", memory),
        ):
            for _ in range(times):
                looked()

    def cold() -> None:
        looking_up._analysis.cache_clear()
        looking_up._schema.cache_clear()
        looked()

    schema = Schema.from_document(schema_document(account))
    whole, driver, first = _timed(looked, driven, cold, times=times)
    python = min(_timed(from_memory, times=1)) / times
    [anew] = _timed(lambda: analyse(QUERY, "postgres", schema), times=max(times // 10, 1))
    print(f"queries of a served lookup           {len(captured):>8}")
    print(f"whole lookup, process time           {whole:>8.0f} µs")
    print(f"the driver alone, same statements    {driver:>8.0f} µs")
    print(f"Python, the driver answering at once {python:>8.0f} µs  (at most 200)")
    print(f"whole beyond the driver              {whole - driver:>8.0f} µs")
    print(f"the same, its analysis unread before {first - driver:>8.0f} µs")
    print(f"analysing the query anew             {anew:>8.0f} µs")


if __name__ == "__main__":
    main()
