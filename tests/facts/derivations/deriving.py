"""A small derivation to try the framework on, and short ways to change, run and look at it.

``total`` sums the counts of an account's labels into ``account:total:records``. What a test wants
to happen in the middle of a run it puts into ``while_building`` or ``while_reading``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Thread
from typing import Any

from django.db import connection

from facts import derivations, owners
from facts.derivations import Derivation, Missing, Outcome, Reading, Target
from facts.derivations.dependencies import reads_of
from facts.models import Account, Check, Fact
from facts.refs import Ref
from tests.facts.observing import NINE, observe

TOTAL = Ref.parse("account:total:records")
LABELS = "data:label:"


@dataclass
class Total:
    """The derivation, what it did, and what is to happen while it does it."""

    builds: list[dict[str, Any]] = field(default_factory=list)
    missing: tuple[Ref, ...] | None = None
    wanted: float = 0
    while_reading: Callable[[], None] = lambda: None
    while_building: Callable[[], None] = lambda: None
    result: Callable[[dict[str, Any]], Any] | None = None

    def inputs(self, target: Target, reading: Reading) -> dict[str, Any] | Missing:
        facts = reading.under(LABELS)
        self.while_reading()
        if self.missing is not None:
            return Missing(self.missing)
        return {"counts": {fact.key: fact.value and fact.value.get("count") for fact in facts}}

    def build(self, inputs: dict[str, Any]) -> dict[tuple[str | None, Ref], Any]:
        self.builds.append(inputs)
        self.while_building()
        if self.result is not None:
            return self.result(inputs)
        return {(None, TOTAL): {"records": sum(filter(None, inputs["counts"].values()))}}

    def declared(self, **changes: Any) -> Derivation:
        declared = Derivation(
            name="total",
            version="1",
            owner="totals",
            targets=lambda account: [""],
            inputs=self.inputs,
            build=self.build,
            demand=lambda target: self.wanted,
            target_of=lambda ref, person: "" if ref == TOTAL else None,
        )
        return replace(declared, **changes)

    def register(self, **changes: Any) -> None:
        """Put the derivation in force, with other code than before where ``changes`` say so."""
        owners.register("account", "total", observer="totals")
        owners.register("user", "total", observer="totals")
        derivations.unregister("total")
        derivations.register(self.declared(**changes))


def target_in(account: Account, derivation: str = "total", target: str = "") -> Check:
    """The target as its row stands, made if it is not there."""
    derivations.sync_targets(account, now=NINE, derivation=derivation)
    return Check.objects.get(account=account, derivation=derivation, target=target)


def run(account: Account, *, now: datetime = NINE, derivation: str = "total") -> str:
    """Run the account's one target of a derivation, due or not."""
    return str(derivations.run(target_in(account, derivation), now=now))


def is_due(account: Account, *, now: datetime, derivation: str = "total") -> bool:
    due_at = target_in(account, derivation).due_at
    return due_at is not None and due_at <= now


def rests_on(target: Check) -> set[tuple[str, int | None]]:
    """What a target is known to rest on: refs or prefixes, and whose."""
    return reads_of([target])[target.pk]


def total(account: Account) -> Fact | None:
    """The derived fact as its row stands."""
    return account.facts.at(TOTAL).first()


def count(account: Account, label: str, records: int, *, now: datetime = NINE, **measured: Any):
    """Observe how many records a label has."""
    return observe(account, Ref.of("data", "label", label), {"count": records}, now=now, **measured)


def meanwhile(act: Callable[[], Any]) -> None:
    """Do something on a connection of its own and wait until it is done and committed."""
    failures: list[BaseException] = []

    def work() -> None:
        try:
            act()
        except BaseException as failure:  # noqa: BLE001 - told by the thread that waits
            failures.append(failure)
        finally:
            connection.close()

    thread = Thread(target=work)
    thread.start()
    thread.join()
    for failure in failures:
        raise failure


def build_from_orders(account: Account) -> None:
    count(account, "Order", 830)
    count(account, "Carrier", 3)
    assert run(account) == Outcome.BUILT
