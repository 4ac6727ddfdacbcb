"""How the companies came to be known: their past months, lived through in order.

Nothing is made up for a history. On every day of its story a company's database is brought to what
it was then, and is read, judged and rolled up by the code that does so every day, with that day as
the time. What is kept of it is what Ken would have kept.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Max

from facts import derivations, intake
from facts.lapses import ask_for_lapsed
from facts.models import Account, Observation, Source
from facts.probing import connect, learn
from facts.scheduling import note_made
from facts.usage import taking
from facts.usage.queries import RunQuery
from readiness.demo import database, schema, usage
from readiness.demo.stories import STORIES, Moment, Shop, Story

HOUR = time(5, tzinfo=UTC)  # of the day at which databases are read
LATER = timedelta(hours=12)  # when a day's queries are taken in


class Clock:
    """A day's time: it begins when the day does, and every look at it is a millisecond later.

    So what was asked for comes before what answers it, as it does by any clock.
    """

    def __init__(self, at: datetime) -> None:
        self._at = at

    def __call__(self) -> datetime:
        """The time now."""
        self._at += timedelta(milliseconds=1)
        return self._at


@dataclass(frozen=True, slots=True)
class Day:
    """Something that happened to an account at ``at``."""

    at: datetime
    story: Story
    happen: Callable[["Day"], None]
    shop: Shop | None = None
    moment: Moment | None = None

    @property
    def made_on(self) -> date:
        """The companies' last day."""
        assert self.moment is not None
        return (self.at + timedelta(days=self.moment.days_ago)).date()


def days(made_on: date) -> list[Day]:
    """All that happened in all accounts until ``made_on``, in order."""
    found = [day for story in STORIES for day in _days_of(story, datetime.combine(made_on, HOUR))]
    return sorted(found, key=lambda day: day.at)


def live_through(day: Day) -> None:
    """Let a day happen, whole or not at all; one that has happened already is passed over."""
    with transaction.atomic():
        day.happen(day)


def _days_of(story: Story, last: datetime) -> Iterator[Day]:
    begin = max((shop.moments[0].days_ago for shop in story.shops), default=14)
    yield Day(last - timedelta(days=begin), story, _begin)
    for shop in story.shops:
        for moment in shop.moments:
            at = last - timedelta(days=moment.days_ago)
            yield Day(at, story, _read, shop, moment)
        if shop.lost_days_ago is not None:
            for ago in range(int(shop.lost_days_ago), 0, -1):
                yield Day(last - timedelta(days=ago), story, _let_fade)
    if story.is_used:
        for ago in range(min(int(begin) - 1, usage.LONGEST), 0, -usage.EVERY):
            yield Day(last - timedelta(days=ago) + LATER, story, _use)


def _begin(day: Day) -> None:
    """The account is made, and the product tells of its integrations and its plan."""
    story = day.story
    account, _ = Account.objects.get_or_create(
        external_id=story.account, defaults={"created_at": day.at}
    )
    if account.facts.at(intake.FEATURES).exists():
        return
    states = [
        intake.IntegrationState(name=name, category=category, healthy=healthy)
        for name, category, healthy in story.integrations
    ]
    intake.set_integrations(account, states, now=day.at)
    intake.set_plan(account, story.plan, now=day.at)


def _read(day: Day) -> None:
    """The database, as it was that day, is read, and what rests on it is built."""
    shop, moment = day.shop, day.moment
    assert shop is not None and moment is not None
    source = Source.objects.filter(account__external_id=day.story.account, name=shop.name).first()
    if source is not None and source.reflected_at is not None and source.reflected_at >= day.at:
        return
    clock = Clock(day.at)
    database.bring(shop, made_on=day.made_on, until=day.at.date(), refused=moment.refused)
    if source is None:
        connect(
            day.story.account,
            database.url_of(shop),
            name=shop.name,
            mapping=schema.mapping_of(shop.tables),
            clock=clock,
            done=note_made,
        )
    else:
        learn(source, clock=clock, done=note_made)
    derivations.settle(_account(day), clock=clock)


def _let_fade(day: Day) -> None:
    """Nothing could be read; what was known is a day older."""
    clock, account = Clock(day.at), _account(day)
    if ask_for_lapsed(now=clock(), account=account):
        derivations.settle(account, clock=clock)


def _use(day: Day) -> None:
    """The assistant asked its questions of the day."""
    account = _account(day)
    newest = Observation.objects.filter(
        account=account, outcome=Observation.Outcome.USED, by=taking.OBSERVER
    ).aggregate(newest=Max("last_at"))["newest"]
    if newest is None or newest < day.at:
        runs = [
            RunQuery(day.story.account, query, "postgres", ok)
            for query, ok in usage.queries_of(day.story)
        ]
        taking.take(account, runs, now=day.at)


def _account(day: Day) -> Account:
    return Account.objects.get(external_id=day.story.account)
