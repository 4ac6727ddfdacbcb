"""What of the store waits for somebody: sources and facts that can't be read."""

from datetime import datetime

from django.db.models import Q

from facts import waiting
from facts.models import Fact, Source


def _failing_sources(_now: datetime) -> int:
    return Source.objects.filter(~Q(failure="") | Q(ledger__failures__gt=0)).count()


def _failing_facts(_now: datetime) -> int:
    return Fact.objects.failing().count()


def register() -> None:
    """Have the admin's home count them."""
    waiting.register(
        waiting.Counter(
            permission="facts.view_source",
            count=_failing_sources,
            words=("source does not answer", "sources do not answer"),
            page="admin:facts_source_changelist",
        ),
        waiting.Counter(
            permission="facts.view_fact",
            count=_failing_facts,
            words=("fact can't be read or was refuted", "facts can't be read or were refuted"),
            page="admin:facts_fact_changelist",
            query="standing=failing",
        ),
    )
