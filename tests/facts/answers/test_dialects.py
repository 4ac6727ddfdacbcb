"""A query is read as the source that it runs in reads it, whatever its proposer calls it."""

import pytest

from facts.answers.errors import BadAnswer
from facts.models import Source
from facts.probing.reflection import Catalogue
from facts.probing.registering import register_catalogue
from facts.probing.standing import Standing
from tests.facts.answers.shop import NINE, TABLES, late, offer

pytestmark = pytest.mark.django_db


@pytest.fixture
def lite(acme):
    """Acme, whose shop stands in SQLite."""
    register_catalogue(
        Source.objects.create(account=acme, encrypted_url="-"),
        Catalogue(TABLES, "public"),
        backend="sqlite",
        standing=Standing.of_account(acme),
        measured_from=NINE,
        now=NINE,
    )
    return acme


@pytest.mark.parametrize("told", [{}, {"dialect": "postgres"}, {"dialect": "postgresql"}])
def test_a_query_in_another_dialect_than_its_source_s_is_refused(lite, told):
    since = [
        {"label": "Order", "op": "rows"},
        {"label": "Order", "property": "placedAt", "op": ">=", "value": "2026-01-01"},
    ]
    query = "SELECT id FROM orders WHERE placed_at >= '2026-01-01 00:00:00'"

    with pytest.raises(BadAnswer):
        offer(lite, question=late(constraints=since), query=query, **told)


def test_a_query_in_the_dialect_of_its_source_is_kept(lite):
    assert offer(lite, dialect="sqlite").is_new


@pytest.mark.parametrize("clause", ["LIMIT", "OFFSET", "ORDER BY", "GROUP BY", "WHERE id = $"])
def test_a_number_longer_than_any_is_refused_and_not_read(shop, clause):
    space = "" if clause.endswith("$") else " "

    with pytest.raises(BadAnswer):
        offer(shop, query=f"SELECT id FROM orders {clause}{space}{'9' * 5000}")
