"""A schema that changes beneath answers: those that read a changed column are held back at once.

Marked when the catalogue is written, in its transaction, so that a lookup need not compare.
"""

from datetime import datetime
from typing import Any

from facts import signals, store
from facts.answers.analysis import Analysis
from facts.answers.schema import Schema, columns_digest
from facts.answers.schema_reading import schema_document
from facts.askers import DEPENDENCY
from facts.models import Account, Answer, Fact

_TELLING = ("properties", "hop")


def connect() -> None:
    """Listen to the store. Called once at start."""
    signals.observed.connect(hold_back, dispatch_uid="facts.answers.observed")


def hold_back(account: Account, facts: list[Fact], now: datetime, **_: Any) -> None:
    """Mark the answers whose columns are not what they were; somebody is asked to look.

    One query where no answer reads the labels of what changed. Answers are locked, so that whoever
    reads one by the old schema at this moment is marked after them.
    """
    labels = {
        name
        for fact in facts
        if fact.namespace == "data" and fact.kind in _TELLING
        for name in fact.ref.parts[:: 2 if fact.kind == "hop" else 1]
    }
    if not labels:
        return
    answers = Answer.objects.in_force().filter(
        account=account, labels__overlap=sorted(labels), schema_changed_at=None
    )
    standing = list(answers.order_by("pk").select_for_update(of=("self",), no_key=True))
    if not standing:
        return
    schema = Schema.from_document(schema_document(account))
    changed = [answer for answer in standing if answer.columns != _columns(answer, schema)]
    if changed:
        keys = [answer.pk for answer in changed]
        Answer.objects.filter(pk__in=keys).update(schema_changed_at=now)
        store.ask_again(account, [one.fact_id for one in changed], by=DEPENDENCY, now=now)


def _columns(answer: Answer, schema: Schema) -> str:
    return columns_digest(schema, Analysis.from_document(answer.analysis).reads)
