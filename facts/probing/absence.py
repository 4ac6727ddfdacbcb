"""What is not there: said only when all of an account's sources have been looked through."""

from collections.abc import Iterable

from facts.models import Account, Table
from facts.probing.layout import Layout
from facts.probing.probe import refs_of
from facts.probing.standing import ABSENT, Standing
from facts.refs import Ref
from facts.store import Measurement


def absent(account: Account, standing: Standing) -> list[Measurement]:
    """That the facts which have no object behind them are of nothing.

    None as long as one of the account's sources was never reflected whole or can't be reached: what
    is asked for may be there. A fact that is known to be of nothing is only said again to answer
    somebody who asked. Two queries.
    """
    if account.sources.filter(reflected_at=None).union(account.sources.exclude(failure="")):
        return []
    tables = Table.objects.filter(account=account, gone_at=None)
    there = refs_there(Layout.of_plain(table.structure) for table in tables.only("structure"))
    return [
        Measurement(ref=ref, version=stand.version, value=ABSENT)
        for ref, stand in sorted(standing.items())
        if ref not in there and (stand.is_open or not stand.is_absent)
    ]


def refs_there(layouts: Iterable[Layout]) -> set[Ref]:
    """Every ref of the probe's that has an object behind it."""
    there: set[Ref] = set()
    for layout in layouts:
        there.add(properties_ref(layout))
        there.update(ref for refs in refs_of(layout).values() for ref in refs)
    return there


def properties_ref(layout: Layout) -> Ref:
    """``data:properties:Order``"""
    return Ref.of("data", "properties", layout.label)
