"""What every command of Ken shares: a refusal is one line on stderr and exit status 1."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.db.models.signals import post_save

from facts import trouble
from facts.errors import KenError, UnknownAccount, UnknownPerson, UnreadableFile
from facts.models import Account, Person

MOST_NEW_TOLD = 3  # accounts named one by one


class KenCommand(BaseCommand):
    """A command whose refusals (``KenError``) and misspelt arguments end it with status 1."""

    requires_migrations_checks = False

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)

        def refuse(message: str) -> NoReturn:
            raise CommandError(f"{message}; see {prog_name} {subcommand} --help")

        parser.error = refuse  # type: ignore[method-assign]
        return parser

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            super().run_from_argv(argv)
        except CommandError as misspelt:  # Django tells its own refusals, but not the parser's
            self.stderr.write(f"{type(misspelt).__name__}: {misspelt}")
            sys.exit(misspelt.returncode)
        except BrokenPipeError:  # whoever read the output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    @contextmanager
    def telling_new_accounts(self) -> Iterator[None]:
        """Tell on stderr of the accounts that are made within: a misspelt id makes one too."""
        made: dict[str, None] = {}

        def note(*, instance: Account, created: bool, **_: Any) -> None:
            if created:
                made[instance.external_id] = None

        post_save.connect(note, sender=Account, weak=False)
        try:
            yield
        except KenError:
            self._tell_new(made)
            raise
        finally:
            post_save.disconnect(note, sender=Account)
        self._tell_new(made)

    def _tell_new(self, made: Iterable[str]) -> None:
        """Of those that stayed: what a refusal took back is not there."""
        names = sorted(
            Account.objects.filter(external_id__in=made).values_list("external_id", flat=True)
        )
        for name in names[:MOST_NEW_TOLD]:
            self.stderr.write(f"new account: {name if name.isprintable() else repr(name)}")
        if (more := len(names) - MOST_NEW_TOLD) > 0:
            self.stderr.write(f"and {more} more")

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except KenError as refusal:
            raise CommandError(str(refusal)) from None
        except DatabaseError as fault:
            if line := trouble.told(fault):
                raise CommandError(line) from None
            raise


def account_named(external_id: str) -> Account:
    """The account with the product's id. Raises UnknownAccount."""
    try:
        return Account.objects.get(external_id=_printable(external_id))
    except Account.DoesNotExist:
        raise UnknownAccount(
            f"no account has the id {external_id!r}; `connect` makes one"
        ) from None


def person_named(account: Account, external_id: str) -> Person:
    """The account's person with the product's id. Raises UnknownPerson."""
    try:
        return account.people.get(external_id=_printable(external_id))
    except Person.DoesNotExist:
        raise UnknownPerson(f"account {account} has no person {external_id!r}") from None


def _printable(external_id: str) -> str:
    """The id as it can be sought: what no text can hold is nobody's."""
    return external_id.replace("\0", "").encode(errors="replace").decode()


def text_of(file: str) -> str:
    """The text of a file named on the command line. Raises UnreadableFile."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as fault:
        raise UnreadableFile(f"{file} can't be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise UnreadableFile(f"{file} is no UTF-8 text") from None
