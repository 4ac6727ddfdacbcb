"""Explain a fact: what it rests on, down to the measurements, and when these are due and why."""

import json
from typing import Any

from django.core.management.base import CommandParser
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from facts.commands import KenCommand, account_named, person_named
from facts.refs import Ref
from readiness.explaining import explain
from readiness.telling import lines


class Command(KenCommand):
    help = "Explain a fact: what it rests on, down to the measurements, and when these are due."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the product's id of the account")
        parser.add_argument("ref", help="namespace:kind:key, as `facts` prints it")
        parser.add_argument("--person", help="the product's id of the person, for user: facts")
        parser.add_argument("--json", action="store_true", help="print it on one line")

    def handle(self, *_args: Any, **options: Any) -> None:
        account = account_named(options["account"])
        person = person_named(account, options["person"]) if options["person"] else None
        told = explain(account, Ref.parse(options["ref"]), now=timezone.now(), person=person)
        if options["json"]:
            self.stdout.write(json.dumps(told, ensure_ascii=False, cls=DjangoJSONEncoder))
        else:
            self.stdout.write("\n".join(lines(told)))
