"""People as events and files name them, their zones, and which of them are machines."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import connection, transaction

from activities import derivation, sessions
from activities.documents import Zones
from activities.errors import BadPeople
from activities.models import AccountSettings, PersonSettings
from activities.statements import statement
from facts.models import Account, Person

Id = tuple[str, str]  # an account's and a person's id, the product's own


def named_people(named: Iterable[Id], *, now: datetime) -> dict[Id, tuple[int, int]]:
    """The primary keys of accounts and people, those named for the first time made now.

    Two queries at most where all are known. New rows come in one order, so that two writers who
    name the same people wait for one another and never in a circle.
    """
    wanted = sorted(named)
    found = _find(wanted)
    missing = [who for who in wanted if who not in found]
    if not missing:
        return found
    accounts = make_accounts({account for account, _ in missing}, now=now)
    Person.objects.bulk_create(
        [
            Person(account_id=accounts[account], external_id=person, created_at=now)
            for account, person in missing
        ],
        ignore_conflicts=True,
    )
    return _find(wanted)


def make_accounts(names: Iterable[str], *, now: datetime) -> dict[str, int]:
    """The primary keys of accounts, those named for the first time made now.

    One by one, because each new account gets its targets; that happens once in its life.
    """
    wanted = set(names)
    known = dict(Account.objects.filter(external_id__in=wanted).values_list("external_id", "pk"))
    for name in sorted(wanted - known.keys()):
        account, _ = Account.objects.get_or_create(external_id=name, defaults={"created_at": now})
        known[name] = account.pk
    return known


def _find(named: list[Id]) -> dict[Id, tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(
            statement("find_people"),
            {"accounts": [account for account, _ in named], "people": [who for _, who in named]},
        )
        return {(account, who): (pk, person) for account, who, pk, person in cursor.fetchall()}


@transaction.atomic
def load_zones(accounts: Mapping[str, Zones], *, now: datetime) -> None:
    """Replace the zones and the service accounts of the accounts named.

    An account's file is whole: a person it doesn't name lives in the account's zone and is no
    machine. Raises BadPeople for a zone that the database doesn't know.
    """
    _check_zones(accounts.values())
    version = sessions.lock_registry()
    rows = make_accounts(accounts, now=now)
    people = named_people(
        {
            (account, person)
            for account, zones in accounts.items()
            for person in (*zones.people, *zones.service)
        },
        now=now,
    )
    locked = sessions.lock_accounts(rows.values(), version)
    names = {pk: name for name, pk in rows.items()}
    for settings in locked:
        settings.zone = accounts[names[settings.account_id]].zone or settings.zone
    AccountSettings.objects.bulk_update(locked, ["zone"])
    PersonSettings.objects.filter(account__in=rows.values()).delete()
    PersonSettings.objects.bulk_create(
        PersonSettings(
            person_id=person,
            account_id=account,
            zone=accounts[name].people.get(who, ""),
            service=who in accounts[name].service,
        )
        for (name, who), (account, person) in people.items()
    )
    derivation.wake(rows.values(), now=now)


def _check_zones(accounts: Iterable[Zones]) -> None:
    named = {zone for account in accounts for zone in (account.zone, *account.people.values())}
    wanted = {zone for zone in named if zone is not None}
    if unknown := wanted - known_zones(wanted):
        raise BadPeople(
            f"there is no zone {min(unknown)!r}; zones are called like Europe/Amsterdam"
        )


def known_zones(zones: Iterable[str]) -> set[str]:
    """Those of ``zones`` that the database, which reckons with them, knows by this name."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_timezone_names WHERE name = ANY (%s)", [list(zones)])
        return {name for (name,) in cursor.fetchall()}
