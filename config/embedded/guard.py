"""The process that stops the embedded server when the last process that uses it is gone.

Every user holds a shared lock on ``in-use``; the kernel drops it with the process, so that even
SIGKILL leaves no server behind. The guard waits for the exclusive lock. It is run as a script,
in a session of its own, and holds a lock that says that there is a guard.
"""

import fcntl
import os
import signal
import socket
import sys
import time
from pathlib import Path

POLL = 0.02  # seconds
FAST_SHUTDOWN = 30  # seconds until a server that does not stop is made to


def answers(socket_dir: Path) -> bool:
    """Whether a server listens in ``socket_dir``."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(socket_dir / ".s.PGSQL.5432")) == 0


def postmaster_of(data: Path) -> int | None:
    """The process that serves ``data``, None if there is none.

    A killed server leaves its pid file, and the kernel may have given that number to a
    stranger since; a zombie has no command line either.
    """
    try:
        process = int((data / "postmaster.pid").read_text().split()[0])
        os.kill(process, 0)
    except (FileNotFoundError, IndexError, ValueError, ProcessLookupError):
        return None
    except PermissionError:
        pass
    command = Path(f"/proc/{process}/cmdline")
    try:
        return process if b"postgres" in command.read_bytes() else None
    except FileNotFoundError:  # no such process any more, or no such file system
        return None if Path("/proc/self").exists() else process


def stop(data: Path) -> None:
    """Stop the server of ``data`` and return when it is gone."""
    process = postmaster_of(data)
    if process is None:
        return
    os.kill(process, signal.SIGINT)
    patience = time.monotonic() + FAST_SHUTDOWN
    while postmaster_of(data) == process:
        if time.monotonic() > patience:
            os.kill(process, signal.SIGQUIT)
            patience += FAST_SHUTDOWN
        time.sleep(POLL)


def main(lock: int, in_use: str, data: str) -> None:
    """Wait for the last user, stop the server, and let go of ``lock``, the sign of the guard."""
    with open(in_use) as users:
        fcntl.flock(users, fcntl.LOCK_EX)
        stop(Path(data))
        os.close(lock)  # before the users' lock: who comes next has to see that no guard is left


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
