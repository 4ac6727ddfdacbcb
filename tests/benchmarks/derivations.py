"""New code over many rows: ``python -m tests.benchmarks.derivations [TARGETS [PROCESSES]]``.

In a database of its own, with 100,000 targets that older code built (100 an account, each resting
on the ten labels of its account), it measures

* the sweep that finds them all due, and a claim of 100 of them beside one where nothing is due;
* two processes, or so many, that work them off, and that none was lost and none built twice;
* what a reader waits for a derived fact meanwhile, beside one at rest;
* what looking again at a target costs whose inputs are the same, beside building it.

Figures are ratios within one run where they can be. The reader is a process beside the workers, so
where there are fewer cores than processes it waits for a core as well; the first line says how many
there are and how busy they were before. Progress goes to stderr. It exits with 1 where a target was
lost or built twice, or where a read meanwhile takes more than MOST times as long as before.
"""

import multiprocessing
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection, connections  # noqa: E402
from django.db.models import Count  # noqa: E402

from facts import derivations, owners, store  # noqa: E402
from facts.derivations import Built, Derivation, Inputs, Reading, Target  # noqa: E402
from facts.derivations.lane import claim  # noqa: E402
from facts.models import Account, Check, Fact, Observation  # noqa: E402
from facts.refs import Ref  # noqa: E402

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
TARGETS = 100  # an account
LABELS = 10
PROCESSES = 2
TELL_EVERY = 5.0  # seconds
READS = 500  # of a sample
MOST = 10.0

LOAD = """
WITH made AS (
    INSERT INTO facts_check (
        account_id, kind, derivation, target, weight, cost, a, b, due_because, claims, failures,
        askers, use, demand, wanted, asked, built_from, built_by, built_parts
    )
    SELECT account.id, 'derivation', 'bench', 't' || n, 1 + n %% 7, 0.1, 1, 7, 'new', 0, 0, 0, 0, 0,
        0, 0, repeat('0', 64), '0', '{}'
    FROM facts_account AS account, generate_series(1, %(targets)s) AS n
    RETURNING id, account_id, target
),
rests AS (
    INSERT INTO facts_dependency (account_id, dependent_id, ref)
    SELECT account_id, id, 'data:label:' FROM made
)
INSERT INTO facts_fact (
    account_id, namespace, kind, key, value, digest, version, measured_from, measured_at, failure,
    refuted, support, refute, evidence_at, confirmed_at, trust_lapses_at, built_from, built_by,
    settled_by_id
)
SELECT account_id, 'account', 'bench', target, '{"records": 0}', '', 1, %(now)s, %(now)s, '', false,
    1, 0, %(now)s, %(now)s, %(now)s::timestamptz + interval '28 days', repeat('0', 64), '0', id
FROM made
"""


def _inputs(target: Target, reading: Reading) -> Inputs:
    labels = reading.under("data:label:")
    return {"name": target.name, "counts": [fact.value["count"] for fact in labels]}


def _build(inputs: Inputs) -> Built:
    ref = Ref.of("account", "bench", inputs["name"])
    return {(None, ref): {"records": sum(inputs["counts"])}}


BENCH = Derivation(
    name="bench",
    version="1",
    owner="bench",
    targets=lambda _account: [f"t{n}" for n in range(1, TARGETS + 1)],
    inputs=_inputs,
    build=_build,
)


def main(count: int, processes: int) -> int:
    name = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = "bench_derivations"
    for each in derivations.registered():
        derivations.unregister(each.name)
    _register(BENCH)
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        return int(not measured(load(count), processes))
    finally:
        connections.close_all()
        connection.creation.destroy_test_db(name, verbosity=0)


def _register(derivation: Derivation) -> None:
    owners.register("account", "bench", observer="bench")
    derivations.unregister("bench")
    derivations.register(derivation)


