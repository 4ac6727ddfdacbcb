"""Real workers under supervision, killed: work goes on, and nothing is lost or done twice."""

import threading
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest
from django.db import connection, connections
from django.utils import timezone
from django_q.models import OrmQ

from facts import probing
from facts.models import Heartbeat, Observation, Source
from facts.scheduling import note_made
from readiness.starting.processes import Child
from readiness.starting.supervisor import Supervisor
from tests.facts.probing.databases import url_of
from tests.facts.scheduling.sources import a_shop, probed
from tests.waiting import until
from tests.workers import (
    COMMAND,
    give_a_tick,
    is_alone,
    sentinel_of,
    workers_environment,
    workers_of,
)

TABLES = 2


@pytest.fixture
def shop(transactional_db, tmp_path):
    """A shop that was learned two hours ago, and of which nothing is due."""
    learned = timezone.now() - timedelta(hours=2)
    probing.connect(
        "acme", a_shop(tmp_path / "shop.db", TABLES), clock=lambda: learned, done=note_made
    )
    Source.objects.update(concurrency=TABLES)
    probed().update(due_at=None)
    return learned


@contextmanager
def supervised():
    """The workers, kept running as ``start`` does; gives the child and what was said."""
    said = []
    child = Child("workers", COMMAND, workers_environment())
    supervisor = Supervisor([], child, patience=timedelta(seconds=12), say=said.append)

    def run():
        supervisor.run()
        connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        until(lambda: child.pid and workers_of(child.pid), "workers")
        yield child, said
    finally:
        supervisor.stop()
        thread.join(timeout=60)
        until(is_alone, "the end of the workers' sessions")


@contextmanager
def held_up():
    """Whoever writes a label's fact waits, in the middle of a check, until the block ends."""
    url = url_of(connection.settings_dict["NAME"])
    with psycopg.connect(url) as other:
        other.execute("SELECT FROM facts_fact WHERE kind = 'label' FOR UPDATE")
        yield
        other.rollback()


def waiting_for_locks():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0]


def both_busy():
    return tables().filter(lease_until__isnull=False).count() == waiting_for_locks() == TABLES


def tables():
    return probed().filter(table__isnull=False)


def demand_made_once(since):
    """Every table's check gets made, and each fact is measured once for it."""
    waiting = tables().filter(last_checked=since)
    until(lambda: not waiting.exists(), "every check made", keep=give_a_tick)
    made = Observation.objects.filter(fact__kind="label", outcome="confirmed", last_at__gt=since)
    assert made.values("fact").distinct().count() == made.count() == TABLES
    assert not probed().filter(lease_until__isnull=False).exists()


def claims():
    return sorted(tables().values_list("claims", flat=True))


def test_what_a_killed_worker_was_at_is_made_again_when_its_lease_is_over(shop):
    with supervised() as (child, _):
        tables().update(due_at=shop)
        with held_up():
            until(both_busy, "two busy workers", keep=give_a_tick)
            workers_of(child.pid)[0].kill()
        demand_made_once(shop)

    assert claims() == [1, 2]


def test_what_goes_on_when_the_sentinel_is_killed_is_made_once(shop):
    with supervised() as (child, said):
        tables().update(due_at=shop)
        with held_up():
            until(both_busy, "two busy workers", keep=give_a_tick)
            sentinel_of(child.pid).kill()
            until(lambda: said, "a new start")
        demand_made_once(shop)

    assert said[0] == "the workers ended: starting it again"


def test_idle_workers_that_are_killed_are_missed_and_replaced(shop):
    with supervised() as (child, _):
        until(Heartbeat.objects.exists, "a beating heart", keep=give_a_tick)
        until(lambda: not OrmQ.objects.exists(), "idle workers")
        for worker in workers_of(child.pid):
            worker.kill()
        tables().update(due_at=shop)
        demand_made_once(shop)

    assert claims() == [1] * TABLES
