"""What the companies' product tells of their integrations and their plan."""

from datetime import datetime, timedelta

from facts import intake
from facts.models import Account
from readiness.demo.stories import STORIES, Story

WORKED = timedelta(minutes=10)  # ago, an integration that works
FAILED = timedelta(days=3)  # ago, one that does not any more
OLD = timedelta(days=1)  # what was told so long ago is told again


def begin(account: Account, story: Story, *, now: datetime) -> None:
    """Tell for the first time, when all worked."""
    if not account.facts.at(intake.FEATURES).exists():
        _tell(account, story, broken=False, now=now)
        intake.set_plan(account, story.plan, now=now)


def tell_again(*, now: datetime) -> None:
    """Tell how the integrations of every account are doing now, unless that is known."""
    for story in STORIES:
        account = Account.objects.get(external_id=story.account)
        known = account.facts.under("account:integration:").filter(measured_at__gt=now - OLD)
        if not known.exists():
            _tell(account, story, broken=True, now=now)


def _tell(account: Account, story: Story, *, broken: bool, now: datetime) -> None:
    states = [
        intake.IntegrationState(
            name=name,
            category=category,
            healthy=healthy or not broken,
            last_succeeded=now - (WORKED if healthy or not broken else FAILED),
        )
        for name, category, healthy in story.integrations
    ]
    if states:
        intake.set_integrations(account, states, now=now)
