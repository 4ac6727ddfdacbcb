"""What activities cost, in ratios of one run: ``python -m tests.benchmarks.activities [EVENTS]``.

It makes events in a database of its own and measures

* the door: JSON lines to votes and sessions, in events a second of processor time, this process's
  and the database's together, for on one core the two take turns;
* the full build: votes and sessions of all events, and every account's activities, beside pandas,
  polars and DuckDB, which get the same events in memory and must find the same activities;
* news: a thousand events taken in and the activities of the accounts they touch, beside that;
* one account's activities, as the database measures the statement.

With 10000000 it needs about 3 GB of disk and a quarter of an hour of a calm machine.
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection, transaction  # noqa: E402

from activities import inference, loading, rules, sessions, verbs, votes  # noqa: E402
from activities.documents import Registry  # noqa: E402
from activities.events import Event  # noqa: E402
from activities.lines import lines  # noqa: E402
from facts.models import Account, Person  # noqa: E402
from tests.benchmarks import activities_elsewhere as elsewhere  # noqa: E402

ACCOUNTS, PEOPLE = 200, 5_000
DAYS = 60  # of history: the window is half of it
AS_OF = datetime(2026, 3, 2, tzinfo=UTC)
DOOR = 300_000  # events at most through the door
NEWS = 1_000
VERBS = [f"verb{rank}" for rank in range(1, 11)]
ACTIONS = {f"action{n}": None if n % 7 == 6 else VERBS[n % 10] for n in range(30)}


@contextmanager
def scratch_database() -> Iterator[None]:
    """A database for this run alone."""
    name = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = "bench_activities"
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def run(sql: str, *parameters: object) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall() if cursor.description else []


def make_events(number: int) -> None:
    """Sessions of about twenty events a minute apart, of people with habits of their own."""
    run("SELECT setseed(0.5)")
    run(
        "INSERT INTO facts_account (external_id, created_at)"
        " SELECT 'account ' || n, now() FROM generate_series(1, %s) AS n",
        ACCOUNTS,
    )
    run(
        "INSERT INTO facts_person (account_id, external_id, created_at)"
        " SELECT 1 + n %% %s, 'person ' || n, now() FROM generate_series(1, %s) AS n",
        ACCOUNTS,
        PEOPLE,
    )
    run("CREATE TABLE event (account_id bigint, person_id bigint, action_id int, at bigint)")
    run(
        """
        INSERT INTO event
        SELECT person.account_id, person.id,
            1 + (person.id * 7 + floor(6 * power(random(), 3))::int) %% 30,
            opens + (step * 60 + floor(random() * 60)) * 1000000 + floor(random() * 1000)
        FROM (
            SELECT 1 + floor(random() * %s)::bigint AS person_id,
                (%s - floor(random() * %s))::bigint * 1000000 AS opens
            FROM generate_series(1, %s)
        ) AS session
        JOIN facts_person AS person ON person.id = person_id
        CROSS JOIN generate_series(1, 20) AS step
        """,
        PEOPLE,
        int(AS_OF.timestamp()) - 7_200,
        (DAYS - 1) * 86_400,
        number // 20,
    )
    run("ANALYZE event, facts_account, facts_person")


def backend_seconds() -> float:
    """Processor time of this connection's server process so far."""
    ((pid,),) = run("SELECT pg_backend_pid()")
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """What some work took, in seconds: by the clock, and of processors here and in the database.

    On a busy machine only the second says something.
    """

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.clock:.2f} s ({self.processor:.2f} s of processor time)"

    def __add__(self, other: "Cost") -> "Cost":  # type: ignore[override]
        return Cost(self.clock + other.clock, self.processor + other.processor)


def cost(work: Callable[[], object]) -> Cost:
    clock, processor = time.perf_counter(), time.process_time() + backend_seconds()
    work()
    spent = time.process_time() + backend_seconds() - processor
    return Cost(time.perf_counter() - clock, spent)


def measure_door(number: int) -> None:
    rows = run(
        "SELECT account.external_id, person.external_id, action_id - 1, at FROM event"
        " JOIN facts_person AS person ON person.id = person_id"
        " JOIN facts_account AS account ON account.id = event.account_id"
        " ORDER BY at LIMIT %s",
        min(number, DOOR),
    )
    text = "".join(
        json.dumps(
            {
                "account": account,
                "person": person,
                "action": f"action{action}",
                "at": rules.moment(at).isoformat(),
            }
        )
        + "\n"
        for account, person, action, at in rows
    ).encode()
    parse = cost(lambda: [json.loads(line) for line in text.splitlines()])
    door = cost(lambda: [*loading.load(lines(BytesIO(text)))])
    print(
        f"door: {len(rows):,} events in {door}: {len(rows) / door.processor:,.0f} a second of"
        f" processor time, {len(rows) / door.clock:,.0f} by the clock;"
        f" {door.processor / parse.processor:.1f} times the parsing of their JSON"
    )
    run("TRUNCATE activities_vote, activities_session, activities_accountsettings")


