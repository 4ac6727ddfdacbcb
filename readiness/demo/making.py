"""Making the demo account: its database written, connected and learned."""

from collections.abc import Callable

from django.conf import settings

from facts.probing import connect
from facts.probing.reporting import progress_bar, report
from facts.scheduling import note_made
from readiness.demo import company

ACCOUNT = "demo"


def make(*, say: Callable[[str], None]) -> None:
    """Make or find the account ``demo`` and learn its database, with a bar on a terminal."""
    path = settings.DATA_DIR / "demo.sqlite"
    if not path.exists():
        company.write(path)
    say(f"Learning the database of the account {ACCOUNT!r}, a trading company's: {path}")
    with progress_bar() as progress:
        learned = connect(ACCOUNT, f"sqlite:///{path}", progress=progress, done=note_made)
    say(report(learned))
