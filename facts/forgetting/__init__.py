"""Forgetting an account or a person: erase every row and trace, then prove that nothing is left.

No tombstone stays: nothing says afterwards that they were here, or that they were forgotten. What
was derived for others and counted them too (a colleague's lift, say) is made due to be rebuilt.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import OperationalError, transaction

from facts.errors import UnknownAccount
from facts.forgetting import erasing
from facts.forgetting.erasing import register
from facts.forgetting.searching import Left, Searched, search
from facts.forgetting.sought import Sought, sought
from facts.giving_way import gave_way
from facts.models import Account, Person

__all__ = ["Forgotten", "Left", "Searched", "forget", "preview", "register"]

ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was erased, rows by what they are called, and what the search found afterwards."""

    erased: dict[str, int]
    searched: Searched


def preview(account: Account, person: Person | None = None) -> dict[str, int]:
    """How many rows of what ``forget`` would erase. Writes nothing."""
    return erasing.counted(sought(account, person), person or account)


def forget(
    account: Account, person: Person | None = None, *, now: datetime, canary: str = ""
) -> Forgotten:
    """Erase an account, or one person of it, in one transaction; then search every table.

    The account's row is locked first, so that what is written meanwhile either goes too or fails;
    where it has to give way to that, it starts again.
    ``canary`` is a text known to stand in what goes, which the search looks for as well.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            going, erased = _erased(account, person, now=now)
            break
        except OperationalError as fault:
            if not gave_way(fault) or attempt == ATTEMPTS:
                raise
    return Forgotten(erased, search(going, canary=canary))


@transaction.atomic
def _erased(
    account: Account, person: Person | None, *, now: datetime
) -> tuple[Sought, dict[str, int]]:
    if not Account.objects.select_for_update().filter(pk=account.pk).exists():
        raise UnknownAccount("the account is gone already")
    going = sought(account, person)
    return going, erasing.erase(going, person or account, account, now=now)
