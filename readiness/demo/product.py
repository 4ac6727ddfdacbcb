"""What the companies' product tells of its people: its verbs, their zones, what they did."""

import json
from datetime import datetime, timedelta

from django.db.models import Max

from activities import events, rules, verbs, votes
from activities import people as named
from activities.documents import Registry, Zones
from activities.models import RegistryVersion, UnmappedAction, Vote
from facts.models import Account
from readiness.demo import events as happened
from readiness.demo import people
from readiness.demo.stories import STORIES, Story

AGO = timedelta(days=happened.DAYS)


def put_verbs_in_force(*, now: datetime) -> None:
    """The registry of verbs, unless one is in force already: an operator's stays."""
    if not RegistryVersion.objects.filter(version__gt=0).exists():
        verbs.replace(Registry.parse(people.registry()), now=now - AGO)


def hire(*, now: datetime) -> None:
    """The people of every company, their zones, and the machine among them."""
    zones = {}
    for story in STORIES:
        if story.jobs and not Account.objects.filter(
            external_id=story.account, people__external_id=people.SERVICE
        ):
            elsewhere = {job: people.JOBS[job].zone for job in story.jobs if people.JOBS[job].zone}
            zones[story.account] = Zones(story.zone, elsewhere, frozenset({people.SERVICE}))
            named.named_people({(story.account, job) for job in story.jobs}, now=now - AGO)
    if zones:
        named.load_zones(zones, now=now)


def take_events(*, now: datetime) -> int:
    """Everybody's events since those that were taken before; how many were new.

    One batch: either all of them count or none does.
    """
    found = [
        event
        for story in STORIES
        if story.jobs
        for event in happened.events_of(
            story.account,
            [people.JOBS[job] for job in story.jobs],
            zone=story.zone,
            since=_newest(story) or now - AGO,
            until=now,
        )
    ]
    read = events.read(
        (json.dumps(event).encode() for event in found), start=1, latest=rules.microseconds(now)
    )
    return votes.take(read.events, now=now).accepted if read.events else 0


def _newest(story: Story) -> datetime | None:
    """When the last event was that is known of a company."""
    mine = {"account__external_id": story.account}
    last = Vote.objects.filter(**mine).aggregate(last=Max("last"))["last"]
    strange = UnmappedAction.objects.filter(**mine).aggregate(last=Max("last_at"))["last"]
    known = [strange, None if last is None else rules.moment(last)]
    return max((at for at in known if at is not None), default=None)
