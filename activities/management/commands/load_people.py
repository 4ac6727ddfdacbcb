import json
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from activities import people
from activities.documents import zones_of
from facts.commands import KenCommand, text_of
from facts.wording import counted


class Command(KenCommand):
    help = "Set the zones of time and the service accounts of the accounts in a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help='{account: {"zones": {"*": zone}, "service": [person]}}'
        )
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, file: str, as_json: bool, **_options: Any) -> None:
        accounts = zones_of(text_of(file))
        with self.telling_new_accounts():
            people.load_zones(accounts, now=timezone.now())
        told = {
            "accounts": len(accounts),
            "zones": sum(len(zones.people) for zones in accounts.values()),
            "service": sum(len(zones.service) for zones in accounts.values()),
        }
        if as_json:
            self.stdout.write(json.dumps(told))
            return
        people_told = "1 person" if told["zones"] == 1 else f"{told['zones']:,} people"
        self.stdout.write(
            f"{counted(told['accounts'], 'account')}, {people_told} with a zone of their own, "
            f"{counted(told['service'], 'service account')}."
        )
