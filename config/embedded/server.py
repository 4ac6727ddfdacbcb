"""A private PostgreSQL server for machines that have none.

It starts at a process's first connection, is shared by every process of this data folder, and
stops when the last of them is gone. Nothing is downloaded at run time.
"""

import fcntl
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded import guard, tools
from config.embedded.tools import ServerUnavailable

START_DEADLINE = 15  # seconds; a killed server's last processes may linger for a few
LONGEST_PATH = 900  # bytes; PostgreSQL's own limit is 1024 with what it appends
UNQUOTED = frozenset('"$`\\\n')  # pg_ctl hands the path to a shell without quoting these


class Server:
    """The cluster of one data folder, answering at ``socket_dir`` (libpq's host)."""

    def __init__(self, data_dir: Path, database: str) -> None:
        as_root = os.geteuid() == 0
        tag = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:10]
        # Where root's folders are closed to others, the server's account could not reach its data.
        self.home = (
            data_dir
            if not as_root or tools.reachable(data_dir)
            else tools.SHARED / f"{database}-{tag}"
        )
        self.data = self.home / "postgres"
        # A socket's path may have 103 bytes at most, so it can't lie with the data. Root's lies in
        # /run, where nobody else can put a folder of that name first; TMPDIR is no help, because
        # two processes of one cluster may see two of them.
        run = Path("/run") if as_root and Path("/run").is_dir() else Path("/tmp")  # noqa: S108 - owner is checked
        self.socket_dir = run / f"{database}-{os.geteuid()}-{tag}"
        self.database = database
        self._lease: int | None = None

    @property
    def held(self) -> bool:
        """Whether this process keeps the server running."""
        return self._lease is not None

    def ensure_running(self) -> None:
        """Start the server unless it answers, and keep it while this process lives.

        Raises ServerUnavailable.
        """
        if self.held and guard.answers(self.socket_dir):
            return
        try:
            self._make_folders()
            with self._alone():
                self._take_lease()
                if not (self.data / "PG_VERSION").exists():
                    self._create_cluster()
                if not guard.answers(self.socket_dir):
                    self._start()
                self._set_guard()
        except OSError as fault:
            raise ServerUnavailable(
                f"the embedded PostgreSQL can't use {fault.filename or self.home}: "
                f"{fault.strerror}; set DATA_DIR to a folder it can write, or DATABASE_URL"
            ) from None

    def leave(self) -> None:
        """Use the server no longer; return when it has stopped, unless others use it."""
        if self._lease is None:
            return
        os.close(self._lease)
        self._lease = None
        with open(self.home / "in-use") as users:
            if _locked(users, fcntl.LOCK_EX):
                guard.stop(self.data)
            elif not _locked(users, fcntl.LOCK_SH):  # so there are no others: the guard has it
                fcntl.flock(users, fcntl.LOCK_SH)

    def _make_folders(self) -> None:
        _check_path(self.data)
        self.home.mkdir(parents=True, exist_ok=True)
        self.socket_dir.mkdir(mode=0o700, exist_ok=True)
        if account := tools.owner():
            self.home.chmod(self.home.stat().st_mode | 0o011)  # walk through, not look around
            os.chown(self.socket_dir, account["user"], account["group"], follow_symlinks=False)
        else:
            found = self.socket_dir.lstat()
            if found.st_uid != os.geteuid() or not stat.S_ISDIR(found.st_mode):
                raise ServerUnavailable(
                    f"{self.socket_dir} belongs to another account: have it removed"
                )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Of all processes and threads one at a time looks and starts."""
        with open(self.home / "starting", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _take_lease(self) -> None:
        if self._lease is None:
            lease = os.open(self.home / "in-use", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(lease, fcntl.LOCK_SH)
            self._lease = lease

    def _create_cluster(self) -> None:
        """Build the cluster beside its place and move it there whole."""
        draft = self.data.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        if account := tools.owner():
            os.chown(draft, account["user"], account["group"])
        _tried(
            "initdb",
            *("-D", draft, "-U", "postgres", "-A", "trust", "-E", "UTF8"),
            *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-sync"),
        )
        _tried(
            "postgres",
            *("--single", "-D", draft, "-c", "exit_on_error=true", "postgres"),
            text=f"CREATE DATABASE {self.database}\n",
        )
        draft.rename(self.data)

    def _start(self) -> None:
        self._check_cluster()
        log = self.socket_dir / "log"
        log.unlink(missing_ok=True)
        deadline = time.monotonic() + START_DEADLINE
        while True:
            if guard.postmaster_of(self.data) is None:
                (self.data / "postmaster.pid").unlink(missing_ok=True)
                (self.socket_dir / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
            status, _ = tools.run(
                "pg_ctl", "-D", self.data, "-w", "-l", log, "-o", self._options(), "start"
            )
            if status == 0:
                return
            if time.monotonic() > deadline:
                raise ServerUnavailable(f"PostgreSQL did not start: {_last_fault(log)}; see {log}")
            time.sleep(0.25)

    def _options(self) -> str:
        """What the server is told at every start, because a folder may move with its cluster.

        Its log keeps no statements and no details: both quote values.
        """
        options = {
            "unix_socket_directories": self.socket_dir,
            "unix_socket_permissions": "0700",
            "listen_addresses": "",
            "port": "5432",
            "max_connections": "200",
            "log_min_messages": "fatal",
            "log_min_error_statement": "panic",
            "log_error_verbosity": "terse",
        }
        return " ".join(f"-c {name}={value}" for name, value in options.items())

    def _check_cluster(self) -> None:
        version = (self.data / "PG_VERSION").read_text().strip()
        if version != tools.major_version():
            raise ServerUnavailable(
                f"{self.data} is of PostgreSQL {version}, and this is {tools.major_version()}: "
                "move it away, or serve it with its own version and set DATABASE_URL"
            )
        if self.data.stat().st_uid != tools.owner().get("user", os.geteuid()):
            raise ServerUnavailable(
                f"{self.data} belongs to another account: start as that one, or move it away"
            )

    def _set_guard(self) -> None:
        """Leave one guard behind, the holder of the lock on ``guarded``."""
        with open(self.home / "guarded", "w") as sign:
            if not _locked(sign, fcntl.LOCK_EX):
                return
            subprocess.Popen(
                [
                    sys.executable,
                    guard.__file__,
                    str(sign.fileno()),
                    self.home / "in-use",
                    self.data,
                ],
                pass_fds=[sign.fileno()],
                cwd="/",
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )


def _locked(file: object, kind: int) -> bool:
    """Whether the lock could be had at once."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)  # type: ignore[arg-type]
    except BlockingIOError:
        return False
    return True


def _check_path(data: Path) -> None:
    if len(os.fsencode(data)) > LONGEST_PATH:
        raise ServerUnavailable(
            f"the data folder's path has over {LONGEST_PATH} bytes: set DATA_DIR to a shorter one"
        )
    if UNQUOTED & set(str(data)):
        raise ServerUnavailable(
            f"PostgreSQL can't serve {str(data)!r}: set DATA_DIR to a path without quotes, $ and \\"
        )


def _tried(tool: str, *arguments: object, text: str = "") -> None:
    status, said = tools.run(tool, *arguments, text=text)
    if status != 0:
        raise ServerUnavailable(f"{tool} failed: {_fault_in(said)}")


def _last_fault(log: Path) -> str:
    return _fault_in(log.read_text(errors="replace") if log.exists() else "")


def _fault_in(said: str) -> str:
    """The last line that names a fault, or the last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    faults = [line for line in lines if "FATAL" in line or "error" in line.lower()]
    return (faults or lines or ["it said nothing"])[-1]
