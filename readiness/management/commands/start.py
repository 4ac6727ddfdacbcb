"""Start Ken: its database, the site and the workers, in the foreground until Ctrl-C."""

import signal
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import connections
from django.utils import timezone

from facts.commands import KenCommand
from readiness.demo import making
from readiness.starting import preparing
from readiness.starting.processes import Child
from readiness.starting.supervisor import Supervisor


class Command(KenCommand):
    help = "Start Ken: its database, the site and the workers, until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--demo", action="store_true", help="make accounts to look at")
        parser.add_argument("--port", type=int, default=8000, help="where to serve (8000)")

    def handle(self, *_args: Any, **options: Any) -> None:
        port = options["port"]
        url = f"http://localhost:{port}"
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _interrupt)
        with preparing.only_start(settings.DATA_DIR):
            preparing.demand_free_port(port)
            preparing.say_where(settings.DATA_DIR, f"{url} (Ctrl-C in its terminal stops it)")
            try:
                self._prepare()
                self._serve(port, url, demo=options["demo"])
            except KeyboardInterrupt:
                pass
            finally:
                connections.close_all()
                settings.EMBEDDED_SERVER.leave()
                preparing.say_where(settings.DATA_DIR, "")
        self._say("Ken has stopped")

    def _prepare(self) -> None:
        where = "the embedded PostgreSQL" if settings.EMBEDDED else "the database of DATABASE_URL"
        self._say(f"Using {where}")
        preparing.demand_database()
        self._say("Bringing the database up to date")
        preparing.migrate()
        preparing.schedule_tick()
        if made := preparing.administrator():
            user, password = made
            self._say(f"Made an administrator, told this once: user {user}, password {password}")

    def _serve(self, port: int, url: str, *, demo: bool) -> None:
        """Serve until told to stop. Where the demo is asked for it is made behind the site.

        The workers wait for it: they would read the companies' databases as they are today while
        their past is still being lived through.
        """
        web = Child(
            "site",
            [
                *(sys.executable, "-m", "uvicorn", "config.asgi:application"),
                *("--host", "127.0.0.1", "--port", str(port), "--lifespan", "off"),
                *("--no-access-log", "--log-level", "warning", "--timeout-graceful-shutdown", "5"),
            ],
            {"KEN_PROCESS": "web"},
        )
        workers = Child(
            "workers",
            [sys.executable, sys.argv[0], "qcluster"],
            {"KEN_PROCESS": "workers"},
        )
        supervisor = Supervisor([web], workers, say=self._say)
        self._say(f"Serving {url} - Ctrl-C stops it")
        if demo:
            self._make_demo(web)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: supervisor.stop())
        connections.close_all()
        supervisor.run()

    def _make_demo(self, web: Child) -> None:
        """Make the demo while the site serves what is there of it. The site stops if that fails."""
        web.start()
        try:
            making.make(now=timezone.now(), say=self._say)
        except BaseException:
            web.stop()
            raise

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
