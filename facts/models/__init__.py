"""The tables of the store, their constraints, and the querysets that read them.

Every table carries its account: it is the scope of every read and the shard key.
"""

from facts import ledgers  # noqa: F401  Django looks for an app's tables here
from facts.models.accounts import Account, Integration, Person, Token
from facts.models.answers import Answer, AnswerOutcome, AnswerQuerySet
from facts.models.checks import Check, Dependency, Heartbeat
from facts.models.facts import ABSENT, Fact, FactQuerySet, Observation
from facts.models.replies import Reply
from facts.models.sources import Source, Table

__all__ = [
    "ABSENT",
    "Account",
    "Answer",
    "AnswerOutcome",
    "AnswerQuerySet",
    "Check",
    "Dependency",
    "Fact",
    "FactQuerySet",
    "Heartbeat",
    "Integration",
    "Observation",
    "Person",
    "Reply",
    "Source",
    "Table",
    "Token",
]
