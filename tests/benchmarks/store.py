"""What the store costs beside bare SQL: ``python -m tests.benchmarks.store``

Medians of one run over one connection, the two sides in turn:

* a bulk observation of 5,000 facts beside one INSERT ... ON CONFLICT of the same rows, facts and
  their lines of history, made from arrays as the store makes its own;
* a single observation beside a locked UPDATE: SELECT ... FOR UPDATE, UPDATE, one INSERT;
* a read beside a SELECT of the row by the same unique index.

A bare side checks nothing, decides nothing and tells nobody.
"""

import json
import os
import statistics
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection, transaction  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from facts import derivations, store  # noqa: E402
from facts.arrays import array  # noqa: E402
from facts.models import Account  # noqa: E402
from facts.refs import Ref  # noqa: E402
from facts.store import Measurement  # noqa: E402

FACTS = 5_000
BULKS, SINGLES, READS = 15, 400, 2_000  # rounds
LONG_AGO = timedelta(days=3)

BARE_BULK = """
WITH line AS (
    SELECT * FROM unnest(%(keys)s::text[], %(values)s::text[], %(digests)s::text[])
        AS line (key, value, digest)
),
written AS (
    INSERT INTO facts_fact AS fact (
        account_id, namespace, kind, key, value, digest, version, measured_from, measured_at,
        failure, refuted, support, refute, evidence_at, confirmed_at, trust_lapses_at, built_from,
        built_by
    )
    SELECT
        %(account)s, 'data', 'label', key, value::jsonb, digest, 1, %(now)s, %(now)s, '', false,
        1, 0, %(now)s, %(now)s, %(now)s, '', ''
    FROM line
    ORDER BY key
    ON CONFLICT (account_id, person_id, namespace, kind, key) DO UPDATE SET
        value = excluded.value, digest = excluded.digest, version = fact.version + 1,
        measured_from = excluded.measured_from, measured_at = excluded.measured_at,
        failure = excluded.failure, refuted = excluded.refuted, support = excluded.support,
        refute = excluded.refute, evidence_at = excluded.evidence_at,
        confirmed_at = excluded.confirmed_at, trust_lapses_at = excluded.trust_lapses_at,
        built_from = excluded.built_from, built_by = excluded.built_by
    RETURNING id, digest
)
INSERT INTO facts_observation (
    account_id, fact_id, by, day, outcome, counted, count, first_at, last_at, digest, failure
)
SELECT
    %(account)s, id, 'probe', %(day)s, 'confirmed', true, 1, %(now)s, %(now)s, digest, ''
FROM written
"""
BARE_SINGLE = (
    """
    SELECT id, version, digest, support, refute, evidence_at, confirmed_at, refuted_at
    FROM facts_fact
    WHERE account_id = %(account)s AND person_id IS NULL AND namespace = 'data'
        AND kind = 'label' AND key = %(key)s
    FOR NO KEY UPDATE
    """,
    """
    UPDATE facts_fact
    SET value = %(value)s::jsonb, digest = %(digest)s, version = version + 1,
        measured_from = %(now)s, measured_at = %(now)s, failure = '', refuted = false,
        support = 1, refute = 0, evidence_at = %(now)s, confirmed_at = %(now)s,
        trust_lapses_at = %(now)s
    WHERE id = %(id)s
    """,
    """
    INSERT INTO facts_observation (
        account_id, fact_id, by, day, outcome, counted, count, first_at, last_at, digest, failure
    )
    VALUES (
        %(account)s, %(id)s, 'probe', %(day)s, 'confirmed', true, 1, %(now)s, %(now)s, %(digest)s,
        ''
    )
    """,
)
BARE_READ = """
SELECT *
FROM facts_fact
WHERE account_id = %s AND person_id IS NULL AND namespace = 'data' AND kind = 'label' AND key = %s
"""


def main() -> None:
    """Measure in a database made for it, and throw the database away."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        _bulk(_account("bulk"), _account("bare bulk"))
        _single(_account("single"))
        _read(_account("read"))
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _account(name: str) -> Account:
    """An account, and other accounts' facts beside it so that indexes are used."""
    account = Account.objects.create(external_id=name)
    _observe(account, value=0, now=timezone.now() - LONG_AGO)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE facts_fact, facts_observation")
    return account


def _refs() -> list[Ref]:
    return [Ref.of("data", "label", f"Type{number}") for number in range(FACTS)]


def _observe(account: Account, *, value: int, now: datetime) -> None:
    refs = _refs()
    store.observe_many(
        account,
        [Measurement(ref=ref, version=None, value={"count": value}) for ref in refs],
        by="probe",
        measured_from=now,
        now=now,
    )


def _bulk(account: Account, bare: Account) -> None:
    value = iter(range(1, 10**6))
    refs, digest = _refs(), "0" * 64

    def ours() -> None:
        _observe(account, value=next(value), now=timezone.now())

    def bare_bulk() -> None:
        now = timezone.now()
        count = next(value)
        with connection.cursor() as cursor:
            cursor.execute(
                BARE_BULK,
                {
                    "account": bare.pk,
                    "keys": array([ref.key for ref in refs]),
                    "values": array([json.dumps({"count": count}) for _ in refs]),
                    "digests": array([digest] * FACTS),
                    "now": now,
                    "day": now.date(),
                },
            )

    with CaptureQueriesContext(connection) as queries:
        ours()
    bare_time, our_time = _medians(BULKS, bare_bulk, ours)
    print(
        f"bulk observation of {FACTS:,} facts: {len(queries)} statements (at most 10); "
        f"beside the bare INSERT: {our_time / bare_time:.2f} x (at most 3)"
    )


def _single(account: Account) -> None:
    value = iter(range(1, 10**6))
    [ref] = _refs()[:1]
    other = Ref.of("data", "label", "Type1")

    def ours() -> None:
        now = timezone.now()
        store.observe(
            account,
            Measurement(ref=ref, version=None, value={"count": next(value)}),
            by="probe",
            measured_from=now,
            now=now,
        )

    def bare() -> None:
        now = timezone.now()
        told = {
            "account": account.pk,
            "key": other.key,
            "value": json.dumps({"count": next(value)}),
            "digest": "0" * 64,
            "now": now,
            "day": now.date(),
        }
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(BARE_SINGLE[0], told)
            told["id"] = cursor.fetchone()[0]
            for statement in BARE_SINGLE[1:]:
                cursor.execute(statement, told)

    bare_time, our_time = _medians(SINGLES, bare, ours)
    print(
        "single observation beside the bare locked UPDATE: "
        f"{our_time / bare_time:.2f} x (at most 3)"
    )


def _read(account: Account) -> None:
    ref, now = _refs()[7], timezone.now() - LONG_AGO

    def ours() -> Any:
        return derivations.look_up(account, ref, by="bench", now=now)

    def bare() -> Any:
        with connection.cursor() as cursor:
            cursor.execute(BARE_READ, [account.pk, ref.key])
            return cursor.fetchone()

    bare_time, our_time = _medians(READS, bare, ours)
    print(f"read beside the bare SELECT: {our_time / bare_time:.2f} x (at most 1.5)")


def _medians(
    rounds: int, first: Callable[[], Any], second: Callable[[], Any]
) -> tuple[float, float]:
    times: tuple[list[float], list[float]] = ([], [])
    for work in (first, second):
        work()
    for _ in range(rounds):
        for side, work in enumerate((first, second)):
            began = time.perf_counter()
            work()
            times[side].append(time.perf_counter() - began)
    return statistics.median(times[0]), statistics.median(times[1])


if __name__ == "__main__":
    main()
