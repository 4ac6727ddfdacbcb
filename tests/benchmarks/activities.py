"""What activities cost, in ratios of one run: ``python -m tests.benchmarks.activities [EVENTS]``.

It makes events in a database of its own and measures

* the door: JSON lines to votes and sessions, in events a second of processor time, this process
  and the database's together (on one core the two take turns);
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
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection, transaction  # noqa: E402

from activities import inference, loading, rules, sessions, verbs, votes  # noqa: E402
from activities.documents import Registry  # noqa: E402
from activities.events import Event  # noqa: E402
from activities.lines import lines  # noqa: E402
from facts.models import Account  # noqa: E402
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


def timed(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


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
    parse = timed(lambda: [json.loads(line) for line in text.splitlines()])
    own, database, wall = time.process_time(), backend_seconds(), time.perf_counter()
    *_, loaded = loading.load(lines(BytesIO(text)))
    wall = time.perf_counter() - wall
    own, database = time.process_time() - own, backend_seconds() - database
    assert loaded.taken.accepted + loaded.taken.folded == len(rows)
    print(
        f"door: {len(rows):,} events, {len(rows) / (own + database):,.0f} a second of processor"
        f" time ({own:.2f} s here, {database:.2f} s in the database), {len(rows) / wall:,.0f} a"
        f" second by the clock; {(own + database) / parse:.1f} times the parsing of their JSON"
    )
    run("TRUNCATE activities_vote, activities_session, activities_accountsettings")


def full_build() -> float:
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

    parts = [timed(votes_of_events), timed(sessions_of_votes), timed(everybodys_activities)]
    print("full build: {:.2f} s votes, {:.2f} s sessions, {:.2f} s activities".format(*parts))
    return sum(parts)


def everybodys_activities() -> set[tuple]:
    return {
        (account.pk, t.person, t.verb, t.sessions, t.days, t.others, t.colleagues)
        for account in Account.objects.all()
        for t in inference.activities_at(account, AS_OF)
    }


def measure_news(full: float) -> None:
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
    seconds = [timed(lambda shift=shift: touched.update(take(shift))) for shift in shifts]
    again = timed(
        lambda: [inference.activities_at(a, AS_OF) for a in Account.objects.filter(pk__in=touched)]
    )
    news = statistics.median(seconds)
    print(
        f"news: {NEWS:,} events {news * 1000:.0f} ms, {full / news:,.0f} times less than the full"
        f" build; the activities of the {len(touched)} accounts they touch {again * 1000:.0f} ms"
        f" more, {full / (news + again):,.0f} times less in all"
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
    whole = [timed(lambda: inference.activities_at(account, AS_OF)) for account in accounts]  # noqa: B023
    execution = sorted(plan["Execution Time"] for plan in plans)
    planning = statistics.median(plan["Planning Time"] for plan in plans)
    print(
        f"one account's activities: {statistics.median(execution):.2f} ms in the database"
        f" ({execution[-1]:.2f} at most of {len(execution)}, planning {planning:.2f});"
        f" {statistics.median(whole) * 1000:.2f} ms with feedback, verbs and judging"
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
        elsewhere.compare(found, full, AS_OF)
        measure_news(full)


if __name__ == "__main__":
    main()
