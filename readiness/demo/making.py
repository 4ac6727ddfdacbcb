"""Making the demo, step by step. Every step finds what it made before and goes on from there."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import TypeVar

from tqdm import tqdm

from facts import derivations
from facts.models import Account, Source
from facts.probing.checking import tried
from facts.wording import counted
from readiness.demo import database, history, logins, product, reviews, standing, wishes
from readiness.demo.stories import STORIES

Say = Callable[[str], None]
_T = TypeVar("_T")


def make(*, now: datetime, say: Say) -> None:
    """Make the demo's accounts, or what is still missing of them; a bar on a terminal.

    What has come since the companies' last reading is left to the workers. Raises NoRoom. What was
    made stays when it breaks off, and the next call goes on.
    """
    is_there = logins.is_last_made()
    say(
        "The demo is there already"
        if is_there
        else f"Making the demo: {len(STORIES)} accounts of trading companies, and their past months"
    )
    made_on = database.ensure(now=now)
    reviews.put_in_force(now=now)
    product.put_verbs_in_force(now=now)
    logins.make_staff(say=say)
    for day in _counted(history.days(made_on), "days"):
        history.live_through(day)
    _bring_up_to(made_on)
    standing.tell_again(now=now)
    product.hire(now=now)
    if votes := product.take_events(now=now):
        say(f"Took {counted(votes, 'vote')} from what people did")
    wishes.say(now=now)
    for story in _counted(STORIES, "accounts"):
        derivations.settle(Account.objects.get(external_id=story.account))
    reviews.write(now=now)
    logins.make_person(now=now, say=say)
    if not is_there:
        say("The demo is made")


def _bring_up_to(made_on: date) -> None:
    """The databases as they are now; what was lost stays as it was when it was."""
    for account, shop in [(story.account, shop) for story in STORIES for shop in story.shops]:
        ago = timedelta(days=shop.lost_days_ago or 0)
        database.bring(shop, made_on=made_on, until=made_on - ago, refused=shop.refused_at(0))
        if shop.lost_days_ago is not None:
            database.close(shop)
            tried(Source.objects.get(account__external_id=account, name=shop.name))


def _counted(steps: Iterable[_T], unit: str) -> Iterator[_T]:
    """The steps, with a bar on a terminal's stderr."""
    with tqdm(list(steps), unit=f" {unit}", desc="Demo", disable=None, leave=False) as bar:
        yield from bar
