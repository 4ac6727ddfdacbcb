"""How the companies came to be known: their past months, lived through in order.

Nothing is made up for a history. On every day of its story a company's database is brought to what
it was then, and is read, judged and rolled up by the code that does so every day, with that day as
the time. What is kept of it is what Ken would have kept.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from facts import derivations
from facts.lapses import ask_for_lapsed
from facts.models import Account, Observation, Source
from facts.probing import connect, learn
from facts.scheduling import note_made
from facts.usage import taking
from facts.usage.queries import RunQuery
from readiness.demo import answers, database, schema, standing, usage, wishes
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


class Day(NamedTuple):
    """Something that happened to an account at ``at``."""

    at: datetime
    happen: Callable[[], None]


def days(made_on: date) -> list[Day]:
    """All that happened in all accounts until ``made_on``, in order."""
    last = datetime.combine(made_on, HOUR)
    found = [day for story in STORIES for day in _days_of(story, made_on, last)]
    return sorted(found, key=lambda day: day.at)


def live_through(day: Day) -> None:
    """Let a day happen, whole or not at all; one that has happened already changes nothing."""
    with transaction.atomic():
        day.happen()


def _days_of(story: Story, made_on: date, last: datetime) -> Iterator[Day]:
    begin = max((shop.moments[0].days_ago for shop in story.shops), default=14)
    at = last - timedelta(days=begin)
    yield Day(at, partial(_begin, story, at))
    for shop in story.shops:
        for moment in shop.moments:
            at = last - timedelta(days=moment.days_ago)
            yield Day(at, partial(_read, story, shop, moment, made_on, at))
        for ago in range(int(shop.lost_days_ago or 0), 0, -1):
            at = last - timedelta(days=ago)
            yield Day(at, partial(_let_fade, story, at))
    if story.account == wishes.ACCOUNT:
        for days_ago in answers.DAYS_AGO:
            at = last - timedelta(days=days_ago) + LATER
            yield Day(at, partial(_answer, story, days_ago, at))
    if story.is_used:
        for ago in range(min(int(begin) - 1, usage.LONGEST), 0, -usage.EVERY):
            at = last - timedelta(days=ago) + LATER
            yield Day(at, partial(_use, story, at))


def _begin(story: Story, at: datetime) -> None:
    """The account is made, and the product tells of its integrations and its plan."""
    account, _ = Account.objects.get_or_create(
        external_id=story.account, defaults={"created_at": at}
    )
    standing.begin(account, story, now=at)


def _read(story: Story, shop: Shop, moment: Moment, made_on: date, at: datetime) -> None:
    """The database, as it was that day, is read, and what rests on it is built."""
    source = Source.objects.filter(account__external_id=story.account, name=shop.name).first()
    if source is not None and source.reflected_at is not None and source.reflected_at >= at:
        return
    clock = Clock(at)
    database.bring(shop, made_on=made_on, until=at.date(), refused=moment.refused)
    if source is None:
        connect(
            story.account,
            database.url_of(shop),
            name=shop.name,
            mapping=schema.mapping_of(shop.tables),
            clock=clock,
            done=note_made,
        )
    else:
        learn(source, clock=clock, done=note_made)
    derivations.settle(_account_of(story), clock=clock)


def _let_fade(story: Story, at: datetime) -> None:
    """Nothing could be read; what was known is a day older."""
    clock, account = Clock(at), _account_of(story)
    if ask_for_lapsed(now=clock(), account=account):
        derivations.settle(account, clock=clock)


def _use(story: Story, at: datetime) -> None:
    """The assistant asked its questions of the day."""
    account = _account_of(story)
    newest = Observation.objects.filter(
        account=account, outcome=Observation.Outcome.USED, by=taking.OBSERVER
    ).aggregate(newest=Max("last_at"))["newest"]
    if newest is None or newest < at:
        runs = [
            RunQuery(story.account, query, "postgres", is_answered)
            for query, is_answered in usage.queries_of(story)
        ]
        taking.take(account, runs, now=at)


def _answer(story: Story, days_ago: int, at: datetime) -> None:
    """Programs and people said what they made of the answers to questions."""
    account = _account_of(story)
    if answers.act(account, days_ago, now=at):
        derivations.settle(account, clock=Clock(at))


def _account_of(story: Story) -> Account:
    return Account.objects.get(external_id=story.account)