def full_build() -> Cost:
    """Votes, sessions and everybody's activities, from events in the database."""

    def votes_of_events() -> None:
        run(
            "INSERT INTO activities_vote (account_id, person_id, action_id, minute, first, last)"
            " SELECT account_id, person_id, action_id, at / 60000000, min(at), max(at) FROM event"
            " GROUP BY account_id, person_id, action_id, at / 60000000"
            " ORDER BY account_id, person_id, at / 60000000, action_id"
        )
        run("ANALYZE activities_vote")

    def sessions_of_votes() -> None:
        with transaction.atomic():
            accounts = Account.objects.values_list("pk", flat=True)
            for account in sessions.lock_accounts(accounts, 1):
                sessions.rebuild(account, 1)
        run("VACUUM ANALYZE activities_session")

    parts = [cost(votes_of_events), cost(sessions_of_votes), cost(everybodys_activities)]
    whole = parts[0] + parts[1] + parts[2]
    print("full build: {}: votes {}, sessions {}, activities {}".format(whole, *parts))
    return whole


def everybodys_activities() -> set[tuple]:
    """Account, person and rank of the verb, and the figures."""
    people = dict(Person.objects.values_list("external_id", "pk"))
    return {
        (account.pk, people[t.person], t.rank, t.sessions, t.days, t.others, t.colleagues)
        for account in Account.objects.all()
        for t in inference.activities_at(account, AS_OF)
    }


def measure_news(full: Cost) -> None:
    """A thousand new events, each of somebody else, half of them late."""
    people = run(
        "SELECT account.external_id, person.external_id FROM facts_person AS person"
        " JOIN facts_account AS account ON account.id = account_id"
        " ORDER BY person.id LIMIT %s",
        NEWS,
    )

    def take(shift: timedelta) -> set[int]:
        events = [
            Event(
                account,
                person,
                "action1",
                rules.microseconds(AS_OF - shift - timedelta(seconds=61 * n)),
            )
            for n, (account, person) in enumerate(people)
        ]
        return votes.take(events, now=AS_OF).accounts

    touched: set[int] = set()
    shifts = (timedelta(0), timedelta(days=3), timedelta(days=17))
    spent = [cost(lambda shift=shift: touched.update(take(shift))) for shift in shifts]
    news = Cost(*map(statistics.median, zip(*spent, strict=True)))
    again = cost(
        lambda: [inference.activities_at(a, AS_OF) for a in Account.objects.filter(pk__in=touched)]
    )
    print(
        f"news: {NEWS:,} events of {NEWS:,} people {news},"
        f" 1/{full.processor / news.processor:,.0f} of the full build; the activities of the"
        f" {len(touched)} accounts they touch {again} more"
    )


def measure_one_account() -> None:
    """The statement's execution time by EXPLAIN ANALYZE, planning told apart."""
    plans = []

    def explain(execute, sql, parameters, many, context):  # type: ignore[no-untyped-def]
        if "tally" not in sql:
            return execute(sql, parameters, many, context)
        execute("EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) " + sql, parameters, many, context)
        plans.append(context["cursor"].fetchone()[0][0])
        return execute(sql, parameters, many, context)

    accounts = list(Account.objects.order_by("pk")[:50])
    for account in accounts[:2]:
        inference.activities_at(account, AS_OF)
    with connection.execute_wrapper(explain):
        for account in accounts:
            inference.tallies(account, AS_OF)
    judged = cost(lambda: [inference.activities_at(account, AS_OF) for account in accounts])
    execution = sorted(plan["Execution Time"] for plan in plans)
    planning = statistics.median(plan["Planning Time"] for plan in plans)
    print(
        f"one account's activities: {statistics.median(execution):.2f} ms in the database"
        f" ({execution[-1]:.2f} at most of {len(execution)}, planning {planning:.2f});"
        f" {judged.processor / len(accounts) * 1000:.2f} ms of processor time with feedback, verbs"
        " and judging"
    )


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    with scratch_database():
        registry = Registry(tuple(VERBS), ACTIONS, {verb: verb for verb in VERBS})
        verbs.replace(registry, now=AS_OF)
        make_events(number)
        ((rows,),) = run("SELECT count(*) FROM event")
        print(f"{rows:,} events of {PEOPLE:,} people in {ACCOUNTS} accounts over {DAYS} days")
        measure_door(rows)
        full = full_build()
        measure_one_account()
        found = everybodys_activities()
        elsewhere.compare(found, full.processor, AS_OF)
        measure_news(full)


if __name__ == "__main__":
    main()