def load(count: int) -> list[Account]:
    """Accounts with labels, and targets that version 0 built."""
    accounts = Account.objects.bulk_create(
        Account(external_id=f"account {n}") for n in range(max(count // TARGETS, 1))
    )
    refs = [Ref.of("data", "label", f"Type{n}") for n in range(LABELS)]
    lines = [
        store.Measurement(ref=ref, version=0, value={"count": n}) for n, ref in enumerate(refs)
    ]
    for account in accounts:
        store.observe_many(account, lines, by="probe", measured_from=NOW, now=NOW)
    with connection.cursor() as cursor:
        cursor.execute(LOAD, {"targets": TARGETS, "now": NOW})
        cursor.execute("VACUUM ANALYZE")
    return accounts


def measured(accounts: list[Account], processes: int) -> bool:
    """Print all figures; whether what they claim holds."""
    count = Check.objects.count()
    load_before, cores = os.getloadavg()[0], os.cpu_count()
    print(f"{cores} cores, load before: {load_before:.1f}")
    Check.objects.update(due_at=LATER + timedelta(days=9))
    idle = timed(lambda: claim(now=LATER))
    at_rest = reads(accounts, READS)
    swept, found = took(lambda: derivations.sweep(now=LATER, limit=count))
    _vacuum()
    print(f"{count:,} targets of {len(accounts):,} accounts, due at once by new code")
    print(f"  found by the sweep: {found:,} in {swept:.1f} s")
    picking = timed(_claim_and_return)
    print(
        f"  a claim of 100 of them: {picking:.1f} ms; where none of as many is due: {idle:.1f} ms"
    )

    seconds, during = rebuild(accounts, count, processes)
    print(
        f"  worked off by {processes} processes in {seconds:.0f} s: {count / seconds:.0f} a second"
    )
    print(f"    with {1000 * _processor_time() / count:.2f} ms of the workers' processor time each")
    ratio = statistics.median(during) / statistics.median(at_rest)
    worst = _p99(during) / _p99(at_rest)
    print(
        f"  a reader meanwhile waits {ratio:.1f} times as long as at rest "
        f"({statistics.median(during):.2f} ms against {statistics.median(at_rest):.2f} ms; "
        f"the slowest of a hundred {worst:.1f} times), over {len(during):,} reads"
    )
    lost, twice = faults(count)
    print(f"  lost: {lost}; built twice: {twice}")
    confirming(accounts[0])
    return not lost and not twice and ratio <= MOST


def rebuild(accounts: list[Account], count: int, processes: int) -> tuple[float, list[float]]:
    """Work everything off in processes of their own, reading all the while."""
    spawn = multiprocessing.get_context("spawn")
    database = connection.settings_dict["NAME"]
    workers = [spawn.Process(target=work, args=(database,)) for _ in range(processes)]
    started = time.perf_counter()
    for worker in workers:
        worker.start()
    during: list[float] = []
    told = started
    while any(worker.is_alive() for worker in workers):
        during += reads(accounts, 20)
        if time.perf_counter() - told > TELL_EVERY:
            told = time.perf_counter()
            done = Check.objects.filter(derivation="bench", built_by="1").count()
            print(f"  {done:,} of {count:,} after {told - started:.0f} s", file=sys.stderr)
        time.sleep(0.2)
    for worker in workers:
        worker.join()
        if worker.exitcode:
            raise SystemExit("a worker failed")
    return time.perf_counter() - started, during


def work(database: str) -> None:
    """One process: the product's own lane, until nothing is due."""
    connection.settings_dict["NAME"] = database
    for each in derivations.registered():
        derivations.unregister(each.name)
    _register(BENCH)
    derivations.run_due(clock=lambda: LATER)


def faults(count: int) -> tuple[int, int]:
    """How many targets were not built, and how many more than once: each has one line a build."""
    built = Fact.objects.filter(kind="bench", built_by="1").count()
    lines = Observation.objects.filter(fact__kind="bench").values("fact").annotate(n=Count("pk"))
    return count - built, lines.filter(n__gt=1).count()


def confirming(account: Account) -> None:
    """What a run costs that finds the inputs as they were, beside one that builds."""
    now = LATER + timedelta(hours=1)
    derivations.wake("bench", now=now, account=account)
    confirmed, _ = took(lambda: derivations.run_due(account=account, clock=lambda: now))
    _register(replace(BENCH, version="2"))
    derivations.sweep(now=now)
    built, _ = took(lambda: derivations.run_due(account=account, clock=lambda: now))
    print(f"  looking again at one that is unchanged takes {confirmed / built:.2f} of building it")


def reads(accounts: list[Account], how_many: int) -> list[float]:
    """What so many reads of derived facts took, each in milliseconds."""
    times = []
    for n in range(how_many):
        account, ref = accounts[n * 7 % len(accounts)], Ref.of("account", "bench", f"t{n % 99 + 1}")
        seconds, fact = took(partial(derivations.look_up, account, ref, by="header", now=LATER))
        assert fact is not None
        times.append(seconds * 1000)
    return times


def timed(act: Callable[[], Any], runs: int = 15) -> float:
    """The median of some runs, in milliseconds."""
    return statistics.median(took(act)[0] * 1000 for _ in range(runs))


def took(act: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    result = act()
    return time.perf_counter() - started, result


def _claim_and_return() -> None:
    claimed = claim(now=LATER)
    assert len(claimed) == 100
    Check.objects.filter(pk__in=[check.pk for check in claimed]).update(lease_until=None)


def _vacuum() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE facts_check")


def _processor_time() -> float:
    """What processes that are done took, in seconds; the database's is not among it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


if __name__ == "__main__":
    asked = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*(asked + [100_000, PROCESSES][len(asked) :])))
