"""``account:header:turn`` and ``user:header:turn``: the header of every turn, as a derivation."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db.models import Exists, OuterRef

from facts.derivations import (
    Built,
    Derivation,
    Inputs,
    Missing,
    Reading,
    Target,
    create_targets,
)
from facts.models import Account, Check, Fact, Person
from facts.refs import Ref
from readiness import overall
from readiness.header import Feature, header

NAME = "header"
OF_ACCOUNT = Ref.of("account", "header", "turn")
OF_PERSON = Ref.of("user", "header", "turn")
NEW_FOR = timedelta(days=1)
NEW_AT_ONCE = 10_000  # people, a tick


def targets(account: Account) -> Iterable[str]:
    """The account's own header, named by nobody, and one for each of its people."""
    return ["", *account.people.values_list("external_id", flat=True)]


def target_of(ref: Ref, person: str | None) -> str | None:
    """The target that builds ``ref`` for ``person``, if it is a header."""
    if ref == OF_ACCOUNT:
        return ""
    return person if ref == OF_PERSON else None


def inputs(target: Target, reading: Reading) -> Inputs | Missing:
    """What the person works on, what the account's features are, and how ready it is.

    What is not there yet is left out of the text: a header is never missing.
    """
    person = (
        Person.objects.filter(account=target.account, external_id=target.name).first()
        if target.name
        else None
    )
    if target.name and person is None:
        return Missing()
    activities = reading.under("user:activity:", person=person) if person else []
    fits = reading.under("account:feature-fit:")
    readiness = reading.at(overall.REF).get(overall.REF)
    known = readiness.value if readiness is not None and _is_there(readiness) else {}
    return {
        "person": target.name or None,
        "activities": [fact.value["title"] for fact in in_order(activities)],
        "features": [_feature(fact) for fact in fits if _is_there(fact)],
        "level": known.get("level", "not-ready"),
        "shown": known.get("shown"),
        "gap": known.get("gap"),
    }


def build(inputs: Inputs) -> Built:
    """The header's text, for the account or for one person in it."""
    text = header(
        activities=inputs["activities"],
        features=[
            Feature(title=title, verdict=verdict, lacks=lacks)
            for title, verdict, lacks in inputs["features"]
        ],
        level=inputs["level"],
        shown=inputs["shown"],
        gap=inputs["gap"],
    )
    person = inputs["person"]
    return {(person, OF_ACCOUNT if person is None else OF_PERSON): {"text": text}}


def in_order(activities: Iterable[Fact]) -> list[Fact]:
    """Activities as the header orders them: by lift, then by sessions, then by rank."""

    def place(fact: Fact) -> tuple[Fraction, int, int]:
        return -Fraction(fact.value["lift"]), -fact.value["sessions"], fact.value["rank"]

    return sorted((fact for fact in activities if _is_there(fact)), key=place)


def _feature(fact: Fact) -> list[Any]:
    value = fact.value
    return [value.get("title") or fact.ref.parts[0], value["verdict"], value.get("lacks", [])]


def _is_there(fact: Fact) -> bool:
    return isinstance(fact.value, dict) and not fact.is_absent


def greet(now: datetime) -> int:
    """Make the headers' targets of people who are new, however they came; due at once.

    A step of the tick: people are first named by events, files, tokens and staff, of which none
    knows of headers. One who came more than a day ago while no tick ran has theirs made by the
    first read of it, and by ``settle``. One query, and one for each of their accounts.
    """
    had = Check.objects.filter(
        account=OuterRef("account"),
        kind=Check.Kind.DERIVATION,
        derivation=NAME,
        target=OuterRef("external_id"),
    )
    new = Person.objects.filter(~Exists(had), created_at__gte=now - NEW_FOR).order_by("pk")
    names: dict[Account, list[str]] = {}
    for person in new.select_related("account")[:NEW_AT_ONCE]:
        names.setdefault(person.account, []).append(person.external_id)
    for account, found in names.items():
        create_targets(account, HEADER, found, now=now)
    return sum(map(len, names.values()))


HEADER = Derivation(
    name=NAME,
    version="1",
    owner=overall.OBSERVER,
    targets=targets,
    inputs=inputs,
    build=build,
    demand=lambda _target: 1,
    target_of=target_of,
)
