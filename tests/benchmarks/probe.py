"""What a probe costs the database it reads: python -m tests.benchmarks.probe

2,000,000 rows of 12 columns in PostgreSQL. Costs are CPU seconds of the backend, as multiples of
one pass over the table (count(*) and count of every column) measured in the same run; each is the
least of a few tries. Linux counts them in nanoseconds; elsewhere they come in ticks of 10 ms. The
statements are the product's own, sent through its own reader; beside them stands what the same
figures cost when they are asked for naively.

The last lines say what a neighbour of the probe feels: how long a lookup by key takes, another
connection asking for one after the other, while nothing else runs and while the table is probed.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

import psutil  # noqa: E402
import psycopg  # noqa: E402
import sqlalchemy as sa  # noqa: E402

from facts.probing import asking, statements, vocabularies  # noqa: E402
from facts.probing.asking import owners_of  # noqa: E402
from facts.probing.layout import Layout  # noqa: E402
from facts.probing.probe import probe  # noqa: E402
from facts.probing.reader import Reader  # noqa: E402
from facts.probing.reflection import reflect  # noqa: E402
from facts.probing.statements import Part  # noqa: E402
from facts.probing.urls import source_url  # noqa: E402
from tests.facts.probing.databases import benchmark_postgres  # noqa: E402
from tests.facts.probing.layouts import named_alone  # noqa: E402

ROWS = 2_000_000
UNLIMITED = 10**12
TRIES = 5

# Customers come and go: most orders are of the customers of their time. For comparison, ``random``
# holds orders whose customers follow no order at all, the worst there is for a processor's caches.
TABLES = f"""
    CREATE TABLE customers (customer_id int PRIMARY KEY, name text);
    INSERT INTO customers SELECT n, 'c' || n FROM generate_series(1, 200000) AS n;
    CREATE TABLE carriers (carrier_id int PRIMARY KEY, name text);
    INSERT INTO carriers SELECT n, 'c' || n FROM generate_series(1, 6) AS n;
    CREATE FUNCTION dice(n int, salt int, sides int) RETURNS int LANGUAGE sql IMMUTABLE AS
        'SELECT (hashint4(n + salt) & 2147483647) % sides';
    CREATE TABLE orders AS
    SELECT n AS order_id,
        least(200000, 1 + n / 10 * 95 / 100 + dice(n, 0, 10000)) AS customer_id,
        1 + dice(n, 1, 6) AS carrier_id,
        (ARRAY['new', 'paid', 'shipped', 'late', 'closed'])[1 + dice(n, 2, 5)] AS status,
        CASE WHEN dice(n, 3, 10) < 3 THEN ''
            ELSE (ARRAY['NO', 'SE', 'DE', 'FR', 'IT', 'ES'])[1 + dice(n, 4, 6)] END AS country,
        dice(n, 5, 7) AS priority,
        CASE WHEN n % 3 > 0 THEN timestamptz '2024-01-01' + n * interval '17 s' END AS shipped_at,
        date '2024-01-01' + n / 5000 AS ordered_on,
        dice(n, 6, 100000) / 100.0 AS total,
        n % 2 = 0 AS gift,
        md5(n::text) AS reference,
        CASE WHEN n % 4 > 0 THEN 'ordered by ' || md5((n * 7)::text) END AS remark
    FROM generate_series(1, {ROWS}) AS n;
    ALTER TABLE orders ADD PRIMARY KEY (order_id);
    CREATE TABLE random AS
        SELECT order_id, 1 + dice(order_id, 0, 200000) AS customer_id FROM orders;
    ALTER TABLE orders ADD CONSTRAINT by FOREIGN KEY (customer_id) REFERENCES customers NOT VALID;
    ALTER TABLE orders ADD CONSTRAINT via FOREIGN KEY (carrier_id) REFERENCES carriers NOT VALID;
    ALTER TABLE random ADD CONSTRAINT by FOREIGN KEY (customer_id) REFERENCES customers NOT VALID;
    ANALYZE;
    """


class Backend:
    """A reader, and the CPU time that its backend spends."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        (row,) = reader.rows(sa.select(sa.func.pg_backend_pid()))
        self._process = psutil.Process(row[0])

    def cost(self, run: Callable[[], object], tries: int = TRIES) -> float:
        """The CPU seconds of the backend for ``run``, the least of ``tries``."""
        return min(self._once(run) for _ in range(tries))

    def costs_of(self, parts: Sequence[sa.Executable]) -> list[float]:
        """The same for each of several statements, which take turns: a slow moment hits all."""
        turns = [[self.cost_of(part, 1) for part in parts] for _ in range(2 * TRIES)]
        return [min(costs) for costs in zip(*turns, strict=True)]

    def cost_of(self, statement: sa.Executable, tries: int = TRIES) -> float:
        """The CPU seconds for one statement."""
        return self.cost(lambda: self.reader.rows(statement), tries)

    def _once(self, run: Callable[[], object]) -> float:
        before = self._seconds()
        run()
        return self._seconds() - before

    def _seconds(self) -> float:
        try:
            counted = Path(f"/proc/{self._process.pid}/schedstat").read_text()
        except FileNotFoundError:
            times = self._process.cpu_times()
            return float(times.user + times.system)
        return int(counted.split()[0]) / 1e9


