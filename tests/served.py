"""The site as a real process on the tests' database, as ``start`` runs it."""

import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from tests.processes import ROOT, environment
from tests.waiting import until


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def sessions_of(name: str) -> int:
    """How many sessions a program of this name has on the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [name])
        return int(cursor.fetchone()[0])


@contextmanager
def site(log: Path, **settings: str) -> Iterator[str]:
    """The address of the site while the block runs; what it says goes to ``log``."""
    port = free_port()
    url, name = f"http://127.0.0.1:{port}", f"site {port}"
    with log.open("w") as said:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "uvicorn", "config.asgi:application"),
                *("--port", str(port), "--lifespan", "off", "--no-access-log"),
            ],
            cwd=ROOT,
            env={**environment(), "KEN_PROCESS": "web", "PGAPPNAME": name, **settings},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    try:
        until(lambda: answers(f"{url}/healthz"), "the site")
        yield url
    finally:
        process.terminate()
        process.wait()
        until(lambda: not sessions_of(name), "the end of the site's sessions")
