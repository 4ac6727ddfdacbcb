"""Keeping sessions true to votes: for touched stretches as votes come, whole after a new registry.

Whoever writes an account's votes or sessions holds the lock on its settings row, so that one
writer's sessions are never cut from another's half of the votes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction

from activities.models import AccountSettings, RegistryVersion, Session
from activities.statements import MEASURES, array, statement
from facts.models import Account


@dataclass(frozen=True, slots=True)
class Stretches:
    """Stretches of people's time in which votes came or grew; columns of equal length."""

    accounts: list[int] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)  # microseconds
    lasts: list[int] = field(default_factory=list)


def lock_registry() -> int:
    """The version of the registry, which stays in force until the transaction ends.

    Many may hold it at once; who changes the registry waits for them.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT version FROM activities_registryversion FOR SHARE")
        row = cursor.fetchone()
    return row[0] if row else 0


def lock_accounts(accounts: Iterable[int], version: int) -> list[AccountSettings]:
    """Lock the accounts' votes and sessions until the transaction ends, always in one order.

    An account that has no settings yet has no votes either, so its sessions are those of the
    registry's current ``version``.
    """
    wanted = sorted(accounts)
    AccountSettings.objects.bulk_create(
        [AccountSettings(account_id=account, registry=version) for account in wanted],
        ignore_conflicts=True,
    )
    locked = AccountSettings.objects.filter(account__in=wanted).order_by("account")
    return list(locked.select_for_update(no_key=True))


def renew(touched: Stretches) -> None:
    """Make the sessions of touched stretches anew. The accounts are locked already."""
    with connection.cursor() as cursor:
        cursor.execute(
            statement("renew_sessions"),
            {
                "accounts": array(touched.accounts),
                "people": array(touched.people),
                "firsts": array(touched.firsts),
                "lasts": array(touched.lasts),
                **MEASURES,
            },
        )


def catch_up(settings: Sequence[AccountSettings], version: int) -> None:
    """Rebuild the sessions of those locked accounts that an older registry made."""
    for behind in settings:
        if behind.registry != version:
            rebuild(behind, version)


def rebuild(settings: AccountSettings, version: int) -> None:
    """Make all of a locked account's sessions anew, by the registry in force."""
    Session.objects.filter(account=settings.account_id).delete()
    with connection.cursor() as cursor:
        cursor.execute(statement("rebuild_sessions"), {"account": settings.account_id, **MEASURES})
    settings.registry = version
    settings.save(update_fields=["registry"])


@transaction.atomic
def bring_up_to_date(account: Account) -> None:
    """Make the account's sessions those of the registry in force, if they are not."""
    current = RegistryVersion.objects.values_list("version", flat=True).first() or 0
    known = AccountSettings.objects.filter(account=account).values_list("registry", flat=True)
    if known.first() in (None, current):
        return
    version = lock_registry()
    catch_up(lock_accounts([account.pk], version), version)
