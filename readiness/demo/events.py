"""What the people of a company did in its product, day by day. Pure.

A day's events follow from the company, the person and the date alone. So a demo that is started
again goes on where it was, whatever the time.
"""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from readiness.demo import people
from readiness.demo.people import Job

DAYS = 61  # of events before now


def events_of(
    account: str, jobs: Sequence[Job], *, zone: str, since: datetime, until: datetime
) -> list[dict[str, Any]]:
    """The events of a company after ``since`` and before ``until``, oldest first."""
    first, last = since.date() - timedelta(days=1), until.date() + timedelta(days=1)
    found = [
        (at, event)
        for day in _days(first, last)
        for at, event in _of_day(account, jobs, zone, day)
        if since < at < until
    ]
    found.sort(key=lambda pair: (pair[0], pair[1]["person"], pair[1]["action"]))
    return [{"account": account, **event, "at": at.isoformat()} for at, event in found]


def _days(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first += timedelta(days=1)


def _of_day(
    account: str, jobs: Sequence[Job], zone: str, day: date
) -> Iterator[tuple[datetime, dict[str, Any]]]:
    for job in jobs:
        chance = random.Random(f"{account} {job.person} {day}")  # noqa: S311 - the same every time
        if chance.random() < (0.9 if day.weekday() < 5 else 0.06):
            for at, action in _worked(job, day, ZoneInfo(job.zone or zone), chance):
                event = {"person": job.person, "action": action}
                if chance.random() < 0.01:
                    event["on_behalf_of"] = people.ADMINISTRATOR
                yield at, event
    if jobs:
        yield from _by_machine(day)


def _worked(
    job: Job, day: date, zone: ZoneInfo, chance: random.Random
) -> Iterator[tuple[datetime, str]]:
    """A day's sessions, an hour and more apart: acts of one verb among steps through the pages."""
    actions = people.actions_by_verb()
    begins = datetime.combine(day, time(job.starts), zone).astimezone(UTC)
    for _session in range(chance.randint(*job.sessions)):
        begins += timedelta(minutes=chance.randint(5, 40), seconds=chance.randint(0, 59))
        verb = chance.choices(
            [*job.work, *people.EVERYBODYS],
            [*job.work.values(), *people.EVERYBODYS.values()],
        )[0]
        at = begins
        for _act in range(chance.randint(4, 12)):
            for _step in range(chance.randint(0, 2)):
                yield at, chance.choice(people.NAVIGATION)
                at += timedelta(seconds=chance.randint(2, 40))
            action = chance.choice(actions[verb])
            yield at, action
            if action == "order.autosaved":  # it saves every few seconds
                yield from ((at + timedelta(seconds=3 * n), action) for n in range(1, 8))
            if chance.random() < 0.02:
                yield at + timedelta(seconds=1), chance.choice(people.UNMAPPED)
            at += timedelta(seconds=chance.randint(30, 200))
        begins = at + timedelta(minutes=70)


def _by_machine(day: date) -> Iterator[tuple[datetime, dict[str, Any]]]:
    """A night's synchronisation: no person's work, however much of it there is."""
    at = datetime.combine(day, time(2), UTC)
    for number in range(12):
        yield (
            at + timedelta(minutes=number),
            {"person": people.SERVICE, "action": "order.created"},
        )
