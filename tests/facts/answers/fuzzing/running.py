"""Making pairs, judging them, and running what is served against what was asked."""

import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import psycopg

from facts.answers.analysis import Analysis, analyse
from facts.answers.asking import Constraint
from facts.answers.containment import Decision, judge
from tests.facts.answers.fuzzing import breaking, making, world
from tests.facts.answers.fuzzing.rendering import Query, render
from tests.facts.answers.fuzzing.specs import Pred, Spec, naive_sql, restricted
from tests.facts.answers.fuzzing.world import TIES

BATCH = 200  # statements sent at once
SCHEMAS = tuple(f"answers_{number}" for number in range(len(world.SIZES)))


@dataclass(frozen=True)
class Pair:
    """A question, a stored query, and what the stored query was made from."""

    kind: str  # equal, changed or broken
    asked: Spec
    stored: Spec
    query: Query


@dataclass
class Judged:
    pair: Pair
    analysis: Analysis
    decision: Decision


@dataclass
class Figures:
    """What came out. ``unsound`` are the served pairs that gave something else."""

    pairs: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    unsound: list[str] = field(default_factory=list)
    unstated: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    analysing: list[float] = field(default_factory=list)  # microseconds
    judging: list[float] = field(default_factory=list)  # microseconds

    @property
    def served_of_equal(self) -> float:
        equal = self.pairs["equal"]
        return self.verdicts[("equal", "serve")] / equal if equal else 1.0


def pairs(seed: int, number: int) -> Iterator[Pair]:
    """So many pairs, always the same for a seed."""
    chance = random.Random(seed)
    for _ in range(number):
        asked = making.question(chance)
        way = chance.random()
        stored = making.stored_for(asked, chance) if way > 0.3 else asked
        if 0.65 < way < 0.72:
            stored = asked
        query = render(stored, chance)
        kind = "equal" if way <= 0.3 else "changed"
        if way > 0.65:
            kind = "broken" if breaking.broken(query, chance) else "skipped"
        yield Pair(kind, asked, stored, query)


def fill(connection: psycopg.Connection[Any], seed: int) -> None:
    """Make the small databases, each a schema of its own."""
    now: datetime = connection.execute("SELECT localtimestamp").fetchone()[0]  # type: ignore[index]
    for number, (schema, size) in enumerate(zip(SCHEMAS, world.SIZES, strict=True)):
        connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}")
        connection.execute(f"SET search_path TO {schema}")
        connection.execute(world.CREATE)
        found = world.rows(size, random.Random(f"{seed} {number}"), now)
        for table, rows in found.items():
            with connection.cursor() as cursor:
                marks = ", ".join(["%s"] * len(rows[0])) if rows else ""
                cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def run(
    connection: psycopg.Connection[Any],
    *,
    seed: int,
    number: int,
    progress: Callable[[int], object] = lambda done: None,
    until_found: bool = False,
) -> Figures:
    """Judge ``number`` pairs and run those that are served, in schemas that go again.

    ``connection`` commits by itself, and its clock is in UTC. With ``until_found`` the first batch
    with a fault ends it.
    """
    fill(connection, seed)
    try:
        return _run(connection, seed, number, progress, until_found=until_found)
    finally:
        connection.execute("RESET search_path")
        for schema in SCHEMAS:
            connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")


