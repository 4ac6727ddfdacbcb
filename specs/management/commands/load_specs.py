import json
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from facts.commands import KenCommand, text_of
from specs import loading


class Command(KenCommand):
    help = "Put specs in force at once, all of them or none, without a review."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", metavar="FILE", nargs="+", help="one JSON document each")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, files: list[str], as_json: bool, **_options: Any) -> None:
        versions = loading.load({file: text_of(file) for file in files}, now=timezone.now())
        told = [{"spec": version.spec_id, "version": version.number} for version in versions]
        if as_json:
            self.stdout.write(json.dumps(told))
            return
        for line in told:
            self.stdout.write("{spec} version {version} is in force.".format(**line))
