"""Child processes that leave nothing behind: each is the head of a group that is stopped whole.

Should this process be killed, the head of each group sees it and ends its group.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

GRACE = 10.0  # seconds a group has to end by itself
_POLL = 0.05  # seconds


class Child:
    """A program that is kept running, in a process group of its own."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = name
        self._command = list(command)
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        """Whether the head of the group still runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The head's process id, which is the group's, too."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the program. What is left of an earlier run is ended first."""
        self.stop()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "readiness.starting.tied", str(os.getpid()), *self._command],
            env={**os.environ, **self._environment},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def stop(self) -> None:
        """End the whole group: its head is asked to, and then what is left is not asked.

        Only the head is asked, for a cluster whose workers end by themselves waits for them.
        """
        if self._process is None:
            return
        group = self._process.pid
        self._process.terminate()
        deadline = time.monotonic() + GRACE
        while time.monotonic() < deadline and self.is_running:
            time.sleep(_POLL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        self._process.wait()
        self._process = None
