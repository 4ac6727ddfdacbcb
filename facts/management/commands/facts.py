import json
from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from facts import reads
from facts.commands import KenCommand, account_named
from facts.errors import UnknownRef
from facts.models import Fact

CHUNK = 1_000  # facts held at a time
ROW = "{:<50}  {:<17}  {:>7}  {:<16}  {}".format


class Command(KenCommand):
    help = "Print an account's facts, by ref: a table, or with --json one object a line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", metavar="ACCOUNT")
        parser.add_argument(
            "--prefix", default="", help="how the refs start, such as data:hop: or data:label:Order"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *_args: Any, **options: Any) -> None:
        account, prefix = account_named(options["account"]), options["prefix"]
        facts = account.facts.select_related("person")
        if prefix:
            facts = reads.under(facts, prefix)
            if not facts.exists():
                raise UnknownRef(f"{account} has no fact whose ref starts with {prefix}")
        now, show = timezone.now(), _line if options["json"] else _row
        if not options["json"]:
            self.stdout.write(ROW("ref", "trust", "version", "measured (UTC)", "value"))
        ordered = facts.order_by("namespace", "kind", "key", "person__external_id")
        for fact in ordered.iterator(CHUNK):
            self.stdout.write(show(fact, now))


def _line(fact: Fact, now: datetime) -> str:
    return json.dumps(reads.summary(fact, now=now))


def _row(fact: Fact, now: datetime) -> str:
    measured = f"{fact.measured_at:%Y-%m-%d %H:%M}" if fact.measured_at else "never"
    trust = f"{fact.trust(now)}{', failing' if fact.failing else ''}"
    value = "-" if fact.value is None else json.dumps(fact.value, ensure_ascii=False)
    whose = f"{fact.ref} of {fact.person}" if fact.person else str(fact.ref)
    return ROW(whose, trust, fact.version, measured, value)
