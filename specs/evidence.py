"""The stored facts that specs rest on, as judging sees them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from facts.models import Account, Fact
from facts.refs import Ref
from facts.trust import Trust
from specs.judging import FactView
from specs.needs import Need


def refs_of(needs: Iterable[Need]) -> list[Ref]:
    """The refs that needs rest on, each once."""
    return list(dict.fromkeys(need.ref for need in needs if need.ref))


def view(fact: Fact, *, now: datetime) -> FactView:
    """What judging reads of a stored fact."""
    return FactView(
        value=fact.value,
        stale=fact.trust(now) is Trust.STALE,
        failure=fact.failure,
        refuted=fact.refuted,
    )


def of_account(account: Account, needs: Sequence[Need], *, now: datetime) -> dict[Ref, FactView]:
    """What is stored of one account, in one query."""
    facts = account.facts.at(*refs_of(needs))
    return {fact.ref: view(fact, now=now) for fact in facts}
