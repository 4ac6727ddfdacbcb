"""What picking costs: ``python -m tests.benchmarks.due [CHECKS]``.

In a database of its own, with a million checks of which half belong to one source and the rest to
500, it measures

* the scheduler's own pick of the 500 due longest, of the one source and over all, beside a query
  that computes what each check is worth and sorts;
* claims of 8,000 checks by four processes at once: how many distinct ones they got.

Figures are medians; it exits with 1 where a pick takes more than 5 ms or a check is got twice.
"""

import multiprocessing
import os
import statistics
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection, connections, transaction  # noqa: E402

from facts.ledgers import Ledger  # noqa: E402
from facts.models import Account, Check, Source  # noqa: E402
from facts.scheduling.claiming import OPEN_SOURCES, PICK, claim  # noqa: E402

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
PICKED = 500
CLAIMED = 8_000
PROCESSES = 4
MOST = 5.0  # milliseconds
RUNS = 50

LOAD = """
WITH made AS (
    INSERT INTO facts_table (account_id, source_id, schema, name, label, properties, verbs{more})
    SELECT %(account)s, CASE WHEN n %% 2 = 0 THEN %(big)s ELSE %(small)s + n / 2 %% 500 END,
        '', 't' || n, 'T' || n, '{{}}', '{{}}'{values}
    FROM generate_series(0, %(checks)s - 1) AS n
    RETURNING id, source_id
)
INSERT INTO facts_check (
    account_id, kind, source_id, table_id, derivation, target, weight, cost, a, b, last_checked,
    due_at, due_because, claims, failures, askers, use, demand, wanted, asked, built_from,
    built_by, built_parts
)
SELECT
    %(account)s, 'table', source_id, id, '', '', 1 + random() * 9, 0.01 + random(), 1, 7,
    %(now)s::timestamptz - random() * interval '9 days',
    %(now)s::timestamptz + (random() - 0.01) * interval '9 days', 'worth', 0, 0, 0, 0, 0, 0, 0, '',
    '', '{{}}'
FROM made
"""
COMPUTED = """
SELECT id
FROM facts_check
WHERE lease_until IS NULL AND source_id IS NOT NULL
ORDER BY weight / cost * (
    b * ln(1 + extract(epoch FROM %(now)s - last_checked) / 86400 / b)
    - extract(epoch FROM %(now)s - last_checked) / 86400
        / (1 + extract(epoch FROM %(now)s - last_checked) / 86400 / b)
) DESC
LIMIT 500
"""


def main(count: int) -> int:
    database = connection.creation
    name = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = "bench_due"
    database.create_test_db(verbosity=0, autoclobber=True)
    try:
        load(count)
        picks_hold = picks(count)
        return int(not (claims() and picks_hold))
    finally:
        connections.close_all()
        database.destroy_test_db(name, verbosity=0)


def load(count: int) -> None:
    account = Account.objects.create(external_id="acme")
    names = ["big", *(f"small{n:03}" for n in range(500))]
    sources = Source.objects.bulk_create(
        Source(
            account=account,
            name=name,
            concurrency=10_000 if name == "big" else 1,
            seconds_per_hour=1e6,
        )
        for name in names
    )
    Ledger.objects.bulk_create(Ledger(account=account, source=source) for source in sources)
    with connection.cursor() as cursor:
        cursor.execute(
            LOAD.format(**needed_columns()),
            {
                "account": account.pk,
                "big": sources[0].pk,
                "small": sources[1].pk,
                "checks": count,
                "now": NOW,
            },
        )
        cursor.execute("VACUUM ANALYZE facts_check")


def needed_columns() -> dict[str, str]:
    """What facts_table needs beside the columns that every version of it has."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type FROM information_schema.columns"
            " WHERE table_name = 'facts_table' AND is_nullable = 'NO' AND NOT is_identity = 'YES'"
        )
        needed = dict(cursor.fetchall())
    known = {"account_id", "source_id", "schema", "name", "label", "properties", "verbs"}
    empty = {"jsonb": "'{}'", "boolean": "false", "text": "''", "character varying": "''"}
    more = {column: empty[kind] for column, kind in needed.items() if column not in known}
    return {
        "more": "".join(f", {column}" for column in more),
        "values": "".join(f", {value}" for value in more.values()),
    }


def picks(count: int) -> bool:
    """Print what picks take; whether all take at most MOST milliseconds."""
    asked = {"now": NOW, "until": NOW, "account": None, "freely": False, "without": []}
    limit = {"limit": PICKED}
    big = list(Source.objects.filter(name="big").values_list("pk", flat=True))
    small = list(Source.objects.exclude(name="big").values_list("pk", flat=True))
    print(f"{count:,} checks; medians of {RUNS} runs, milliseconds")
    computed = milliseconds(COMPUTED, {"now": NOW}, runs=3)
    figures = {
        "the sources that have something due": milliseconds(OPEN_SOURCES, {**asked, **limit}),
        f"top {PICKED} of one source": milliseconds(PICK, {**asked, **limit, "sources": big}),
        "the top one of each of 500 sources": milliseconds(
            PICK, {**asked, **limit, "sources": small}
        ),
    }
    for what, took in figures.items():
        print(f"{what:50} {took:9.2f}   1/{computed / took:,.0f} of the computed one")
    print(f"{'worth computed in the query, and sorted':50} {computed:9.2f}")
    return figures[f"top {PICKED} of one source"] <= MOST


def milliseconds(statement: str, parameters: dict[str, Any], *, runs: int = RUNS) -> float:
    """The median time of a statement, each run rolled back."""
    took = []
    with connection.cursor() as cursor:
        for _ in range(runs):
            with transaction.atomic():
                started = time.perf_counter()
                cursor.execute(statement, parameters)
                cursor.fetchall()
                took.append(time.perf_counter() - started)
                transaction.set_rollback(True)
    return 1000 * statistics.median(took)


def claims() -> bool:
    """Print what four processes claimed at once; whether each check was got once."""
    due = Check.objects.filter(source__name="big").order_by("pk")[:CLAIMED]
    Check.objects.update(due_at=NOW + timedelta(days=1))
    Check.objects.filter(pk__in=list(due.values_list("pk", flat=True))).update(due_at=NOW)
    connections.close_all()
    started = time.perf_counter()
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        got = Counter(pk for some in pool.map(claimed, range(PROCESSES)) for pk in some)
    took = time.perf_counter() - started
    print(
        f"{sum(got.values()):,} claims by {PROCESSES} processes on {len(got):,} distinct checks,"
        f" {sum(got.values()) / took:,.0f} a second"
    )
    return len(got) == sum(got.values()) == CLAIMED


def claimed(_process: int) -> list[int]:
    """Claim until nothing is due."""
    got: list[int] = []
    while some := claim(now=NOW, limit=10):
        got += [check.pk for check in some]
    return got


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
