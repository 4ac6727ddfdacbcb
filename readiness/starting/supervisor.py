"""Keeping the web server and the workers running.

A child that ends is started again, whatever its exit status: the queue's cluster ends with 0 when
its sentinel was killed. A cluster whose heart no longer beats is stopped with its whole group and
started again: a worker killed while it waits for work can hang it for good.
"""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from threading import Event

from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from facts import heartbeat, scheduling
from readiness.starting.processes import Child

LOOK = 0.5  # seconds between two looks at the children
LISTEN = 10.0  # seconds between two looks at the heartbeat
LONGEST_WAIT = 30.0  # seconds before a child that keeps ending is tried again
STEADY = 60.0  # seconds after which a child counts as running well


class Supervisor:
    """Starts the children and keeps them running until told to stop."""

    def __init__(
        self,
        children: Sequence[Child],
        workers: Child,
        *,
        patience: timedelta = heartbeat.PATIENCE,
        say: Callable[[str], None],
    ) -> None:
        self._children = [*children, workers]
        self._workers = workers
        self._patience = patience
        self._say = say
        self._stop = Event()
        self._started = dict.fromkeys(self._children, 0.0)  # monotonic seconds
        self._wait = dict.fromkeys(self._children, 0.0)  # seconds before the next start

    def stop(self) -> None:
        """Have ``run`` end; callable from a signal handler."""
        self._stop.set()

    def run(self) -> None:
        """Keep the children running until ``stop``, then stop them all.

        One that runs already is kept, too.
        """
        try:
            for child in self._children:
                if not child.is_running:
                    self._start(child)
            listened = time.monotonic()
            while not self._stop.wait(LOOK):
                for child in self._children:
                    if not child.is_running:
                        self._start_again(child)
                if time.monotonic() - listened >= min(LISTEN, self._patience.total_seconds() / 3):
                    listened = time.monotonic()
                    self._listen()
        finally:
            for child in reversed(self._children):
                child.stop()

    def _start(self, child: Child) -> None:
        child.start()
        self._started[child] = time.monotonic()

    def _start_again(self, child: Child) -> None:
        """Start a child that ended, later each time it ends soon."""
        ran = time.monotonic() - self._started[child]
        if ran < self._wait[child]:
            return
        self._wait[child] = 0 if ran > STEADY else min(2 * self._wait[child] + 1, LONGEST_WAIT)
        self._say(f"the {child.name} ended: starting it again")
        self._start(child)

    def _listen(self) -> None:
        """Restart the workers when their heart stopped beating since they were started.

        A clock that jumped back leaves the schedule waiting for a moment far ahead: it is mended
        first, because no worker would notice.
        """
        close_old_connections()
        try:
            now = timezone.now()
            scheduling.mend_clock(now=now)
            if time.monotonic() - self._started[self._workers] < self._patience.total_seconds():
                return
            alive = heartbeat.is_alive(heartbeat.QUEUE, now=now, patience=self._patience)
        except DatabaseError:  # in trouble itself: the workers are not to blame
            return
        if not alive:
            self._say("the workers no longer answer and are started again")
            self._start(self._workers)
