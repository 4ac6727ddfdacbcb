"""Answers that programs and people gave to questions of the rich account, and what became of them.

One is proven, one a person vouches for, one of those a program doubts, one is believed, one was
wrong, one was put right by a person, and one waits for somebody to look at it.
"""

from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Max

from facts.answers.locking import ref_of
from facts.answers.looking_up import look_up
from facts.answers.outcomes import record_outcome
from facts.answers.proposing import Proposal, propose
from facts.answers.reviewing import verify
from facts.answers.who import Who
from facts.models import Account, Answer, Observation
from readiness.demo.logins import SUPPORT


class _Asked(NamedTuple):
    text: str
    label: str
    measure: tuple[str, str | None]  # what is wanted of the label, and of which property
    where: tuple[str, Any]  # a property and its value
    query: str

    def proposal(self, query: str = "") -> Proposal:
        """This question, with its query or another."""
        name, value = self.where
        op, of = self.measure
        wanted = {"label": self.label, "op": op} | ({} if of is None else {"property": of})
        where = {"label": self.label, "property": name, "op": "=", "value": value}
        document = {"text": self.text, "constraints": [wanted, where]}
        return Proposal.from_document({"question": document, "query": query or self.query})


_ROWS, _COUNT = ("rows", None), ("count", None)
_ASKED = {
    "on-hold": _Asked(
        "How many orders are on hold?",
        "Order",
        _COUNT,
        ("status", "on hold"),
        "SELECT count(*) FROM larkspur.orders WHERE status = 'on hold'",
    ),
    "overdue": _Asked(
        "Which invoices are overdue?",
        "Invoice",
        _ROWS,
        ("status", "overdue"),
        "SELECT id, amount, due_at FROM larkspur.invoices WHERE status = 'overdue'",
    ),
    "late-refunds": _Asked(
        "What do refunds for lateness come to?",
        "Refund",
        ("sum", "amount"),
        ("reason", "late"),
        "SELECT sum(amount) FROM larkspur.refunds WHERE reason = 'late'",
    ),
    "damaged": _Asked(
        "How many refunds were for damaged goods?",
        "Refund",
        _COUNT,
        ("reason", "damaged"),
        "SELECT count(*) FROM larkspur.refunds WHERE reason = 'damaged'",
    ),
    "rush": _Asked(
        "Which orders are in a rush?",
        "Order",
        _ROWS,
        ("priority", "rush"),
        "SELECT id, ordered_at FROM larkspur.orders WHERE priority = 'rush'",
    ),
    "open-tickets": _Asked(
        "How many questions of customers are open?",
        "SupportTicket",
        _COUNT,
        ("state", "open"),
        "SELECT count(*) FROM larkspur.support_tickets WHERE state = 'open'",
    ),
    "partners": _Asked(
        "How many orders came through partners?",
        "Order",
        _COUNT,
        ("channel", "partner"),
        "SELECT count(*) FROM larkspur.orders WHERE channel = 'partner'",
    ),
}
_WRONG = "SELECT count(*) FROM larkspur.support_tickets WHERE state = 'open' AND topic = 'delivery'"

_ACTS: dict[int, tuple[tuple[str, str, str], ...]] = {  # by days ago: act, question, who
    10: (
        *(("propose", asked, "planner") for asked in ("on-hold", "overdue", "damaged", "rush")),
        ("confirmed", "on-hold", "report-builder"),
        ("confirmed", "overdue", "report-builder"),
        ("confirmed", "rush", "report-builder"),
    ),
    8: (
        ("propose", "late-refunds", "planner"),
        ("confirmed", "late-refunds", "report-builder"),
        ("confirmed", "on-hold", "auditor"),
        ("confirmed", "overdue", "auditor"),
        ("verify", "late-refunds", SUPPORT),
    ),
    4: (
        ("propose wrong", "open-tickets", "planner"),
        ("confirmed", "on-hold", "report-builder"),
        ("confirmed", "damaged", "auditor"),
        ("refuted", "rush", "auditor"),
        ("verify", "overdue", SUPPORT),
    ),
    3: (
        *(("look up", asked, "assistant") for asked in ("on-hold", "overdue", "damaged")),
        *(("look up", "on-hold", "assistant") for _time in range(4)),
    ),
    2: (
        *(("look up", asked, "assistant") for asked in ("on-hold", "overdue", "rush")),
        ("propose", "open-tickets", SUPPORT),
        ("confirmed", "on-hold", "auditor"),
        ("refuted", "late-refunds", "auditor"),
    ),
    1: (
        ("propose", "partners", "planner"),
        *(("look up", asked, "assistant") for asked in ("overdue", "overdue", "on-hold")),
    ),
}
DAYS_AGO = tuple(_ACTS)


def act(account: Account, days_ago: int, *, now: datetime) -> bool:
    """Let happen what was said of answers on one day; false where that day is known already."""
    newest = Observation.objects.filter(fact__answers__account=account).aggregate(at=Max("last_at"))
    if newest["at"] is not None and newest["at"] >= now:
        return False
    for what, asked, name in _ACTS[days_ago]:
        _act(account, what, _ASKED[asked], name, now=now)
    return True


def _act(account: Account, what: str, asked: _Asked, name: str, *, now: datetime) -> None:
    is_person = name == SUPPORT
    who = Who(name=f"staff:{name}" if is_person else name, is_person=is_person)
    if what.startswith("propose"):
        query = _WRONG if what.endswith("wrong") else ""
        propose(account, asked.proposal(query), who=who, now=now)
        return
    question = asked.proposal().question
    if what == "look up":
        look_up(account, question, who=who, now=now)
        return
    ref = ref_of(account, question)
    answer = Answer.objects.in_force().get(account=account, fact__key=ref.key)
    if what == "verify":
        verify(account, answer.pk, user=User.objects.get(username=SUPPORT), now=now)
    else:
        record_outcome(account, answer.pk, what, who=who, now=now)