def main() -> int:
    """Measure and print; the exit status says whether every goal is met."""
    url = benchmark_postgres("probe", TABLES)
    with Reader(source_url(url), statement_seconds=600) as reader:
        found = {one.name: one for one in reflect(reader).layouts}
        orders = named_alone(found["orders"], *found.values())
        random = named_alone(found["random"], *found.values())
        backend = Backend(reader)
        one, lines = _parts(backend, orders, random)
        print(f"one pass over {ROWS:,} rows of 12 columns: {one:.2f} s of CPU\n")
        exact, sampled = _whole(backend, orders)
        naive = _naively(backend, orders)
        lines += [
            ("the whole exact probe, foreign keys not validated", exact, 10),
            ("the whole exact probe, foreign keys validated", _vouched(backend, orders), 10),
            ("the whole probe of a sample", sampled, 0.5),
            ("the same figures, asked for naively", naive, None),
        ]
        met = [_print(what, cost / one, goal) for what, cost, goal in lines]
        met.append(_print("naively, as a multiple of the exact probe", naive / exact, -5))
    _print_neighbour(url, orders)
    return 0 if all(met) else 1


def _parts(
    backend: Backend, orders: Layout, random: Layout
) -> tuple[float, list[tuple[str, float, float | None]]]:
    """What one pass costs, and its parts with their goals."""
    everything = Part()
    by_type = [replace(column, type="other") for column in orders.columns]
    blank = statements.one_pass(orders, everything, orders.columns, backend="postgresql")
    counts = statements.one_pass(orders, everything, by_type, backend="postgresql")
    customer = next(one for one in orders.relations if one.table == "customers")
    carrier = next(one for one in orders.relations if one.table == "carriers")
    words = [
        column
        for column in orders.columns
        if column.name in ("status", "country", "priority", "ordered_on", "gift")
    ]
    people = {customer.columns: asking.Diversity(ROWS, 200_000)}
    owners = owners_of(orders, people) or ()
    groups = [(column.name,) for column in orders.columns]
    share = asking.one_figure(asking.SCREENED_ROWS / ROWS)
    vocabularies_of = vocabularies.words(
        orders, everything, words, owners, exact=False, backend="postgresql"
    )
    one_pass = sa.text(_one_pass_by_hand(orders))
    one, fills, seen = backend.costs_of([one_pass, counts, blank])
    goals: list[tuple[str, sa.Executable, float | None]] = [
        ("a hop to 6 rows", statements.hop(orders, everything, carrier), 2.5),
        ("a hop to 200,000 rows", statements.hop(orders, everything, customer), 2.5),
        (
            "a hop to 200,000 rows in no order at all",
            statements.hop(random, everything, random.relations[0]),
            None,
        ),
        ("the look at a sample first", statements.diversity(orders, Part(share), groups), None),
        ("vocabularies of 5 columns, with owners", vocabularies_of, None),
    ]
    return one, [
        ("fills of all columns", fills, 1.2),
        ("fills, blanks not counted", seen, 1.6),
        *((what, backend.cost_of(statement), goal) for what, statement, goal in goals),
    ]


