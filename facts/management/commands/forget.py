import dataclasses
import json
import sys
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from facts import forgetting
from facts.commands import KenCommand, account_named, person_named
from facts.errors import NotConfirmed, StillThere
from facts.forgetting import Forgotten, Left


class Command(KenCommand):
    help = (
        "Erase everything of an account, or of one person of it, and search every table to prove "
        "it. There is no way back, and nothing says afterwards that they were here."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", metavar="ACCOUNT")
        parser.add_argument("--person", help="erase this person and keep the account")
        parser.add_argument("--canary", default="", help="search for this text too")
        parser.add_argument("--dry-run", action="store_true", help="say what would go, and stop")
        parser.add_argument("--yes", action="store_true", help="erase without asking")
        parser.add_argument("--json", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        account = account_named(options["account"])
        named = options["person"]
        person = None if named is None else person_named(account, named)
        if options["dry_run"]:
            counts = forgetting.preview(account, person)
            self.stdout.write(json.dumps(counts) if options["json"] else _table(counts))
            return
        if not options["yes"] and sys.stdin.isatty():
            self._confirm(account.external_id if person is None else person.external_id)
        forgotten = forgetting.forget(account, person, now=timezone.now(), canary=options["canary"])
        self.stdout.write(_json(forgotten) if options["json"] else _report(forgotten))
        if not forgotten.searched.is_clean:
            places = ", ".join(_place(left) for left in forgotten.searched.left if left.telling)
            raise StillThere(f"erased, and yet found in {places}")

    def _confirm(self, external_id: str) -> None:
        """Ask on a terminal for the id of who goes. Raises NotConfirmed for anything else."""
        self.stderr.write("There is no way back. Type the id of who is to be erased:")
        try:
            typed = input()
        except EOFError:
            typed = ""
        if typed.strip() != external_id.strip():
            raise NotConfirmed("that is not the id; nothing is erased")


def _table(counts: dict[str, int]) -> str:
    return "\n".join(f"{count:>9,}  {name}" for name, count in sorted(counts.items()))


def _report(forgotten: Forgotten) -> str:
    searched = forgotten.searched
    verdict = "nothing is left." if searched.is_clean else "something is left."
    where = f"Searched {searched.columns} columns of {searched.tables} tables"
    lines = ["Erased:", _table(forgotten.erased), f"{where}: {verdict}"]
    if doubtful := [left for left in searched.left if not left.telling]:
        places = ", ".join(_place(left) for left in doubtful)
        lines.append(f"The same words, likely somebody else's, stand in {places}.")
    return "\n".join(lines)


def _place(left: Left) -> str:
    return f"{left.table}.{left.column} ({left.rows} rows)"


def _json(forgotten: Forgotten) -> str:
    searched = forgotten.searched
    return json.dumps(
        {
            "erased": forgotten.erased,
            "searched": {"tables": searched.tables, "columns": searched.columns},
            "left": [dataclasses.asdict(left) for left in searched.left],
        }
    )
