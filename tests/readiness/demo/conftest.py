"""The demo, made once for all tests that look at it, and gone after them."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from facts.forgetting import searching
from readiness.demo import database, making
from readiness.demo.stories import STORIES

SHOPS = [shop for story in STORIES for shop in story.shops]


class Made:
    """A demo that was made: when, and what was said meanwhile."""

    def __init__(self):
        self.now = timezone.now()
        self.said = []
        self.make_again()

    def make_again(self, *, later=timedelta()):
        """Make it once more, at the same moment or ``later``."""
        making.make(now=self.now + later, say=self.said.append)


@pytest.fixture(scope="package")
def _demo(django_db_setup, django_db_blocker):
    """Made for good, because it takes a while; all that it wrote is taken away at the end."""
    with django_db_blocker.unblock():
        database.drop(SHOPS)
        empty = empty_tables()
        try:
            made = Made()
            with django_db_blocker.block():
                yield made
        finally:
            with connection.cursor() as cursor:
                cursor.execute(f"TRUNCATE {', '.join(empty)}")
            database.drop(SHOPS)


@pytest.fixture
def demo(_demo, db):
    return _demo


def empty_tables():
    with connection.cursor() as cursor:
        found = []
        for table in searching._tables():
            cursor.execute(f"SELECT EXISTS (SELECT FROM {table})")
            if not cursor.fetchone()[0]:
                found.append(table)
    return found
