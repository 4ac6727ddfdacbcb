"""What people work on, from raw events, slowly and exactly: what the statements are held against.

Written from the rules and not from the statements: no votes, no stored sessions, no SQL.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
GAP = timedelta(minutes=30)
WINDOW = timedelta(days=30)


@dataclass(frozen=True)
class World:
    """Everything of one account that is no event."""

    verbs: Sequence[str]  # by rank
    actions: Mapping[str, str | None]
    zones: Mapping[str, str]  # {"*": zone, person: zone}
    service: Collection[str] = ()
    rejected: Collection[tuple[str, str]] = ()  # (person, verb) in force


Act = tuple[str, str, datetime]  # person, action, instant


def sessions(world: World, acts: Iterable[Act], as_of: datetime) -> list[dict[str, Any]]:
    """Every session there is at a moment, labelled."""
    done = defaultdict(set)
    for person, action, at in acts:
        verb = world.actions.get(action)
        if verb is not None and at < as_of:
            done[person].add((at, verb))
    found = []
    for person, events in done.items():
        session: list[tuple[datetime, str]] = []
        cut = []
        for event in sorted(events):
            if session and event[0] - session[-1][0] > GAP:
                cut.append(session)
                session = []
            session.append(event)
        cut.append(session)
        found += [{"person": person, "verb": label(world, one), "events": one} for one in cut]
    return found


def label(world: World, events: Iterable[tuple[datetime, str]]) -> str:
    minutes = {(verb, (at - EPOCH) // MINUTE) for at, verb in events}
    count = Counter(verb for verb, _ in minutes)
    return min(count, key=lambda verb: (-count[verb], world.verbs.index(verb)))


def activities(world: World, acts: Iterable[Act], as_of: datetime) -> list[dict[str, Any]]:
    """The activities of everybody, by person and in the header's order."""
    counted = [
        session
        for session in sessions(world, acts, as_of)
        if session["person"] not in world.service and session["events"][0][0] >= as_of - WINDOW
    ]
    active = {s["person"] for s in counted}
    mine = defaultdict(list)
    for session in counted:
        mine[session["person"], session["verb"]].append(session["events"])
    found = []
    for (person, verb), runs in mine.items():
        zone = ZoneInfo(world.zones.get(person, world.zones.get("*", "UTC")))
        days = {events[0][0].astimezone(zone).date() for events in runs}
        others = sum(len(r) for (p, v), r in mine.items() if v == verb and p != person)
        colleagues = len(active - {person})
        mean = Fraction(others, colleagues) if colleagues else Fraction(0)
        lift = Fraction(len(runs) + 1) / (mean + 1)
        if len(runs) < 3 or len(days) < 2 or lift < Fraction(3, 2):
            continue
        if (person, verb) in world.rejected:
            continue
        found.append(
            {
                "person": person,
                "verb": verb,
                "sessions": len(runs),
                "days": len(days),
                "others": others,
                "colleagues": colleagues,
                "lift": lift,
                "first": min(events[0][0] for events in runs),
                "last": max(events[-1][0] for events in runs),
            }
        )
    rank = world.verbs.index
    return sorted(found, key=lambda a: (a["person"], -a["lift"], -a["sessions"], rank(a["verb"])))
