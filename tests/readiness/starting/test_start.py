"""`manage.py start` as a real process, with its own data folder and embedded server."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.served import answers, free_port
from tests.waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parents[3]


def running_of(mark, *words):
    """The processes that name ``mark`` in their command or environment, and say all ``words``."""
    found = []
    for process in psutil.process_iter():
        try:
            command = process.cmdline()
            said = [*command, *process.environ().values()]
            alive = process.status() != psutil.STATUS_ZOMBIE
        except (psutil.Error, OSError):
            continue
        marked = any(mark in part for part in said) and process.pid != os.getpid()
        if alive and marked and all(word in command for word in words):
            found.append(process)
    return found


class Ken:
    """One `start` in a folder of its own, and what it said."""

    def __init__(self, folder, port):
        self.folder, self.port, self.log = folder, port, folder / "said"
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            self.command("--port", str(port)),
            cwd=ROOT,
            env=self.environment(),
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def command(self, *arguments):
        return [sys.executable, str(ROOT / "manage.py"), "start", *arguments]

    def environment(self):
        plain = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "SECRET_KEY")}
        return {**plain, "DATA_DIR": str(self.folder / "data folder")}

    def said(self):
        return self.log.read_text()

    def named(self, *words):
        return running_of(str(self.folder), *words)


@contextmanager
def started(folder, port=None):
    ken = Ken(folder, port or free_port())
    try:
        until(lambda: answers(f"{ken.url}/healthz") or ken.process.poll() is not None, "an answer")
        assert ken.process.poll() is None, ken.said()
        yield ken
    finally:
        if ken.process.poll() is None:
            ken.process.send_signal(signal.SIGINT)
            ken.process.wait(timeout=PATIENCE)
        for process in running_of(str(folder)):
            process.kill()


@pytest.fixture
def folder():
    path = Path(tempfile.mkdtemp(prefix="ken test "))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def test_one_command_serves_the_site_keeps_it_up_and_leaves_nothing_behind(folder):
    with started(folder) as ken:
        assert re.search(r"user admin, password \S{16}\n", ken.said())
        with urllib.request.urlopen(f"{ken.url}/admin/login/") as page:
            assert b'name="password"' in page.read()
        until(lambda: answers(f"{ken.url}/readyz"), "a beating heart of the workers")

        again = subprocess.run(
            ken.command("--port", str(free_port())),
            cwd=ROOT, env=ken.environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert again.returncode == 1
        assert again.stderr.strip() == (
            f"CommandError: Ken is running already: http://localhost:{ken.port} "
            "(Ctrl-C in its terminal stops it)"
        )

        for process in ken.named("uvicorn"):
            process.kill()
        until(lambda: not answers(f"{ken.url}/healthz"), "the site's end")
        until(lambda: answers(f"{ken.url}/healthz"), "the site's return")

        processes = ken.named("qcluster")
        cluster = {process.pid for process in processes}
        sentinel = max(processes, key=lambda process: len(process.children()))
        sentinel.kill()
        until(lambda: not cluster & {p.pid for p in ken.named("qcluster")}, "the cluster's end")
        until(lambda: len(ken.named("qcluster")) >= 4, "the cluster's return")

        ken.process.send_signal(signal.SIGINT)
        assert ken.process.wait(timeout=PATIENCE) == 0
        assert running_of(str(folder)) == []
        assert ken.said().endswith("Ken has stopped\n")

    with started(folder) as ken:
        assert "password" not in ken.said()  # told once


def test_a_killed_start_leaves_no_process_behind(folder):
    with started(folder) as ken:
        until(lambda: len(ken.named("qcluster")) >= 4, "the workers")
        ken.process.kill()
        ken.process.wait()
        until(lambda: running_of(str(folder)) == [], "the end of all it started")


def refused(folder, *arguments, **environment):
    """The one line that a start which refuses prints."""
    plain = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "SECRET_KEY")}
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "start", *arguments],
        cwd=ROOT, env={**plain, "DATA_DIR": str(folder / "data"), **environment},
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0].removeprefix("CommandError: ")


def test_a_port_in_use_is_told_before_anything_is_started(folder):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert refused(folder, "--port", str(port)) == (
            f"port {port} is in use: choose another with --port"
        )
    assert not (folder / "data" / "postgres").exists()


def test_a_port_that_is_none_is_refused(folder):
    assert refused(folder, "--port", "70000") == "a port is a number from 1 to 65535"
    assert "invalid int value" in refused(folder, "--port", "web")


def test_a_folder_that_cannot_be_written_is_told(folder):
    (folder / "data").write_text("a file stands where the folder should")

    assert "set DATA_DIR to a folder it can write" in refused(folder)


def test_a_data_folder_of_another_postgresql_is_left_alone_and_told(folder):
    cluster = folder / "data" / "postgres"
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("12\n")

    line = refused(folder, "--port", str(free_port()))

    assert re.fullmatch(
        rf"{cluster} is of PostgreSQL 12, and this is \d+: move it away, or .*", line
    )
    assert [path.name for path in cluster.iterdir()] == ["PG_VERSION"]


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({"DATABASE_URL": "postgres://u:hidden@127.0.0.1:1/ken", "SECRET_KEY": "x" * 50},
         "the database of DATABASE_URL does not answer or refuses the login"),
        ({"DATABASE_URL": "mysql://u:hidden@h/ken", "SECRET_KEY": "x" * 50},
         "DATABASE_URL is no PostgreSQL URL"),
        ({"DATABASE_URL": "postgres://u:hidden@h/ken"}, "SECRET_KEY is not"),
    ],
)  # fmt: skip
def test_a_database_url_that_does_not_serve_is_told_without_its_password(folder, environment, line):
    said = refused(folder, "--port", str(free_port()), **environment)

    assert line in said
    assert "hidden" not in said
    assert not (folder / "data" / "postgres").exists()
