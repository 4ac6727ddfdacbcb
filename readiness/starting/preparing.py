"""What has to stand before Ken serves: a migrated database, somebody who may log in, a clock."""

import fcntl
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import OperationalError, connection
from django_q.models import Schedule
from django_q.tasks import async_task

from facts.errors import KenError

TICK = "facts.tasks.tick"


class AlreadyRunning(KenError):
    """A second start in the same data folder."""

    code = "already-running"


class PortInUse(KenError):
    """Somebody else listens where Ken would."""

    code = "port-in-use"


class NoDatabase(KenError):
    """The database can't be reached."""

    code = "no-database"


@contextmanager
def only_start(data_dir: Path) -> Iterator[None]:
    """Hold the sign that Ken runs here. Raises AlreadyRunning."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        sign = open(data_dir / "running", "a+")  # noqa: SIM115 - closed below
    except OSError as fault:
        raise NoDatabase(
            f"Ken can't use {data_dir}: {fault.strerror}; set DATA_DIR to a folder it can write"
        ) from None
    with sign:
        try:
            fcntl.flock(sign, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sign.seek(0)
            raise AlreadyRunning(f"Ken is running already: {sign.read().strip()}") from None
        os.set_inheritable(sign.fileno(), False)
        yield


def say_where(data_dir: Path, where: str) -> None:
    """Leave word of where Ken runs, for a second start to tell."""
    (data_dir / "running").write_text(where)


def demand_free_port(port: int) -> None:
    """Raise PortInUse unless the port of this machine can be listened on."""
    if not 1 <= port <= 65535:
        raise PortInUse("a port is a number from 1 to 65535")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError:
            raise PortInUse(f"port {port} is not yours to use: choose one above 1023") from None
        except OSError:
            raise PortInUse(f"port {port} is in use: choose another with --port") from None


def demand_database() -> None:
    """Raise NoDatabase unless the database answers."""
    try:
        connection.ensure_connection()
    except OperationalError as trouble:
        if settings.EMBEDDED:
            raise NoDatabase(str(trouble).strip().splitlines()[0]) from None
        raise NoDatabase(
            "the database of DATABASE_URL does not answer or refuses the login: "
            "check its host, port, name, user and password"
        ) from None


def migrate() -> None:
    """Bring the database to this version of Ken."""
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)


def administrator() -> tuple[str, str] | None:
    """Make an administrator where there is none; their name and one-time password."""
    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return None
    name = "admin" if not users.filter(username="admin").exists() else "ken-admin"
    password = secrets.token_urlsafe(12)
    users.create_superuser(name, password=password)
    return name, password


def schedule_tick() -> None:
    """Make the one Schedule row there is. A malformed row blocks all, so there is one only."""
    Schedule.objects.exclude(func=TICK).delete()
    schedule, made = Schedule.objects.get_or_create(
        func=TICK, defaults={"name": "tick", "schedule_type": Schedule.MINUTES, "minutes": 1}
    )
    if not made:
        Schedule.objects.filter(func=TICK).exclude(pk=schedule.pk).delete()
    async_task(TICK)  # the clock takes half a minute to strike first
