"""``probe ACCOUNT``: spend budget on an account's databases now."""

import json
from typing import Any

from django.core.management.base import CommandParser

from facts.commands import KenCommand, account_named
from facts.probing import learn
from facts.probing.errors import UnknownSource, UnreachableSource
from facts.probing.reporting import as_plain, progress_bar, report
from facts.scheduling import note_made


class Command(KenCommand):
    help = "Read an account's databases again now: what was asked for first, then the oldest."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the product's own id of the account")
        parser.add_argument(
            "--seconds",
            type=_seconds,
            help="how many seconds of each database's time to spend at most; all tables without",
        )
        parser.add_argument("--json", action="store_true", help="print the summaries as JSON lines")

    def handle(self, *_args: Any, **options: Any) -> None:
        account = account_named(options["account"])
        sources = list(account.sources.order_by("name"))
        if not sources:
            raise UnknownSource(f"account {account} has no source; `connect` makes one")
        troubles = []
        for source in sources:
            with progress_bar() as progress:
                learned = learn(
                    source, seconds=options["seconds"], progress=progress, done=note_made
                )
            self.stdout.write(json.dumps(as_plain(learned)) if options["json"] else report(learned))
            if learned.trouble:
                troubles.append(f"{source} can't be read ({learned.trouble})")
        if troubles:
            raise UnreachableSource(f"{'; '.join(troubles)}; what is known stays as it was")


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError
    return seconds


_seconds.__name__ = "number of seconds above 0"  # argparse says "invalid <name> value"
