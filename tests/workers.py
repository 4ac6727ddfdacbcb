"""The workers as real processes on the tests' database, and what they are given to do."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from django.conf import settings
from django.db import connection
from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task

from tests.processes import ROOT, environment
from tests.waiting import until

LEASE = 10  # seconds
COMMAND = [sys.executable, str(ROOT / "manage.py"), "qcluster"]


def workers_environment() -> dict[str, str]:
    """The environment of workers that open our sources, trust our tasks and hold short leases."""
    return {
        **environment(),
        "SECRET_KEY": settings.SECRET_KEY,
        "SOURCE_KEYS": ",".join(settings.SOURCE_KEYS),
        "LEASE_SECONDS": str(LEASE),
        "LOG_LEVEL": "ERROR",
    }


@contextmanager
def clusters(count: int) -> Iterator[None]:
    """So many clusters, each in a process group of its own, which end with the block."""
    processes = [
        subprocess.Popen(
            COMMAND,
            env=workers_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        for _ in range(count)
    ]
    try:
        yield
    finally:
        for process in processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        until(is_alone, "the end of the workers' sessions")


def is_alone() -> bool:
    """Whether nobody but this process is on the tests' database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        return cursor.fetchone()[0] == 0


def sentinel_of(head: int) -> psutil.Process | None:
    """The process of a group that watches the workers: the one with children, below the head."""
    below = psutil.Process(head).children(recursive=True)
    return max(below, key=lambda one: len(one.children()), default=None)


def workers_of(head: int) -> list[psutil.Process]:
    """The worker processes of a group, which its sentinel starts before all others."""
    sentinel = sentinel_of(head)
    born = sorted(sentinel.children(), key=lambda one: one.create_time()) if sentinel else []
    return born[:2] if len(born) >= 4 else []


def give_a_tick() -> None:
    """Queue a tick, as the schedule does every minute, unless one waits."""
    if not OrmQ.objects.filter(lock__lte=timezone.now()).exists():
        async_task("facts.tasks.tick")
