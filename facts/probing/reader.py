"""The one way into a source: read-only, a statement at a time, for a bounded while.

It is somebody's production database. Each statement is a transaction of its own, because a timeout
aborts the transaction it happens in; no lock is waited for; no parallel worker is used, because a
neighbour's queries wait twice as long while one is.
"""

import math
import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine, Executable, NullPool, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from facts.probing.codes import at_the_door, judged
from facts.probing.errors import SourceTrouble, Unreadable

APPLICATION = "ken"  # what the source's own lists of sessions call us
CONNECT_SECONDS = 9.0  # a host that is silent for longer does not answer
STATEMENT_SECONDS = 30.0
LOCK_MILLISECONDS = 200
_STEPS = 100_000  # of SQLite's machine between two looks at the time

# Set within each transaction, so that a pool between us and the server passes nothing on to others.
# Dates are asked for in one form and zone, so that a value does not change with a server's mood.
_SETTINGS = text(
    "SELECT set_config('statement_timeout', :statement, true),"
    " set_config('lock_timeout', :lock, true),"
    " set_config('idle_in_transaction_session_timeout', '60000', true),"
    " set_config('max_parallel_workers_per_gather', '0', true),"
    " set_config('datestyle', 'ISO, YMD', true), set_config('timezone', 'UTC', true)"
)


class Reader:
    """A connection to a source. ``seconds`` and ``statements`` say what it has cost so far."""

    def __init__(self, url: URL, *, statement_seconds: float = STATEMENT_SECONDS) -> None:
        self.backend = url.get_backend_name()
        self.seconds = 0.0
        self.statements = 0
        self._statement_seconds = statement_seconds
        self._deadline = math.inf  # of the statement that runs
        self._until = math.inf  # of everything that is allowed
        self._engine = _engine(url)
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        """Connect. Raises SourceTrouble, with a code that ``AT_THE_DOOR`` words."""
        self._connection = _connected(self._engine)
        if self.backend == "sqlite":
            self._interrupt_after_deadline()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            try:
                self._connection.close()
            except SQLAlchemyError:
                self._connection.invalidate()
        self._engine.dispose()

    def allow(self, seconds: float) -> None:
        """Let what follows take ``seconds`` in all; statements beyond them time out."""
        self._until = time.monotonic() + seconds

    def rows(self, statement: Executable) -> Sequence[Any]:
        """All rows of one statement. Raises SourceTrouble, Unreadable."""
        with self.transaction() as connection:
            self.statements += 1
            return connection.execute(statement).all()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A read-only transaction under the rules above, rolled back at its end.

        Raises SourceTrouble, Unreadable.
        """
        if self._connection is None:
            raise SourceTrouble("lost")
        started = time.monotonic()
        self._deadline = min(started + self._statement_seconds, self._until)
        left = self._deadline - started
        if left <= 0:
            raise Unreadable("timeout")
        try:
            with self._connection.begin() as transaction:
                if self.backend == "postgresql":
                    limits = {
                        "statement": str(max(1, int(left * 1000))),
                        "lock": str(LOCK_MILLISECONDS),
                    }
                    self._connection.execute(_SETTINGS, limits)
                yield self._connection
                transaction.rollback()
        except (SQLAlchemyError, UnicodeError) as error:
            raise judged(error) from None
        finally:
            self.seconds += time.monotonic() - started

    def _interrupt_after_deadline(self) -> None:
        """SQLite knows no timeout of its own for a statement."""
        assert self._connection is not None
        raw = self._connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        raw.set_progress_handler(lambda: int(time.monotonic() > self._deadline), _STEPS)


def _engine(url: URL) -> Engine:
    """An engine whose connections can read and do nothing else."""
    match url.get_backend_name():
        case "sqlite":
            engine = create_engine(
                url,
                creator=lambda: _open_sqlite(str(url.database)),
                poolclass=NullPool,
                hide_parameters=True,
            )
            event.listen(engine, "connect", _query_only)
            return engine
        case "postgresql":
            arguments: dict[str, Any] = {
                "application_name": APPLICATION,
                "connect_timeout": int(CONNECT_SECONDS),
                "prepare_threshold": None,
            }
            return create_engine(
                url,
                poolclass=NullPool,
                hide_parameters=True,
                connect_args=arguments,
                execution_options={"postgresql_readonly": True},
            )
    return create_engine(url, poolclass=NullPool, hide_parameters=True)


def _open_sqlite(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{Path(path).as_uri()}?mode=ro",
        uri=True,
        timeout=LOCK_MILLISECONDS / 1000,
        check_same_thread=False,
    )
    connection.text_factory = lambda data: data.decode(errors="replace")
    connection.execute("PRAGMA schema_version")  # opening alone would not notice another format
    return connection


def _query_only(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA query_only = ON")


def _connected(engine: Engine) -> Connection:
    """A connection within CONNECT_SECONDS, whatever the resolver and the network do meanwhile."""
    attempt: Future[Connection] = Future()

    def connect() -> None:
        try:
            connection = engine.connect()
        except (SQLAlchemyError, OSError, UnicodeError) as error:
            attempt.set_exception(SourceTrouble(at_the_door(error)))
        else:
            attempt.set_result(connection)

    Thread(target=connect, daemon=True).start()
    try:
        return attempt.result(CONNECT_SECONDS)
    except TimeoutError:
        attempt.add_done_callback(_close_late)
        raise SourceTrouble("timeout") from None


def _close_late(attempt: Future[Connection]) -> None:
    """Hang up on a source that answered when nobody waited any longer."""
    if attempt.exception() is None:
        attempt.result().close()
