"""What a run writes, as measurements that start from the facts as they stood when it began."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from facts import askers, store
from facts.derivations.declaring import Built
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


def standing_facts(check: Check) -> dict[Place, Fact]:
    """The facts the target built before, in one query."""
    facts = check.facts.select_related("person")
    return {(_id_of(fact.person), fact.ref): fact for fact in facts}


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
    account: Account, built: Built, standing: dict[Place, Fact], stamp: Stamp, *, began: datetime
) -> list[Measurement]:
    """What was built, and absence for what no longer is. Raises UnknownPerson."""
    new = [place for place in built if place not in standing]
    versions = _versions(account, new, began=began)
    people = _people(account, (person for person, _ref in new))
    lines = []
    for (person, ref), value in built.items():
        if fact := standing.get((person, ref)):
            lines.append(_line(ref, fact.version, fact.person, value, stamp))
        else:
            whose = None if person is None else people[person]
            lines.append(_line(ref, versions.get((person, ref), 0), whose, value, stamp))
    retired = {place: fact for place, fact in standing.items() if place not in built}
    return lines + [
        _line(ref, fact.version, fact.person, ABSENT, stamp)
        for (_person, ref), fact in retired.items()
        if not fact.is_absent or fact.is_open
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


def _versions(account: Account, places: list[Place], *, began: datetime) -> dict[Place, int]:
    """Where facts stand that the target did not build before: one it takes over, or only asked for.

    One measured since the run began counts as it was before, and so refuses what the run found.
    """
    if not places:
        return {}
    facts = account.facts.at(*{ref for _person, ref in places}).select_related("person")
    return {
        (_id_of(fact.person), fact.ref): fact.version
        for fact in facts
        if fact.measured_at is None or fact.measured_at < began
    }


def _people(account: Account, ids: Iterable[str | None]) -> dict[str, Person]:
    wanted = {each for each in ids if each is not None}
    if not wanted:
        return {}
    people = {
        person.external_id: person for person in account.people.filter(external_id__in=wanted)
    }
    if missing := wanted - set(people):
        raise UnknownPerson(f"{len(missing)} of the people a fact was built for are not there")
    return people


def _id_of(person: Person | None) -> str | None:
    return None if person is None else person.external_id
