"""What judging costs: ``python -m tests.benchmarks.judging [ACCOUNTS]``.

In a database of its own it loads accounts with the facts of two specs of ten needs and measures

* judging one account: its queries, and the milliseconds of judging itself beside those that the
  two queries cost on their way through Django;
* a dry run over all accounts, in seconds and as a multiple of judging one account at a time.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from facts.models import Account, Fact  # noqa: E402
from facts.refs import Ref  # noqa: E402
from specs import asking, loading  # noqa: E402
from specs.documents import pretty  # noqa: E402
from specs.dry_run import dry_run  # noqa: E402
from specs.evidence import of_account, refs_of  # noqa: E402
from specs.judging import judge  # noqa: E402
from specs.models import SpecVersion  # noqa: E402
from specs.needs import read  # noqa: E402

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
RUNS = 300


def main(accounts: int) -> None:
    database = connection.creation
    name = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = "bench_judging"
    database.create_test_db(verbosity=0, autoclobber=True)
    try:
        load(accounts)
        one_account()
        all_accounts(accounts)
    finally:
        database.destroy_test_db(name, verbosity=0)


def load(accounts: int) -> None:
    """Every account has a fact for each need; every fifth lacks a share of its carriers."""
    loading.load({"ten": pretty(document(threshold=0.5))}, now=NOW)
    Account.objects.bulk_create(Account(external_id=f"account-{n}") for n in range(accounts))
    refs = refs_of(read(document(threshold=0.5)))
    Fact.objects.bulk_create(
        (
            fact(account, ref, share=60 if account.pk % 5 == 0 else 95)
            for account in Account.objects.all()
            for ref in refs
        ),
        batch_size=2_000,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def document(threshold: float) -> dict:
    """Ten needs, as ``late-orders`` has them."""
    labels = [{"level": "REQUIRED", "label": f"Type{n}", "minCount": 1} for n in range(4)]
    hops = [
        {
            "level": "REQUIRED",
            "hop": {"from": f"Type{n}", "verb": "SHIPPED_BY", "to": "Carrier"},
            "minCoverage": threshold,
        }
        for n in range(3)
    ]
    fills = [
        {
            "level": "IMPROVES",
            "fill": {"label": f"Type{n}", "property": "promisedAt"},
            "minFill": threshold,
        }
        for n in range(3)
    ]
    return {"id": "ten", "needs": [*labels, *hops, *fills]}


def fact(account: Account, ref: Ref, *, share: int) -> Fact:
    return Fact(
        account=account,
        namespace=ref.namespace,
        kind=ref.kind,
        key=ref.key,
        value={"count": 100, "filled": share, "reached": share},
        version=1,
        measured_from=NOW,
        measured_at=NOW,
        support=1,
        evidence_at=NOW,
        confirmed_at=NOW,
    )


def one_account() -> None:
    account = Account.objects.first()
    assert account
    with CaptureQueriesContext(
        connection,
    ) as queries:
        asking.preview("ten", account, now=NOW)
    whole, cpu = timed(lambda: asking.preview("ten", account, now=NOW))
    needs = read(document(threshold=0.5))
    facts = of_account(account, needs, now=NOW)
    own, _ = timed(lambda: judge(read(document(threshold=0.5)), facts).as_json())
    rule, _ = timed(lambda: judge(needs, facts))
    bare, _ = timed(lambda: list(account.facts.at(*refs_of(needs)).values_list("value")))
    print(f"one account, ten needs: {len(queries)} queries, {own:.2f} ms of judging")
    print(f"  of which reading the document {own - rule:.2f} ms, the rule {rule:.2f} ms")
    print(f"  the whole with both queries: {whole:.2f} ms, {cpu:.2f} of them this process's,")
    print(f"  {whole / bare:.1f} x one bare read of the same rows ({bare:.2f} ms)")


def all_accounts(accounts: int) -> None:
    spec = SpecVersion.objects.get().spec
    version = SpecVersion.objects.create(spec=spec, number=2, document=document(threshold=0.9))
    start = time.perf_counter()
    result = dry_run(version, now=NOW)
    seconds = time.perf_counter() - start
    assert result.accounts == accounts
    print(
        f"dry run over {accounts:,} accounts: {seconds:.2f} s, {len(result.changes):,} would "
        f"change, {1000 * seconds / accounts:.2f} ms an account for both versions"
    )


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of wall clock and of this process's processor, each the median of many runs."""
    walls, cpus = [], []
    for _ in range(RUNS):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return 1000 * statistics.median(walls), 1000 * statistics.median(cpus)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
