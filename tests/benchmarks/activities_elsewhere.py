"""The same activities by pandas, polars and DuckDB, from events in memory; UTC, no feedback.

Each is skipped, and says so, where it is not installed; none is a dependency of Ken.
"""

import time
from array import array
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from activities import rules

GAP, WINDOW = rules.GAP // rules.MICROSECOND, rules.WINDOW // rules.MICROSECOND
DAY = timedelta(days=1) // rules.MICROSECOND
Found = set[tuple[Any, ...]]


def compare(expected: Found, full: float, as_of: datetime) -> None:
    """Time each library on the events of the table ``event``; all must find ``expected``.

    ``full`` is the processor time of the full build, in seconds.
    """
    moment = rules.microseconds(as_of)
    for name, work in (("pandas", by_pandas), ("polars", by_polars), ("DuckDB", by_duckdb)):
        try:
            build = work(moment)
        except ImportError:
            print(f"{name}: not installed, skipped")
            continue
        clock, processor = time.perf_counter(), time.process_time()
        found = build()
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        assert found == expected, f"{name} finds other activities"
        del build
        print(
            f"{name}: {clock:.2f} s ({processor:.2f} s of processor time), the full build takes"
            f" {full / processor:.1f} times that; the same {len(found):,} activities"
        )


def columns() -> dict[str, Any]:
    """The events as columns of whole numbers; a verb is its rank, and navigation 0."""
    names = ("account", "person", "verb", "at")
    found = {name: array("q") for name in names}
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(
            "SELECT account_id, person_id, coalesce(verb.rank, 0), at FROM event"
            " JOIN activities_action AS action ON action.id = action_id"
            " LEFT JOIN activities_verb AS verb ON verb.id = action.verb_id"
        )
        while rows := cursor.fetchmany(100_000):
            for name, column in zip(names, zip(*rows, strict=True), strict=True):
                found[name].extend(column)
    return found


def is_activity(row: tuple[Any, ...]) -> bool:
    """Whether the figures of account, person, verb, ... reach the bar, in whole numbers."""
    n, days, others, k = row[3:]
    others, k = (others, k) if k else (0, 1)
    return n >= 3 and days >= 2 and 2 * k * (n + 1) >= 3 * (others + k)


def by_pandas(as_of: int) -> Callable[[], Found]:
    import numpy as np
    import pandas as pd

    events = pd.DataFrame({name: np.frombuffer(each, "i8") for name, each in columns().items()})

    def build() -> Found:
        e = events[(events.verb > 0) & (events["at"] < as_of)].sort_values(["person", "at"])
        new = e["at"].diff().gt(GAP) | (e.person != e.person.shift())
        e = e.assign(session=new.cumsum(), minute=e["at"] // rules.MINUTE)
        start = e.groupby("session")["at"].min()
        ballots = e.drop_duplicates(["session", "minute", "verb"])
        label = (
            ballots.groupby(["account", "person", "session", "verb"])
            .size()
            .rename("n")
            .reset_index()
            .sort_values(["session", "n", "verb"], ascending=[True, False, True])
            .drop_duplicates("session")
        )
        label["start"] = label.session.map(start)
        label = label[label.start >= as_of - WINDOW]
        tally = (
            label.assign(day=label.start // DAY)
            .groupby(["account", "person", "verb"])
            .agg(n=("session", "size"), days=("day", "nunique"))
            .reset_index()
        )
        tally["others"] = tally.groupby(["account", "verb"]).n.transform("sum") - tally.n
        tally["k"] = tally.account.map(label.groupby("account").person.nunique()) - 1
        rows = tally[["account", "person", "verb", "n", "days", "others", "k"]]
        return {row for row in rows.itertuples(index=False, name=None) if is_activity(row)}

    return build


def by_polars(as_of: int) -> Callable[[], Found]:
    import numpy as np
    import polars as pl

    events = pl.DataFrame({name: np.frombuffer(each, "i8") for name, each in columns().items()})

    def build() -> Found:
        at, person = pl.col("at"), pl.col("person")
        label = (
            events.lazy()
            .filter((pl.col("verb") > 0) & (at < as_of))
            .sort("person", "at")
            .with_columns(
                session=((at.diff() > GAP) | (person != person.shift())).fill_null(True).cum_sum(),
                minute=at // rules.MINUTE,
            )
            .with_columns(start=at.min().over("session"))
            .unique(["session", "minute", "verb"])
            .group_by("account", "person", "session", "start", "verb")
            .len("n")
            .sort("session", "n", "verb", descending=[False, True, False])
            .unique("session", keep="first", maintain_order=True)
            .filter(pl.col("start") >= as_of - WINDOW)
        )
        active = label.group_by("account").agg(k=person.n_unique().cast(pl.Int64) - 1)
        tally = (
            label.group_by("account", "person", "verb")
            .agg(
                n=pl.len().cast(pl.Int64),
                days=(pl.col("start") // DAY).n_unique().cast(pl.Int64),
            )
            .with_columns(others=pl.col("n").sum().over("account", "verb") - pl.col("n"))
            .join(active, on="account")
            .select("account", "person", "verb", "n", "days", "others", "k")
            .collect()
        )
        return {row for row in tally.iter_rows() if is_activity(row)}

    return build


def by_duckdb(as_of: int) -> Callable[[], Found]:
    import duckdb
    import numpy as np
    import pyarrow as pa

    database = duckdb.connect()
    events = pa.table(  # noqa: F841 - the statement below reads it by this name
        {name: np.frombuffer(each, "i8") for name, each in columns().items()}
    )
    database.execute("CREATE TABLE event AS SELECT * FROM events")

    def build() -> Found:
        rows = database.execute(
            """
            WITH cut AS (
                SELECT *, "at" - lag("at") OVER (PARTITION BY person ORDER BY "at") AS pause
                FROM event WHERE verb > 0 AND "at" < $as_of
            ), numbered AS (
                SELECT *, count(*) FILTER (WHERE pause > $gap)
                    OVER (PARTITION BY person ORDER BY "at" RANGE UNBOUNDED PRECEDING) AS session
                FROM cut
            ), tallied AS (
                SELECT account, person, session, verb,
                    count(DISTINCT "at" // 60000000) AS n, min("at") AS first
                FROM numbered GROUP BY ALL
            ), label AS (
                SELECT account, person, session, min(first) AS start,
                    first(verb ORDER BY n DESC, verb) AS verb
                FROM tallied GROUP BY account, person, session HAVING start >= $as_of - $window
            ), active AS (
                SELECT account, count(DISTINCT person) - 1 AS k FROM label GROUP BY account
            ), tally AS (
                SELECT account, person, verb, count(*) AS n,
                    count(DISTINCT start // 86400000000) AS days FROM label GROUP BY ALL
            )
            SELECT account, person, verb, n, days,
                (sum(n) OVER (PARTITION BY account, verb) - n)::bigint, k
            FROM tally JOIN active USING (account)
            """,
            {"as_of": as_of, "gap": GAP, "window": WINDOW},
        ).fetchall()
        return {row for row in rows if is_activity(row)}

    return build
