"""Take in queries as they were run, from a file of JSON lines."""

import json
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from facts.commands import KenCommand, text_of
from facts.errors import NothingTaken
from facts.models import Account
from facts.usage.queries import BadUsage, RunQuery, read
from facts.usage.taking import Taken, take
from facts.wording import counted


class Command(KenCommand):
    help = "Take in queries as they were run; only their shapes and the types they touch are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="JSON lines {account, person, query, dialect, ok}")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        queries, refused = self._read(text_of(options["file"]))
        now, total = timezone.now(), Taken()
        with self.telling_new_accounts():
            for external_id, runs in queries.items():
                account, _ = Account.objects.get_or_create(external_id=external_id)
                taken = take(account, runs, now=now)
                total.accepted += taken.accepted
                total.dropped += taken.dropped
        summary = {"accepted": total.accepted, "dropped": total.dropped, "refused": refused}
        if options["json"]:
            self.stdout.write(json.dumps(summary))
        else:
            self.stdout.write(", ".join(f"{count} {what}" for what, count in summary.items()))
        if refused and not total.accepted:
            raise NothingTaken(f"nothing was accepted; {counted(refused, 'line')} refused")

    def _read(self, text: str) -> tuple[dict[str, list[RunQuery]], int]:
        """The queries by account; a line that says none is told by number and left out."""
        queries: dict[str, list[RunQuery]] = {}
        refused = 0
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                run = read(json.loads(line))
            except (ValueError, RecursionError):
                self.stderr.write(f"line {number}: no JSON")
                refused += 1
            except BadUsage as fault:
                self.stderr.write(f"line {number}: {fault}")
                refused += 1
            else:
                queries.setdefault(run.account, []).append(run)
        return queries, refused
