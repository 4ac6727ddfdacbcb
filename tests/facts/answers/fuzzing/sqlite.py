"""The same pairs in SQLite, where a column's type is advice: numbers among booleans, texts among
numbers, and one time spelled in several ways.
"""

import random
import re
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from facts.answers.analysis import analyse
from facts.answers.asking import Constraint
from facts.answers.containment import judge
from tests.facts.answers.fuzzing import world
from tests.facts.answers.fuzzing.running import pairs
from tests.facts.answers.fuzzing.specs import naive_sql

NOW = datetime(2026, 6, 1)  # noqa: DTZ001 columns hold times without a zone


@dataclass
class Ran:
    """How many pairs of each kind were served and ran, and which gave something else."""

    served: Counter[str] = field(default_factory=Counter)
    unsound: list[str] = field(default_factory=list)


def run(seed: int, number: int) -> Ran:
    """Judge ``number`` pairs and run the served ones; what SQLite can't run is left."""
    databases, ran = [_filled(size, seed) for size in world.SIZES], Ran()
    for pair in pairs(seed, number):
        constraints = [Constraint.from_document(one) for one in pair.asked.constraints()]
        analysis = analyse(_plain(pair.query.sql()), "sqlite", world.SCHEMA, pair.query.params)
        if judge(constraints, analysis, world.SCHEMA).verdict != "serve":
            continue
        stored, asked = _plain(pair.query.run_sql()), _plain(naive_sql(pair.asked))
        try:
            found = [(one.execute(stored).fetchall(), one.execute(asked)) for one in databases]
        except sqlite3.Error:
            continue
        ran.served[pair.kind] += 1
        for rows, right in found:
            given = Counter(tuple(row[at] for at in pair.query.key_at) for row in rows)
            whole = Counter(right.fetchall())
            cut = pair.asked.limit
            same = given == whole if cut is None else not given - whole
            if not same or (cut is not None and len(rows) != min(cut, whole.total())):
                ran.unsound.append(f"asked {asked}\n  stored {stored}")
                break
    return ran


def _plain(sql: str) -> str:
    return re.sub(r"\b(timestamp|date) '", "'", sql)


def _filled(size: world.Size, seed: int) -> sqlite3.Connection:
    connection, chance = sqlite3.connect(":memory:"), random.Random(seed)
    connection.executescript(world.CREATE)
    for table, rows in world.rows(size, chance, NOW).items():
        for row in rows:
            values = [row[0], *(_odd(value, chance) for value in row[1:])]
            marks = ", ".join("?" * len(values))
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", values)
    return connection


def _odd(value: Any, chance: random.Random) -> Any:
    if isinstance(value, datetime):
        return chance.choice((value.isoformat(sep=" "), value.isoformat(), str(value.date())))
    if isinstance(value, date):
        return chance.choice((value.isoformat(), f"{value} 00:00:00"))
    if isinstance(value, bool):
        return chance.choice((value, value, 2))
    if isinstance(value, float):
        return "abc" if chance.random() < 0.1 else value
    return value + 0.5 if isinstance(value, int) and chance.random() < 0.1 else value
