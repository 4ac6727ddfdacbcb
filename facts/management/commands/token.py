from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from facts import tokens
from facts.commands import KenCommand, account_named, person_named
from facts.errors import KenError
from facts.models import Account

LONGEST = 3660  # days


class Command(KenCommand):
    help = (
        "Make a token for a program and print it, this once; without NAME list the account's "
        "tokens; with --revoke end one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", metavar="ACCOUNT")
        parser.add_argument("name", metavar="NAME", nargs="?", help="who asks, in a history")
        parser.add_argument("--person", help="reach this person's facts too")
        parser.add_argument("--observer", default="", help="write as this observer")
        parser.add_argument("--days", type=int, help="how long it is good; for ever without")
        parser.add_argument("--revoke", action="store_true", help="end the token NAME for good")

    def handle(self, *_args: Any, **options: Any) -> None:
        account, name = account_named(options["account"]), options["name"]
        if options["revoke"]:
            self._revoke(account, name)
        elif name is None:
            self._list(account)
        else:
            self._make(account, name, options)

    def _make(self, account: Account, name: str, options: dict[str, Any]) -> None:
        now = timezone.now()
        person, days = options["person"], options["days"]
        if days is not None and not 1 <= days <= LONGEST:
            raise KenError(f"--days takes 1 to {LONGEST}")
        _, text = tokens.make(
            account=account,
            name=name,
            person=None if person is None else person_named(account, person),
            observer=options["observer"],
            expires_at=None if days is None else now + timedelta(days=days),
            now=now,
        )
        self.stdout.write(text)
        self.stderr.write("Keep it now: only a hash of it is stored.")

    def _list(self, account: Account) -> None:
        line = "{:<30} {:<20} {:<12} {:<20} {:<20} {}".format
        self.stdout.write(line("name", "person", "may", "expires", "last used", "revoked"))
        for token in account.tokens.select_related("person").order_by("name", "created_at"):
            self.stdout.write(
                line(
                    token.name,
                    str(token.person or "-"),
                    token.observer or "reads",
                    *(
                        f"{moment:%Y-%m-%d %H:%M} UTC" if moment else "-"
                        for moment in (token.expires_at, token.last_used_at, token.revoked_at)
                    ),
                )
            )

    def _revoke(self, account: Account, name: str | None) -> None:
        if name is None:
            raise KenError("name the token to revoke")
        in_force = account.tokens.filter(name=name)
        if not tokens.revoke(in_force, now=timezone.now()):
            raise KenError(f"{account} has no token {name!r} in force")
