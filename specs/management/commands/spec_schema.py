import json
from typing import Any

from facts.commands import KenCommand
from specs.schema import SCHEMA


class Command(KenCommand):
    help = "Print the JSON Schema of a spec, for editors and other programs."

    def handle(self, **_options: Any) -> None:
        self.stdout.write(json.dumps(SCHEMA, indent=2))
