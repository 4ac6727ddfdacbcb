"""What a version would say of every account, beside what the version in force says today.

Both are judged on the same stored facts. Nothing is stored and nothing is requested.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from facts.models import Account, Fact
from facts.refs import Ref
from specs.evidence import refs_of, view
from specs.judging import FactView, JudgedNeed, Judgement, Verdict, judge
from specs.models import SpecVersion
from specs.needs import read

ACCOUNTS_A_QUERY = 500

_FROM_BAD_TO_GOOD = (Verdict.NOT_READY, Verdict.UNKNOWN, Verdict.ALMOST_READY, Verdict.READY)


@dataclass(frozen=True, slots=True)
class Change:
    """An account whose verdict would be another one, and the needs that make it so.

    ``before`` is None where no version is in force. ``decides`` are the needs that keep the account
    from being ready and do not today, ``no_longer`` those that do today.
    """

    account: str
    before: Verdict | None
    after: Verdict
    decides: tuple[JudgedNeed, ...]
    no_longer: tuple[JudgedNeed, ...]


@dataclass(slots=True)
class DryRun:
    """What a version would do to all accounts."""

    accounts: int = 0
    before: Counter[Verdict] = field(default_factory=Counter)
    after: Counter[Verdict] = field(default_factory=Counter)
    requests: int = 0  # facts it would request, over all accounts
    new_requests: int = 0  # of them, those that the version in force does not
    changes: list[Change] = field(default_factory=list)  # those that lose most first

    @property
    def table(self) -> list[tuple[Verdict, int, int]]:
        """Each verdict with its accounts today and then."""
        return [
            (verdict, self.before[verdict], self.after[verdict])
            for verdict in reversed(_FROM_BAD_TO_GOOD)
        ]


def dry_run(version: SpecVersion, *, now: datetime) -> DryRun:
    """Judge every account by ``version`` and by the one in force: two queries for 500 accounts."""
    new = read(version.said)
    active = SpecVersion.objects.active().filter(spec=version.spec_id).first()
    old = read(active.said) if active else None
    result = DryRun()
    refs = refs_of([*new, *(old or ())])
    for account, facts in _facts_of_all(refs, now=now):
        _add(result, account, judge(new, facts), judge(old, facts) if old else None)
    result.changes.sort(key=_loss)
    return result


def _facts_of_all(
    refs: Sequence[Ref], *, now: datetime
) -> Iterator[tuple[Account, dict[Ref, FactView]]]:
    """Every account with what is stored of it at ``refs``."""
    after = 0
    while accounts := list(Account.objects.filter(pk__gt=after).order_by("pk")[:ACCOUNTS_A_QUERY]):
        after = accounts[-1].pk
        found: dict[int, dict[Ref, FactView]] = {account.pk: {} for account in accounts}
        for fact in Fact.objects.filter(account__in=found).at(*refs):
            found[fact.account_id][fact.ref] = view(fact, now=now)
        for account in accounts:
            yield account, found[account.pk]


def _add(result: DryRun, account: Account, after: Judgement, before: Judgement | None) -> None:
    result.accounts += 1
    result.after[after.verdict] += 1
    result.requests += len(after.asks)
    result.new_requests += len(set(after.asks) - set(before.asks if before else ()))
    if before:
        result.before[before.verdict] += 1
    if before is None or before.verdict != after.verdict:
        result.changes.append(_change(account, after, before))


def _change(account: Account, after: Judgement, before: Judgement | None) -> Change:
    then, today = after.deciding, before.deciding if before else ()
    return Change(
        account.external_id,
        before.verdict if before else None,
        after.verdict,
        tuple(_without(then, today)),
        tuple(_without(today, then)),
    )


def _without(needs: Iterable[JudgedNeed], others: Iterable[JudgedNeed]) -> Iterator[JudgedNeed]:
    known = [(other.need, other.state) for other in others]
    return (judged for judged in needs if (judged.need, judged.state) not in known)


def _loss(change: Change) -> tuple[int, int, str]:
    """Sorts what falls furthest first."""
    place = _FROM_BAD_TO_GOOD.index
    fall = place(change.before) - place(change.after) if change.before else 0
    return -fall, place(change.after), change.account
