"""Print what is known about an account's data, about it, or about a person."""

import json
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from facts.commands import KenCommand, account_named, person_named
from readiness.knowledge import ABOUT, get_knowledge


class Command(KenCommand):
    help = "Print what is known about an account's data, about it, or about a person."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the product's id of the account")
        parser.add_argument("--about", required=True, help=f"one of {', '.join(ABOUT)}")
        parser.add_argument("--person", help="the product's id of the person")
        parser.add_argument("--json", action="store_true", help="print it on one line")

    def handle(self, *_args: Any, **options: Any) -> None:
        account = account_named(options["account"])
        person = person_named(account, options["person"]) if options["person"] else None
        found = get_knowledge(account, options["about"], now=timezone.now(), person=person)
        indent = None if options["json"] else 2
        self.stdout.write(json.dumps(found, ensure_ascii=False, indent=indent))
