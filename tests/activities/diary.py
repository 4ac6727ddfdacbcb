"""Writing down what people of one account do, and reading what follows."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from activities import inference, people, rules, verbs, votes
from activities.documents import Registry, Zones
from activities.events import Event
from activities.models import Session
from activities.votes import Taken
from facts.models import Account, Person

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)  # far from any change of clocks
LATER = MONDAY + timedelta(days=20)

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)


def registry(verbs: Sequence[str], **actions: str | None) -> Registry:
    """Verbs by rank; an action of the same name for each, and more by name."""
    return Registry(
        tuple(verbs),
        {**{verb: verb for verb in verbs}, **actions},
        {verb: rules.title_of(verb) for verb in verbs},
    )


class Diary:
    """An account's events and what is inferred from them."""

    def __init__(self, account: str = "acme", zone: str = "UTC") -> None:
        self.name = account
        self.settle_in(zone=zone)

    @property
    def account(self) -> Account:
        return Account.objects.get(external_id=self.name)

    def person(self, name: str) -> Person:
        return self.account.people.get(external_id=name)

    def settle_in(
        self,
        *,
        zone: str = "UTC",
        zones: Mapping[str, str] | None = None,
        service: Iterable[str] = (),
    ) -> None:
        """Say where the account and its people live and who is a machine."""
        people.load_zones({self.name: Zones(zone, zones or {}, frozenset(service))}, now=MONDAY)

    def event(self, person: str, action: str, at: datetime) -> Event:
        return Event(self.name, person, action, rules.microseconds(at))

    def did(self, person: str, action: str, *at: datetime) -> Taken:
        """The person did something at some instants."""
        return votes.take([self.event(person, action, each) for each in at], now=LATER)

    def came_back_to(
        self, person: str, action: str, *, sessions: int = 3, since: datetime = MONDAY
    ) -> None:
        """Sessions of a single act, one a day."""
        self.did(person, action, *(since + DAY * day for day in range(sessions)))

    def sessions(self, person: str) -> list[tuple[datetime, datetime, str]]:
        """The stored sessions: first instant, last instant, verb."""
        stored = Session.objects.filter(account=self.account, person__external_id=person)
        return [
            (rules.moment(first), rules.moment(last), verb)
            for first, last, verb in stored.order_by("first").values_list(
                "first", "last", "verb__name"
            )
        ]

    def activities(self, as_of: datetime = LATER) -> list[tuple[str, str]]:
        """Who works on what at a moment, in the order it is printed."""
        return [(a.person, a.verb) for a in inference.activities_at(self.account, as_of)]

    def figures(self, person: str, verb: str, as_of: datetime = LATER) -> dict[str, Any]:
        """The figures of one activity, or nothing."""
        for a in inference.activities_at(self.account, as_of):
            if (a.person, a.verb) == (person, verb):
                return {
                    "sessions": a.sessions,
                    "days": a.days,
                    "others": a.others,
                    "colleagues": a.colleagues,
                    "lift": rules.ratio(a.lift),
                }
        return {}


def in_force(found: Registry) -> None:
    """Put a registry in force and the sessions of every account up to date with it."""
    from activities import sessions

    verbs.replace(found, now=LATER)
    for account in Account.objects.all():
        sessions.bring_up_to_date(account)
