"""Short ways to observe and request, for tests that are about something else."""

from datetime import UTC, datetime, timedelta
from typing import Any

from facts import store
from facts.models import Account, Fact
from facts.refs import Ref
from facts.store import Measurement

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
ORDERS = Ref.parse("data:label:Order")


def observe(
    account: Account,
    ref: Ref | str = ORDERS,
    value: Any = None,
    *,
    now: datetime = NINE,
    started: datetime | None = None,
    by: str = "probe",
    asker: str = "",
    **measured: Any,
) -> Fact:
    """Observe one fact from its current version on; a fact without a value counts 830 records."""
    ref = Ref.parse(ref) if isinstance(ref, str) else ref
    person = measured.get("person")
    measured.setdefault("version", store.versions(account, [ref], person=person)[ref])
    if measured.setdefault("outcome", "confirmed") == "confirmed":
        measured["value"] = {"count": 830} if value is None else value
    return store.observe(
        account,
        Measurement(ref=ref, **measured),
        by=by,
        measured_from=started or now,
        now=now,
        asker=asker,
    )


def stored(account: Account, ref: Ref | str = ORDERS) -> Fact:
    """The fact as its row stands."""
    ref = Ref.parse(ref) if isinstance(ref, str) else ref
    return account.facts.at(ref).get()
