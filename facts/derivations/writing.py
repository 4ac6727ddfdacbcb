"""What a run writes, as measurements that start from the facts as they stood when it began."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from facts import askers, store
from facts.arrays import array
from facts.derivations.declaring import Built
from facts.derivations.sql import STANDING_AT
from facts.errors import UnknownPerson
from facts.models import ABSENT, Account, Check, Fact, Person
from facts.refs import Ref
from facts.store import Measurement

Place = tuple[str | None, Ref]  # the id of the person a fact is about, and where it is


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a build says of itself in the facts it writes, and of their values in the history."""

    built_from: str
    built_by: str
    figures: Callable[[Ref, Any], Any]


class NewPlace(NamedTuple):
    """Where a target builds that it did not build before: whose, and the parts of the ref."""

    account: int
    person: str | None
    namespace: str
    kind: str
    key: str


def standing_facts(checks: Collection[Check]) -> dict[int, dict[Place, Fact]]:
    """The facts that targets built before, by the target's key, in one query."""
    standing: dict[int, dict[Place, Fact]] = {check.pk: {} for check in checks}
    facts = Fact.objects.filter(settled_by__in=list(standing)).select_related("person")
    for fact in facts:
        assert fact.settled_by_id is not None
        standing[fact.settled_by_id][_id_of(fact.person), fact.ref] = fact
    return standing


def are_from(built_from: str, standing: dict[Place, Fact]) -> bool:
    """Whether every fact there is of the target holds what was built from these inputs."""
    return all(fact.built_from == built_from for fact in standing.values() if not fact.is_absent)


def confirming(standing: dict[Place, Fact], stamp: Stamp) -> list[Measurement]:
    """The standing values once more: of what is there, and of what is absent and asked for."""
    return [
        _line(ref, fact.version, fact.person, fact.value, stamp)
        for (_person, ref), fact in standing.items()
        if not fact.is_absent or fact.is_open
    ]


def building(
    account: Account,
    built: Built,
    standing: dict[Place, Fact],
    stamp: Stamp,
    *,
    versions: Mapping[NewPlace, int],
    people: Mapping[tuple[int, str], Person],
) -> list[Measurement]:
    """What was built, and absence for what no longer is. Raises UnknownPerson."""
    lines = []
    for (person, ref), value in built.items():
        if fact := standing.get((person, ref)):
            lines.append(_line(ref, fact.version, fact.person, value, stamp))
            continue
        whose = None if person is None else people.get((account.pk, person))
        if person is not None and whose is None:
            raise UnknownPerson("somebody a fact was built for is not there")
        place = NewPlace(account.pk, person, ref.namespace, ref.kind, ref.key)
        lines.append(_line(ref, versions.get(place, 0), whose, value, stamp))
    return lines + [
        _line(ref, fact.version, fact.person, ABSENT, stamp)
        for (person, ref), fact in standing.items()
        if (person, ref) not in built and (not fact.is_absent or fact.is_open)
    ]


def failing(standing: dict[Place, Fact], code: str) -> list[Measurement]:
    """That what stands could not be built anew; the values stay."""
    return [
        Measurement(
            ref=ref, version=fact.version, person=fact.person, outcome="failed", failure=code
        )
        for (_person, ref), fact in standing.items()
        if not fact.is_absent
    ]


def ask_for_lost(
    account: Account, lines: Iterable[Measurement], lost: set[str], *, now: datetime
) -> None:
    """Ask again for the facts whose lines lost a race."""
    lines = [line for line in lines if str(line.ref) in lost]
    people = {None if line.person is None else line.person.pk for line in lines}
    facts = account.facts.at(*{line.ref for line in lines}).values_list("pk", "person")
    ids = [fact for fact, person in facts if person in people]
    store.ask_again(account, ids, by=askers.RACE, now=now)


def _line(
    ref: Ref, version: int, person: Person | None, value: object, stamp: Stamp
) -> Measurement:
    return Measurement(
        ref=ref,
        version=version,
        person=person,
        value=value,
        figures=None if value == ABSENT else stamp.figures(ref, value),
        built_from=stamp.built_from,
        built_by=stamp.built_by,
    )


def versions_at(places: Collection[NewPlace], *, began: datetime) -> dict[NewPlace, int]:
    """Where facts stand that no target built before: ones taken over, or only asked for.

    One measured since the run began counts as it was before, and so refuses what the run found.
    """
    if not places:
        return {}
    columns = {
        "accounts": array([place.account for place in places]),
        "namespaces": array([place.namespace for place in places]),
        "kinds": array([place.kind for place in places]),
        "keys": array([place.key for place in places]),
    }
    ordered = list(places)
    with connection.cursor() as cursor:
        cursor.execute(STANDING_AT, {**columns, "began": began})
        return {
            ordered[index]._replace(person=person): version
            for index, person, version in cursor.fetchall()
        }


def people_of(places: Collection[NewPlace]) -> dict[tuple[int, str], Person]:
    """The people that new facts are about, by account and the product's own id."""
    wanted = {(place.account, place.person) for place in places if place.person is not None}
    if not wanted:
        return {}
    accounts, ids = zip(*wanted, strict=True)
    people = Person.objects.filter(account__in=set(accounts), external_id__in=set(ids))
    return {(person.account_id, person.external_id): person for person in people}


def _id_of(person: Person | None) -> str | None:
    return None if person is None else person.external_id
