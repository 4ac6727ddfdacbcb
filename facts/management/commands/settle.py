"""``settle ACCOUNT``: make and build everything that is due in an account, now."""

import json
from typing import Any

from django.core.management.base import CommandParser

from facts.commands import KenCommand, account_named
from facts.probing.errors import UnreachableSource
from facts.scheduling import settle
from facts.scheduling.reporting import as_plain, report, troubles


class Command(KenCommand):
    help = "Make and build everything that is due in an account, or asked for, until nothing is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the product's own id of the account")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        worked = settle(account_named(options["account"]))
        self.stdout.write(json.dumps(as_plain(worked)) if options["json"] else report(worked))
        if left := troubles(worked):
            raise UnreachableSource(f"{'; '.join(left)}; what is known stays as it was")