def _run(
    connection: psycopg.Connection[Any],
    seed: int,
    number: int,
    progress: Callable[[int], object],
    *,
    until_found: bool,
) -> Figures:
    figures: Figures = Figures()
    waiting: list[Judged] = []
    for pair in pairs(seed, number):
        judged = _judge(pair, figures)
        progress(1)
        if judged.decision.is_served:
            waiting.append(judged)
        if len(waiting) >= (BATCH // 4 if until_found else BATCH):
            _compare(connection, waiting, figures)
            waiting = []
            if until_found and (figures.unsound or figures.unstated):
                return figures
    _compare(connection, waiting, figures)
    return figures


def _judge(pair: Pair, figures: Figures) -> Judged:
    constraints = [Constraint.from_document(one) for one in pair.asked.constraints()]
    started = time.perf_counter()
    analysis = analyse(pair.query.sql(), "postgres", world.SCHEMA, pair.query.params)
    analysed = time.perf_counter()
    decision = judge(constraints, analysis, world.SCHEMA)
    judged = time.perf_counter()
    kept = Analysis.from_document(json.loads(json.dumps(analysis.to_document())))
    assert judge(constraints, kept, world.SCHEMA) == decision
    figures.analysing.append((analysed - started) * 1e6)
    if not analysis.unreadable:
        figures.judging.append((judged - analysed) * 1e6)
    figures.pairs[pair.kind] += 1
    figures.verdicts[(pair.kind, decision.verdict)] += 1
    if analysis.unreadable:
        figures.unread[f"{pair.kind} {analysis.unreadable}"] += 1
    if pair.kind == "equal" and decision.verdict != "serve":
        figures.missed.append(f"{decision.reason} | {pair.query.sql()}")
    return Judged(pair, analysis, decision)


def _compare(connection: psycopg.Connection[Any], judged: list[Judged], figures: Figures) -> None:
    """Run stored queries and questions in every database."""
    wanted = [_wanted(one) for one in judged]
    bad: set[int] = set()
    for schema in SCHEMAS:
        connection.execute(f"SET search_path TO {schema}")
        stored = _results(connection, [one.pair.query.run_sql() for one in judged])
        right = _results(connection, [naive_sql(spec) for spec in wanted])
        for at, one in enumerate(judged):
            if isinstance(right[at], str):
                raise AssertionError(f"{right[at]}: {naive_sql(wanted[at])}")
            if isinstance(stored[at], str):
                if at not in bad and one.pair.kind != "broken":  # those may be no SQL at all
                    figures.failed.append(f"{stored[at]} | {one.pair.query.sql()}")
                bad.add(at)
            elif at not in bad and not _agree(one, wanted[at], stored[at], right[at]):
                bad.add(at)
                figures.unsound.append(_told(one, wanted[at], schema))
    for at, one in enumerate(judged):
        if at not in bad and (silent := _silent(one)):
            figures.unstated.append(f"{silent} | {one.decision.additions} | {one.pair.query.sql()}")


def _wanted(one: Judged) -> Spec:
    if one.decision.verdict == "serve":
        return one.pair.asked
    if one.pair.kind == "broken":
        return _as_stated(one)
    return restricted(one.pair.asked, one.pair.stored)


def _as_stated(one: Judged) -> Spec:
    """What was asked with those of the stated additions that their words tell wholly."""
    asked = one.pair.asked
    labels, preds = list(asked.labels), list(asked.preds)
    for said in one.decision.additions:
        if found := re.fullmatch(r"a (\w+) by \w+", said):
            labels.append(found[1])
        elif (found := re.fullmatch(r"no (\w+) by \w+", said)) and found[1] in TIES[asked.base]:
            preds.append(Pred(asked.base, ("id",), "raw", absent=found[1]))
        elif found := re.fullmatch(r"(\w+)\.(\w+) is (not )?null", said):
            preds.append(Pred(found[1], (found[2],), "not_null" if found[3] else "is_null"))
    return replace(asked, labels=tuple(labels), preds=tuple(preds))


def _results(connection: psycopg.Connection[Any], statements: list[str]) -> list[Any]:
    """The rows of each statement, or the code of its error; all of a batch in one journey."""
    if not statements:
        return []
    try:
        cursor = connection.execute(";\n".join(statements))
        found = [cursor.fetchall()]
        while cursor.nextset():
            found.append(cursor.fetchall())
        return found
    except psycopg.Error as error:
        if len(statements) == 1:
            return [f"SQLSTATE {error.sqlstate}"]
        half = len(statements) // 2
        return _results(connection, statements[:half]) + _results(connection, statements[half:])


def _agree(one: Judged, wanted: Spec, stored: list[Any], right: list[Any]) -> bool:
    """Whether the stored query gave what was wanted.

    What a broken query adds is not known apart from what is stated; then it must give some of
    that, each record once, and no greater number.
    """
    places = one.pair.query.key_at
    try:
        given = sorted((tuple(row[at] for at in places) for row in stored), key=repr)
    except IndexError:
        return False
    expected = sorted(map(tuple, right), key=repr)
    if one.pair.kind == "broken" and one.decision.verdict == "adds":
        return _is_part(wanted, given, expected)
    if wanted.limit is None:
        return _plain(given) == _plain(expected)
    kept = Counter(given)
    return not kept - Counter(expected) and len(given) == min(wanted.limit, len(expected))


def _is_part(wanted: Spec, given: list[Any], expected: list[Any]) -> bool:
    if wanted.measure == "rows":
        return not Counter(given) - Counter(expected)
    if wanted.measure == "sum":
        return len(given) <= len(expected)
    most = {row[:-1]: row[-1] for row in expected}
    return all(row[-1] <= most.get(row[:-1], -1) for row in given)


def _plain(rows: list[Any]) -> list[Any]:
    return sorted(tuple(str(one) for one in row) for row in rows)


def _silent(one: Judged) -> list[str]:
    """What the query restricts beside what was asked and the decision does not say."""
    if one.pair.kind == "broken" or one.decision.verdict != "adds":
        return []
    said = " ".join(one.decision.additions)
    asked, stored = one.pair.asked, one.pair.stored
    names = {f"{label}.{name}" for label, name in stored.named() - asked.named()}
    absent = {pred.absent for pred in stored.preds if pred.absent}
    ties = (".id", "Id")  # said by the relation they tie
    names = {name for name in names if not name.endswith(ties)} | absent
    return sorted(name for name in names if name not in said)


def _told(one: Judged, wanted: Spec, schema: str) -> str:
    asked = replace(one.pair.asked)
    return (
        f"[{one.pair.kind}] {one.decision.verdict} {one.decision.additions} in {schema}\n"
        f"  asked  {naive_sql(asked)}\n  wanted {naive_sql(wanted)}\n"
        f"  stored {one.pair.query.sql()} {one.pair.query.params or ''}"
    )
