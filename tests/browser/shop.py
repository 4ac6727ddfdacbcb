"""Accounts worth looking at: a trading company that has been learned for a month, and others."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Permission, User
from django.utils import timezone

from facts import derivations, heartbeat, intake
from facts.intake import IntegrationState
from facts.ledgers import Ledger, Spending
from facts.models import Account, Check, Source, Table
from facts.probing.keys import encrypted
from facts.refs import Ref
from facts.usage.queries import RunQuery
from facts.usage.taking import take
from specs import loading
from tests.conftest import ROOT
from tests.facts.observing import DAY, observe

HOUR = timedelta(hours=1)
COUNTS = {
    "Order": 2_400, "OrderLine": 6_013, "Customer": 180, "Product": 48, "Shipment": 1_960,
    "Invoice": 1_960, "Refund": 210, "Supplier": 30, "Carrier": 5, "StockMovement": 1_500,
    "Category": 3, "Employee": 12, "Territory": 4,
}  # fmt: skip
FILLS = {"Order|promisedAt": (1_920, 2_400), "Order|shippedAt": (2_000, 2_400)}
HOPS = {"Order|SHIPPED_BY|Carrier": (2_000, 2_400), "Product|SUPPLIED_BY|Supplier": (48, 48)}
SPECS = ("late-orders", "refunds", "stock-alerts", "supplier-scorecards")


def trading_company(now: datetime) -> Account:
    """Ready for two weeks until its shipments became unreadable, a week ago."""
    account = Account.objects.create(external_id="trading-company")
    source = _source(account, now)
    Account.objects.filter(pk=account.pk).update(created_at=now - 30 * DAY)
    names = [f"specs/starter/{name}.json" for name in SPECS]
    loading.load({name: (ROOT / name).read_text() for name in names}, now=now - 30 * DAY)
    for past, labels in [(28, 6), (24, 10), (20, 13), (3, 13)]:
        _learned(account, source, dict(list(COUNTS.items())[:labels]), now - past * DAY)
    _ask_questions(account, now - 2 * DAY)
    observe(account, "data:label:Shipment", outcome="failed", failure="42501", now=now - 7 * HOUR)
    intake.set_integrations(
        account,
        [
            _integration("Swift Parcel", "shipping", healthy=True, last_succeeded=now - HOUR),
            _integration("Ledger", "accounting", healthy=False, last_succeeded=now - 9 * DAY),
        ],
        now=now - 7 * HOUR,
    )
    _settle(account, now - 7 * HOUR)
    return account


def _integration(name: str, category: str, **state: Any) -> IntegrationState:
    return IntegrationState(name=name, category=category, **state)


def others(now: datetime) -> None:
    """One that is ready, one of which little is known, and two that nothing is known of."""
    ready = Account.objects.create(external_id="spice-route")
    _learned(ready, _source(ready, now), {"Order": 900, "Customer": 40}, now - 9 * DAY)
    _learned(ready, ready.sources.get(), {"Order": 905, "Customer": 41}, now - 5 * HOUR)
    little = Account.objects.create(external_id="harbour-lines")
    source = _source(little, now)
    for label in ("Voyage", "Container", "Port"):
        Table.objects.create(account=little, source=source, name=label.lower(), label=label)
    _learned(little, source, {"Voyage": 12}, now - 2 * DAY)
    Account.objects.create(external_id="just-signed-up")
    Account.objects.create(external_id="=cmd|' /C calc'!A0")


def support() -> User:
    """Somebody of the support desk, who looks at everything and may ask."""
    user = User.objects.create_user("sam", first_name="Sam", password="sesame", is_staff=True)
    rooms = ("facts", "specs", "activities")
    looks = Permission.objects.filter(
        codename__startswith="view_", content_type__app_label__in=rooms
    )
    user.user_permissions.set([*looks, Permission.objects.get(codename="request_fact")])
    return user


def _source(account: Account, now: datetime) -> Source:
    path = Path("/nowhere") / f"{account.pk}.sqlite"
    source = Source.objects.create(
        account=account, encrypted_url=encrypted(f"sqlite:///{path}"), reflected_at=now - 28 * DAY
    )
    Ledger.objects.filter(source=source).update(credit=88.5, credited_at=now)
    hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    for past in range(6):
        Spending.objects.create(
            account=account,
            source=source,
            hour=hour - past * HOUR,
            seconds=1.5 * past,
            checks=4,
            failures=past % 2,
        )
    heartbeat.beat(heartbeat.QUEUE, now=timezone.now())
    return source


def _learned(account: Account, source: Source, counts: dict[str, int], now: datetime) -> None:
    for label, count in counts.items():
        table, _ = Table.objects.get_or_create(
            account=account, source=source, name=label.lower(), label=label
        )
        check, _ = Check.objects.get_or_create(
            account=account, source=source, table=table, kind=Check.Kind.TABLE
        )
        ref = Ref.of("data", "label", label)
        observe(account, ref, {"count": count}, now=now)
        account.facts.at(ref).update(settled_by=check)
        Check.objects.filter(pk=check.pk).update(
            last_checked=now, due_at=now + 4 * DAY + count * timedelta(seconds=40)
        )
        for key, (filled, of) in FILLS.items():
            if key.startswith(f"{label}|"):
                value = {"filled": filled, "count": of, "fill": round(filled / of, 4)}
                observe(account, f"data:fill:{key}", value, now=now)
        for key, (reached, of) in HOPS.items():
            if key.startswith(f"{label}|"):
                value = {"reached": reached, "count": of, "coverage": round(reached / of, 4)}
                observe(account, f"data:hop:{key}", value, now=now)
    _settle(account, now)


def _ask_questions(account: Account, at: datetime) -> None:
    queries = [f"SELECT count(*) FROM {label}" for label in ("Order",) * 6 + ("Shipment",) * 3]
    queries += ["SELECT count(*) FROM Invoice"] * 2
    runs = [RunQuery(account.external_id, query, "sqlite", True) for query in queries]
    take(account, runs, now=at)


def _settle(account: Account, now: datetime) -> None:
    derivations.wake("catalogue", now=now, account=account)
    derivations.settle(account, clock=lambda: now)
