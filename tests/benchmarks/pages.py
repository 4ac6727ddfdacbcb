"""What the staff's list costs by the number of accounts: python -m tests.benchmarks.pages

A page of 50 of 10,000 accounts, each rolled up from 30 types, beside the same page of 100 accounts,
and the export of all. Medians, both sides in turn in one run.
"""

import os
import statistics
import time
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from facts.models import Account, Fact, Observation  # noqa: E402
from readiness import exporting, listing, overall  # noqa: E402
from readiness.rollup import Level  # noqa: E402

MANY, FEW, TYPES, PAGE, ROUNDS = 10_000, 100, 30, 50, 15


def main() -> None:
    """Make the accounts in a database of its own, measure, and throw the database away."""
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        _make("few", FEW)
        few = _measured()
        _make("many", MANY - FEW)
        many = _measured()
        print(f"of {FEW:,} accounts and of {MANY:,}, milliseconds:")
        for what, seconds in few.items():
            print(f"  {what}: {seconds * 1e3:.1f} and {many[what] * 1e3:.1f}")
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _make(prefix: str, count: int) -> None:
    now, ref = timezone.now(), overall.REF
    accounts = Account.objects.bulk_create(
        Account(external_id=f"{prefix}-{number:05}") for number in range(count)
    )
    facts = Fact.objects.bulk_create(
        Fact(
            account=account,
            namespace=ref.namespace,
            kind=ref.kind,
            key=ref.key,
            value=_rollup(number),
            version=1,
            measured_at=now,
        )
        for number, account in enumerate(accounts)
    )
    Observation.objects.bulk_create(
        Observation(
            account_id=fact.account_id,
            fact=fact,
            by="readiness",
            day=now.date(),
            outcome="confirmed",
            first_at=now,
            last_at=now,
            figures={"level": fact.value["level"], "shown": fact.value["shown"]},
        )
        for fact in facts
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE facts_account, facts_fact, facts_observation")


def _rollup(number: int) -> dict[str, object]:
    level = [*Level][number % 3]
    return {
        "level": str(level),
        "coverage": 50.0,
        "shown": None if level == Level.NOT_READY else 40 + number % 60,
        "gap": "Still learning Type00.",
        "vetoes": [],
        "items": [
            {
                "label": f"Type{each:02}",
                "count": 830,
                "weight": 0.0333,
                "data": 6723,
                "use": 3,
                "trust": "believed",
                "failing": False,
                "can_veto": each < 10,
            }
            for each in range(TYPES)
        ],
    }


def _measured() -> dict[str, float]:
    def page(**asked: object) -> Callable[[], object]:
        return lambda: listing.rows(list(listing.accounts(**asked)[:PAGE]))  # type: ignore[arg-type]

    return {
        "a page by account": _median(page(order="account")),
        "a page by level": _median(page(order="level")),
        "a page of one level": _median(page(order="account", level=Level.READY)),
        "the counts by level": _median(listing.counts),
        "the whole export": _median(
            lambda: sum(map(len, exporting.lines(listing.all_rows(listing.accounts())))), rounds=3
        ),
    }


def _median(made: Callable[[], object], rounds: int = ROUNDS) -> float:
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        made()
        took.append(time.perf_counter() - began)
    return statistics.median(took)


if __name__ == "__main__":
    main()
