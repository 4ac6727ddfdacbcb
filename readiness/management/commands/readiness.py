"""Print an account's readiness."""

import json
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from facts.commands import KenCommand, account_named
from readiness.reading import readiness_of


class Command(KenCommand):
    help = "Print how ready an account's knowledge is, and why."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the product's id of the account")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **options: Any) -> None:
        found = readiness_of(account_named(options["account"]), now=timezone.now())
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        number = "" if found["shown"] is None else f", {found['shown']}%"
        self.stdout.write(f"{found['level']}{number}")
        if found["gap"]:
            self.stdout.write(found["gap"])
        for item in found["items"]:
            marks = [item["trust"], *(["failing"] if item["failing"] else [])]
            count = "?" if item["count"] is None else item["count"]
            self.stdout.write(f"  {item['label']:<30} {count:>12}  {', '.join(marks)}")
