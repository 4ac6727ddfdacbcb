"""Taking events in: they become votes at the door, and nothing else of them is kept.

``load_events`` and the API feed the same function. It is idempotent and blind to order: a batch
that was taken before, or comes late, or in pieces to several processes, leaves the same votes and
the same sessions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection, transaction

from activities import derivation, sessions
from activities.events import Event
from activities.models import Action
from activities.people import Id, named_people
from activities.rules import MINUTE, moment
from activities.sessions import Stretches
from activities.statements import MEASURES, array, statement
from facts.giving_way import once_more

MAX_UNMAPPED = 1_000  # names counted for an account; products put numbers into names


# Plain tuples: account, person and action by the product's names, and the minute.
_Spans = dict[tuple[str, str, str, int], list[int]]  # the first and the last instant in it
_Strange = dict[tuple[str, str, str], list[int]]  # how often, and the last instant


@dataclass(slots=True)
class Taken:
    """What became of the events of a batch: each is counted once."""

    accepted: int = 0  # made a vote
    folded: int = 0  # fell into a minute that had its vote
    unmapped: int = 0  # named an action the registry doesn't have: counted, not kept
    accounts: set[int] = field(default_factory=set)  # whose votes changed

    def add(self, other: "Taken") -> None:
        """Add another batch's counts."""
        self.accepted += other.accepted
        self.folded += other.folded
        self.unmapped += other.unmapped
        self.accounts |= other.accounts


@once_more
@transaction.atomic
def take(events: Sequence[Event], *, now: datetime) -> Taken:
    """Keep the votes of ``events`` and bring the sessions they touch up to date.

    A fixed number of statements whatever the number of events. Accounts and people that an event
    is the first to name are made.
    """
    version = sessions.lock_registry()
    actions = dict(Action.objects.filter(known=True).values_list("name", "pk"))
    spans, strange = _fold(events, actions)
    who = {(account, person) for account, person, _, _ in spans}
    who |= {(account, person) for account, person, _ in strange}
    people = named_people(who, now=now)
    locked = sessions.lock_accounts({account for account, _ in people.values()}, version)
    sessions.catch_up(locked, version)
    taken = Taken(unmapped=sum(count for count, _ in strange.values()))
    if spans:
        taken.accepted, touched = _keep(spans, people, actions)
        taken.folded = len(events) - taken.unmapped - taken.accepted
        taken.accounts = set(touched.accounts)
        if touched.accounts:
            sessions.renew(touched)
            derivation.wake(taken.accounts, now=now)
    if strange:
        _count(strange, people)
    return taken


def _fold(events: Sequence[Event], actions: Mapping[str, int]) -> tuple[_Spans, _Strange]:
    """The events as one span per person, action and minute, and the unmapped ones as counts."""
    spans: _Spans = {}
    strange: _Strange = {}
    for account, person, action, at in events:
        if action in actions:
            minute = (account, person, action, at // MINUTE)
            span = spans.get(minute)
            if span is None:
                spans[minute] = [at, at]
            elif at < span[0]:
                span[0] = at
            elif at > span[1]:
                span[1] = at
        else:
            count = strange.setdefault((account, person, action), [0, at])
            count[0] += 1
            count[1] = max(count[1], at)
    return spans, strange


def _keep(
    spans: _Spans, people: Mapping[Id, tuple[int, int]], actions: Mapping[str, int]
) -> tuple[int, Stretches]:
    """Write the votes: how many are new, and which stretches of verbs' votes they touch."""
    who = [people[account, person] for account, person, _, _ in spans]
    with connection.cursor() as cursor:
        cursor.execute(
            statement("keep_votes"),
            {
                "accounts": array(account for account, _ in who),
                "people": array(person for _, person in who),
                "actions": array(actions[action] for _, _, action, _ in spans),
                "minutes": array(minute for _, _, _, minute in spans),
                "firsts": array(first for first, _ in spans.values()),
                "lasts": array(last for _, last in spans.values()),
                **MEASURES,
            },
        )
        new, *columns = cursor.fetchone()
    return new, Stretches(*(column or [] for column in columns))


def _count(strange: _Strange, people: Mapping[Id, tuple[int, int]]) -> None:
    """Count what staff may want to map."""
    who = [people[account, person] for account, person, _ in strange]
    with connection.cursor() as cursor:
        cursor.execute(
            statement("count_unmapped"),
            {
                "accounts": [account for account, _ in who],
                "people": [person for _, person in who],
                "names": [name for _, _, name in strange],
                "counts": [count for count, _ in strange.values()],
                "lasts": [moment(last) for _, last in strange.values()],
                "room": MAX_UNMAPPED,
            },
        )
