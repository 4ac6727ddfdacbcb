"""``fingerprint``: note the code of every derivation, after its version was raised."""

from pathlib import Path
from typing import Any

from django.conf import settings

from facts.commands import KenCommand
from facts.derivations import registered
from facts.derivations.code import Code
from facts.derivations.fingerprints import fingerprints_of, write


class Command(KenCommand):
    """For developers: refuses code that changed under its old version."""

    help = "Note the code of every derivation; refuses code changed under its old version."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Write the file that is committed."""
        current = fingerprints_of(registered(), Code(Path(settings.BASE_DIR)))
        write(current)
        self.stdout.write(f"{len(current)} derivations are noted.")
