"""What follows a change of the specs in force, in the background."""

from django.utils import timezone
from django_q.tasks import async_task

from facts.derivations import sync_targets
from facts.models import Account
from specs.fitting import NAME

ACCOUNTS_A_TASK = 500


def follow_soon(*, after: int = 0) -> None:
    """Queue ``follow``; in a transaction that is rolled back nothing is queued."""
    async_task("specs.tasks.follow", after=after)


def follow(after: int = 0) -> None:
    """Give accounts a verdict to come for each spec in force, and withdraw those of the others.

    Goes through the accounts by key from ``after`` on, a batch a task. Safe to run twice.
    """
    accounts = list(Account.objects.filter(pk__gt=after).order_by("pk")[:ACCOUNTS_A_TASK])
    for account in accounts:
        sync_targets(account, derivation=NAME, now=timezone.now())
    if len(accounts) == ACCOUNTS_A_TASK:
        follow_soon(after=accounts[-1].pk)