def _whole(backend: Backend, orders: Layout) -> tuple[float, float]:
    def exact() -> object:
        return probe(backend.reader, orders, row_limit=UNLIMITED)

    def sampled() -> object:
        return probe(backend.reader, orders, row_limit=ROWS // 2)

    before = backend.reader.statements
    exact()
    sent = backend.reader.statements - before
    most = 2 + len(orders.columns) + len(orders.relations)
    print(f"an exact probe sends {sent} statements; 2 + columns + hops are {most}")
    return backend.cost(exact), backend.cost(sampled)


def _vouched(backend: Backend, orders: Layout) -> float:
    """The same table with foreign keys that vouch for their rows."""
    relations = tuple(replace(one, enforced=True) for one in orders.relations)
    layout = replace(orders, relations=relations)
    return backend.cost(lambda: probe(backend.reader, layout, row_limit=UNLIMITED))


def _naively(backend: Backend, orders: Layout) -> float:
    """A query a column for its fill, one for its values, and hops within an aggregate."""
    names = [column.name for column in orders.columns]
    texts = [column.name for column in orders.columns if column.type == "text"]
    queries = ["SELECT count(*) FROM orders"]
    for name in names:
        blank = f" AND btrim({name}) <> ''" if name in texts else ""
        queries.append(f"SELECT count(*) FROM orders WHERE {name} IS NOT NULL{blank}")
        queries.append(
            f"SELECT {name}, count(*) FROM orders GROUP BY 1 HAVING count(*) >= 3"
            " ORDER BY 2 DESC LIMIT 200"
        )
    queries += [
        f"SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM {one.table} AS target"
        f" WHERE target.{one.key[0]} = orders.{one.columns[0]})) FROM orders"
        for one in orders.relations
    ]
    return sum(backend.cost_of(sa.text(query), 1) for query in queries)


def _one_pass_by_hand(orders: Layout) -> str:
    counts = ", ".join(f"count({column.name})" for column in orders.columns)
    return f"SELECT count(*), {counts} FROM orders"


def _print(what: str, multiple: float, goal: float | None) -> bool:
    """A line; a negative goal is one to reach rather than to stay under."""
    if goal is None:
        print(f"{what:<58}{multiple:>7.2f}")
        return True
    is_met = multiple >= -goal if goal < 0 else multiple <= goal
    bound = f"at least {-goal:g}" if goal < 0 else f"at most {goal:g}"
    print(f"{what:<58}{multiple:>7.2f}   {bound:<13} {'met' if is_met else 'MISSED'}")
    return is_met


def _print_neighbour(url: str, orders: Layout) -> None:
    over = Event()

    def read() -> None:
        with Reader(source_url(url), statement_seconds=600) as reader:
            probe(reader, orders, row_limit=UNLIMITED)
        over.set()

    alone = _lookups(url, until=Event(), seconds=3)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(read)
        beside = _lookups(url, until=over, seconds=60)
        running.result()
    cores = len(os.sched_getaffinity(0))
    print(
        f"\na neighbour's lookups by key, milliseconds, on {cores} cores that all of this shares:"
    )
    for what, times in (("alone", alone), ("beside a probe", beside)):
        median, late, latest = (
            1000 * statistics.quantiles(times, n=1000)[place] for place in (499, 949, 989)
        )
        print(f"{what:<20} median {median:.2f}   95 % {late:.2f}   99 % {latest:.2f}")


def _lookups(url: str, *, until: Event, seconds: float) -> Sequence[float]:
    times = []
    deadline = time.perf_counter() + seconds
    with psycopg.connect(url, autocommit=True) as connection:
        key = 1
        while not until.is_set() and time.perf_counter() < deadline:
            key = key * 48271 % 2147483647
            started = time.perf_counter()
            connection.execute("SELECT * FROM orders WHERE order_id = %s", [1 + key % ROWS])
            times.append(time.perf_counter() - started)
    return times


if __name__ == "__main__":
    sys.exit(main())
