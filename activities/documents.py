"""The two files an operator gives: the registry of verbs, and the accounts' zones and machines.

Pure. Each is taken whole or refused whole with the first fault, which names the place and what
would be right.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Self

from activities.errors import BadPeople, BadRegistry
from activities.events import MAX_LENGTH, is_name
from activities.rules import title_of
from facts import guard
from facts.errors import BadRef, KenError
from facts.refs import Ref

EVERYBODY = "*"  # the key of an account's own zone among the zones of its people


@dataclass(frozen=True, slots=True)
class Registry:
    """Which action is which verb. Closed: an action that is not in it is not kept."""

    verbs: tuple[str, ...] = ()  # by rank, the most deliberate first; rank breaks ties
    actions: Mapping[str, str | None] = field(default_factory=dict)  # None: navigation
    titles: Mapping[str, str] = field(default_factory=dict)  # one for each verb

    @classmethod
    def parse(cls, text: str) -> Self:
        """The registry a JSON text spells.

        ``{"verbs": [by rank], "actions": {"name": verb or null}, "titles"?: {verb: title}}``.
        Raises BadRegistry.
        """
        document = _object(text, BadRegistry, "the registry")
        _closed(document, {"verbs", "actions"}, {"titles"}, BadRegistry, "the registry")
        verbs, actions = document["verbs"], document["actions"]
        titles = document.get("titles", {})
        if not isinstance(verbs, list) or not all(isinstance(verb, str) for verb in verbs):
            raise BadRegistry("verbs must be a list of names, the most deliberate first")
        if not isinstance(actions, dict) or not isinstance(titles, dict):
            raise BadRegistry("actions and titles must be objects: {action: verb or null}")
        for verb in verbs:
            _check_verb(verb)
        if len(set(verbs)) != len(verbs):
            twice = next(verb for verb in verbs if verbs.count(verb) > 1)
            raise BadRegistry(f"the verb {twice} stands twice; a verb has one rank")
        for action, verb in actions.items():
            check_action(action)
            if verb is not None and verb not in verbs:
                raise BadRegistry(
                    f"the action {action!r} is of no verb of the list; "
                    f"it may be null or one of {', '.join(verbs)}"
                )
        for verb, title in titles.items():
            if verb not in verbs:
                raise BadRegistry("a title is given to a verb that is not in the list")
            _check_title(verb, title)
        return cls(tuple(verbs), actions, {v: titles.get(v) or title_of(v) for v in verbs})

    def with_action(self, action: str, verb: str | None) -> Self:
        """This registry with one action mapped otherwise, or newly. Raises BadRegistry."""
        check_action(action)
        if verb is not None and verb not in self.verbs:
            raise BadRegistry(f"the registry has no verb {verb!r}")
        return replace(self, actions={**self.actions, action: verb})

    def with_title(self, verb: str, title: str) -> Self:
        """This registry with one verb called otherwise. Raises BadRegistry."""
        if verb not in self.verbs:
            raise BadRegistry(f"the registry has no verb {verb!r}")
        _check_title(verb, title)
        return replace(self, titles={**self.titles, verb: title})

    def with_verb(self, verb: str, title: str = "") -> Self:
        """This registry with one more verb, ranked last. Raises BadRegistry."""
        _check_verb(verb)
        if verb in self.verbs:
            raise BadRegistry(f"the registry has the verb {verb!r} already")
        added = replace(self, verbs=(*self.verbs, verb))
        return added.with_title(verb, title or title_of(verb))

    def counts_like(self, other: "Registry") -> bool:
        """Whether both make the same of every vote: they differ in titles or navigation at most."""
        return self.verbs == other.verbs and self.verbs_by_action == other.verbs_by_action

    @property
    def verbs_by_action(self) -> dict[str, str]:
        """The actions that vote."""
        return {action: verb for action, verb in self.actions.items() if verb is not None}


@dataclass(frozen=True, slots=True)
class Zones:
    """An account's zones of time and its service accounts, whom nobody is compared with."""

    zone: str | None  # the account's own; None leaves what is set
    people: Mapping[str, str]  # and those of people who live elsewhere
    service: frozenset[str]


def zones_of(text: str) -> dict[str, Zones]:
    """The accounts of a JSON text.

    ``{account: {"zones": {"*": zone, person: zone}, "service": [person]}}``. Raises BadPeople.
    Whether a zone exists is the database's to say: it is the one that reckons with it.
    """
    accounts = _object(text, BadPeople, "the file")
    return {account: _zones(account, found) for account, found in accounts.items()}


def check_action(action: str) -> None:
    """Raise BadRegistry unless the name may be kept: printable, short, and past the guard."""
    if not is_name(action):
        raise BadRegistry(f"an action's name has 1 to {MAX_LENGTH} printable characters")
    if reason := guard.text_reason(action):
        raise BadRegistry(f"an action's name may not be kept: {reason}")


def _check_verb(verb: str) -> None:
    try:
        Ref.of("user", "activity", verb)
    except BadRef:
        raise BadRegistry("a verb's name has 1 to 100 printable characters") from None
    if len(verb) > 100 or verb != verb.strip():
        raise BadRegistry("a verb's name has 1 to 100 printable characters")
    if reason := guard.text_reason(verb):
        raise BadRegistry(f"a verb's name may not be kept: {reason}")


def _check_title(verb: str, title: object) -> None:
    if not is_name(title) or len(title) > 100 or title != title.strip():
        raise BadRegistry(f"the title of {verb} must be a text of 1 to 100 printable characters")
    if reason := guard.text_reason(title):
        raise BadRegistry(f"the title of {verb} may not be kept: {reason}")


def _zones(account: str, found: object) -> Zones:
    where = f"the account {account!r}"
    if not is_name(account):
        raise BadPeople(f"an account's id has 1 to {MAX_LENGTH} printable characters")
    if not isinstance(found, dict):
        raise BadPeople(f"{where} must have an object with zones and service")
    _closed(found, set(), {"zones", "service"}, BadPeople, where)
    zones, service = found.get("zones", {}), found.get("service", [])
    if not isinstance(zones, dict) or not all(
        is_name(person) and is_name(zone) for person, zone in zones.items()
    ):
        raise BadPeople(f"zones of {where} must be {{person or {EVERYBODY!r}: name of a zone}}")
    if not isinstance(service, list) or not all(is_name(person) for person in service):
        raise BadPeople(f"service of {where} must be a list of people's ids")
    people = {person: zone for person, zone in zones.items() if person != EVERYBODY}
    return Zones(zones.get(EVERYBODY), people, frozenset(service))


def _object(text: str, fault: type[KenError], what: str) -> dict[str, Any]:
    """The JSON object ``text`` spells; a key that stands twice is a fault, not the last one's."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise fault(f"{what} has the key {twice!r} twice in one object")
        return found

    def constant(_name: str) -> NoReturn:
        raise fault(f"{what} holds a number that JSON does not have")

    try:
        document = json.loads(text, object_pairs_hook=once, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise fault(
            f"{what} is no JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except (RecursionError, ValueError):
        raise fault(f"{what} is no JSON that can be read") from None
    if not isinstance(document, dict):
        raise fault(f"{what} must be a JSON object")
    return document


def _closed(
    document: dict[str, Any],
    needed: set[str],
    optional: set[str],
    fault: type[KenError],
    where: str,
) -> None:
    known = ", ".join(sorted(needed | optional))
    for key in document:
        if key not in needed | optional:
            raise fault(f"{where} has no place for {key!r}; it takes {known}")
    for key in sorted(needed - document.keys()):
        raise fault(f"{where} lacks {key!r}; it takes {known}")
