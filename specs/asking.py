"""Judging an account now, and asking for what is not known: the preview that somebody asked for.

The stored verdict is the derivation's (``fitting``); nothing here writes one.
"""

from datetime import datetime

from facts import store
from facts.models import Account
from specs.evidence import of_account
from specs.judging import Judgement, judge
from specs.needs import asker_of, read
from specs.reviewing import in_force


def preview(spec_id: str, account: Account, *, now: datetime) -> Judgement:
    """What the spec in force says of an account, in two queries; nothing is stored or requested.

    Raises UnknownSpec.
    """
    needs = read(in_force(spec_id).document)
    return judge(needs, of_account(account, needs, now=now))


def judge_and_ask(spec_id: str, account: Account, *, now: datetime) -> Judgement:
    """The same, and the facts that would settle what is unknown or stale are requested.

    Raises UnknownSpec.
    """
    judgement = preview(spec_id, account, now=now)
    ask(account, spec_id, judgement, now=now)
    return judgement


def ask(account: Account, spec_id: str, judgement: Judgement, *, now: datetime) -> None:
    """Request what a judgement asks for. The same spec's wishes of one day are one line a fact."""
    store.request_many(account, judgement.asks, by=asker_of(spec_id), now=now)
