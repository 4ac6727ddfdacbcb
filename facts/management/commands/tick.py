"""``tick``: what the workers do every minute, once and without a worker."""

import json
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from facts.commands import KenCommand
from facts.scheduling import tick, work_off, working_seconds
from facts.scheduling.reporting import as_plain, report, troubles


class Command(KenCommand):
    help = "Do once what the workers do every minute: keep due times true, work off what is due."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seconds",
            type=_seconds,
            default=working_seconds(),
            help=f"how long to begin new work for ({working_seconds():g})",
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        ticked = tick(now=timezone.now())
        worked = work_off(seconds=options["seconds"])
        if options["json"]:
            self.stdout.write(json.dumps({"tick": ticked.done} | as_plain(worked)))
        else:
            self.stdout.write(report(worked))
            for trouble in troubles(worked):
                self.stdout.write(f"{trouble}; it is tried again later.")
        ticked.demand_success()


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError
    return seconds


_seconds.__name__ = "number of seconds above 0"  # argparse says "invalid <name> value"
