"""Print the header that rides every turn of the assistant."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from facts.commands import KenCommand, account_named, person_named
from readiness.reading import header_of


class Command(KenCommand):
    help = "Print the header of every turn, for an account or for one person in it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the product's id of the account")
        parser.add_argument("--person", help="the product's id of the person")

    def handle(self, *_args: Any, **options: Any) -> None:
        account = account_named(options["account"])
        person = person_named(account, options["person"]) if options["person"] else None
        self.stdout.write(header_of(account, person, now=timezone.now()))
