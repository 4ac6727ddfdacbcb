"""Pairs made by chance, run in PostgreSQL: what is served gives what was asked."""

import pytest
from django.db import connection

from tests.facts.answers.fuzzing import sqlite
from tests.facts.answers.fuzzing.running import run

PAIRS = 400  # tests/benchmarks/answers.py runs 20,000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_pair_is_served_that_gives_something_else(seed: int) -> None:
    connection.ensure_connection()

    figures = run(connection.connection, seed=seed, number=PAIRS)

    assert figures.unsound == []
    assert figures.unstated == []
    assert figures.failed == []
    assert figures.served_of_equal >= 0.85
    assert figures.pairs["equal"] > PAIRS / 5
    assert figures.verdicts[("changed", "adds")] > PAIRS / 20  # what is run is not only the equal


def test_no_pair_is_served_in_sqlite_that_gives_something_else() -> None:
    ran = sqlite.run(seed=1, number=1_500)

    assert ran.unsound == []
    assert ran.served["equal"] > 100
    assert ran.served["changed"] > 5
