"""``connect ACCOUNT URL``: register an account's database, or find it again, and learn it now."""

import json
from typing import Any

from django.core.management.base import CommandParser

from facts.commands import KenCommand, text_of
from facts.probing import BadMapping, connect
from facts.probing.errors import UnreachableSource
from facts.probing.reporting import as_plain, progress_bar, report
from facts.scheduling import note_made


class Command(KenCommand):
    help = "Register an account's database (or find it again) and learn what is in it now."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="the product's own id of the account")
        parser.add_argument("url", help="postgresql://... or sqlite:////path, only ever read")
        parser.add_argument("--name", default="main", help="the source's name (main)")
        parser.add_argument("--mapping", metavar="FILE", help="a mapping document, JSON")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        mapping = _mapping_in(options["mapping"]) if options["mapping"] else None
        with progress_bar() as progress:
            learned = connect(
                options["account"],
                options["url"],
                name=options["name"],
                mapping=mapping,
                progress=progress,
                done=note_made,
            )
        if options["json"]:
            self.stdout.write(json.dumps(as_plain(learned)))
        else:
            self.stdout.write(report(learned))
        if learned.trouble:
            raise UnreachableSource(
                f"the database went away ({learned.trouble}) with {learned.left} tables to read;"
                " `probe` goes on when it is back"
            )


def _mapping_in(file: str) -> Any:
    try:
        return json.loads(text_of(file))
    except ValueError as fault:
        raise BadMapping(f"{file} is no JSON: {fault}") from None
    except RecursionError:
        raise BadMapping(f"{file} is no mapping: it is nested too deeply") from None
