"""The embedded server and the real processes that use it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from config.embedded import guard, server, tools
from config.embedded.server import Server
from config.embedded.tools import ServerUnavailable
from tests.waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parents[2]
USER = """import sys
from pathlib import Path
from config.embedded.server import Server
Server(Path(sys.argv[1]), "ken").ensure_running()
print("running", flush=True)
sys.stdin.read()
"""


class User:
    """A process that uses the server until it is killed."""

    def __init__(self, data_dir):
        self.process = subprocess.Popen(
            [sys.executable, "-c", USER, str(data_dir)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout.readline() == "running\n"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def data_dir():
    folder = Path(tempfile.mkdtemp(prefix="ken test "))
    folder.chmod(0o755)
    yield folder / "data folder"
    for name in ("data folder", "moved"):
        shutil.rmtree(Server(folder / name, "ken").socket_dir, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def use(data_dir):
    users = []

    def begin(where=data_dir):
        users.append(User(where))
        return users[-1]

    yield begin
    for user in users:
        if user.process.poll() is None:
            user.kill()
    until(lambda: guard.postmaster_of(data_dir / "postgres") is None)


def asked(data_dir, statement):
    where = Server(data_dir, "ken")
    with psycopg.connect(
        f"host='{where.socket_dir}' port=5432 user=postgres dbname=ken", autocommit=True
    ) as database:
        cursor = database.execute(statement)
        return cursor.fetchall() if cursor.description else None


def test_one_server_is_shared_and_stops_when_its_last_user_is_killed(use, data_dir):
    first, second = use(), use()
    postmaster = guard.postmaster_of(data_dir / "postgres")
    first.kill()
    asked(data_dir, "CREATE TABLE IF NOT EXISTS kept (it int)")

    assert guard.postmaster_of(data_dir / "postgres") == postmaster
    second.kill()

    until(lambda: guard.postmaster_of(data_dir / "postgres") is None)
    assert not guard.answers(Server(data_dir, "ken").socket_dir)


def test_what_was_kept_is_there_when_everything_was_killed_and_a_stranger_has_the_number(
    use, data_dir
):
    user = use()
    asked(data_dir, "CREATE TABLE survivors (it int)")
    postmaster = guard.postmaster_of(data_dir / "postgres")
    pid_file = data_dir / "postgres" / "postmaster.pid"
    left = pid_file.read_text()
    os.kill(postmaster, signal.SIGKILL)
    user.kill()
    until(lambda: guard.postmaster_of(data_dir / "postgres") is None)
    stranger = subprocess.Popen(["sleep", "600"], cwd="/", **tools.owner())
    pid_file.write_text(left.replace(str(postmaster), str(stranger.pid), 1))
    if account := tools.owner():
        os.chown(pid_file, account["user"], account["group"])
    try:
        use()

        assert asked(data_dir, "SELECT count(*) FROM survivors") == [(0,)]
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_server_that_is_killed_while_in_use_is_started_again_by_its_user(data_dir):
    mine = Server(data_dir, "ken")
    mine.ensure_running()
    first = guard.postmaster_of(mine.data)
    os.kill(first, signal.SIGKILL)
    until(lambda: not guard.answers(mine.socket_dir))

    mine.ensure_running()
    second = guard.postmaster_of(mine.data)
    mine.leave()

    assert second not in (first, None)
    assert guard.postmaster_of(mine.data) is None


def test_a_killed_guard_is_replaced_by_the_next_user(use, data_dir):
    first = use()
    guards = subprocess.run(
        ["pgrep", "-f", f"guard.py .*{data_dir / 'in-use'}"],
        capture_output=True, text=True, check=False,
    ).stdout.split()  # fmt: skip
    assert len(guards) == 1
    os.kill(int(guards[0]), signal.SIGKILL)
    until(lambda: not Path(f"/proc/{guards[0]}/cmdline").exists() or _is_zombie(guards[0]))
    second = use()
    first.kill()
    second.kill()

    until(lambda: guard.postmaster_of(data_dir / "postgres") is None)


def _is_zombie(process):
    return not Path(f"/proc/{process}/cmdline").read_bytes()


def test_leaving_a_server_that_others_use_leaves_it_running(use, data_dir):
    use()
    mine = Server(data_dir, "ken")
    mine.ensure_running()

    mine.leave()

    assert asked(data_dir, "SELECT 1") == [(1,)]


def test_a_folder_that_was_moved_keeps_its_data(use, data_dir):
    use().kill()
    until(lambda: guard.postmaster_of(data_dir / "postgres") is None)
    moved = data_dir.with_name("moved")
    data_dir.rename(moved)
    try:
        user = use(moved)
        assert asked(moved, "SELECT datname FROM pg_database WHERE datname = 'ken'") == [("ken",)]
        user.kill()
        until(lambda: guard.postmaster_of(moved / "postgres") is None)
    finally:
        moved.rename(data_dir)


def test_a_server_that_does_not_come_up_is_told_with_its_reason(monkeypatch, use, data_dir):
    use().kill()
    until(lambda: guard.postmaster_of(data_dir / "postgres") is None)
    conf = data_dir / "postgres" / "postgresql.conf"
    good = conf.read_text()
    conf.write_text(good + "\nshared_buffers = nonsense\n")
    monkeypatch.setattr(server, "START_DEADLINE", 0)
    mine = Server(data_dir, "ken")
    try:
        with pytest.raises(ServerUnavailable) as told:
            mine.ensure_running()
    finally:
        conf.write_text(good)
        mine.leave()

    assert str(told.value).startswith("PostgreSQL did not start: ")
    assert "FATAL" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("x" * 200 + "/" + "y" * 200 + "/" + "z" * 200 + "/" + "w" * 200 + "/" + "v" * 150,
         "the data folder's path has over 900 bytes: set DATA_DIR to a shorter one"),
        ('a "quoted" folder', "set DATA_DIR to a path without quotes, $ and \\"),
        ("$HOME", "set DATA_DIR to a path without quotes, $ and \\"),
    ],
)  # fmt: skip
def test_a_path_that_postgresql_cannot_serve_is_refused_before_anything_is_made(
    data_dir, name, line
):
    place = data_dir.with_name("another")
    with pytest.raises(ServerUnavailable) as told:
        Server(place / name, "ken").ensure_running()

    assert str(told.value).endswith(line)
    assert not place.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make another account's folder")
def test_a_cluster_of_another_account_is_left_alone_and_told(use, data_dir):
    use().kill()
    until(lambda: guard.postmaster_of(data_dir / "postgres") is None)
    cluster = data_dir / "postgres"
    owner = cluster.stat()
    os.chown(cluster, 12345, owner.st_gid)
    mine = Server(data_dir, "ken")
    try:
        with pytest.raises(ServerUnavailable) as told:
            mine.ensure_running()
    finally:
        os.chown(cluster, owner.st_uid, owner.st_gid)
        mine.leave()

    assert str(told.value) == (
        f"{cluster} belongs to another account: start as that one, or move it away"
    )


def _nobody_reaches(*paths):
    return all(tools.reachable(Path(path) / "x") for path in paths)


@pytest.mark.skipif(
    os.geteuid() != 0 or not _nobody_reaches(ROOT, sys.executable, sys.base_prefix),
    reason="takes root, and a checkout that another account can reach",
)
def test_an_ordinary_account_runs_its_own_server():
    folder = Path(tempfile.mkdtemp(prefix="ken of nobody "))
    account = tools.owner()
    os.chown(folder, account["user"], account["group"])
    try:
        done = subprocess.run(
            [sys.executable, "-c", USER, str(folder / "data")],
            cwd=ROOT, input="", capture_output=True, text=True, check=False,
            timeout=PATIENCE, **account,
        )  # fmt: skip
        assert (done.stdout, done.stderr) == ("running\n", "")
        until(lambda: guard.postmaster_of(folder / "data" / "postgres") is None)
    finally:
        shutil.rmtree(folder)
