"""A shop that was learned, and short ways to ask, propose and tell outcomes in it."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from facts.answers.asking import Question
from facts.answers.looking_up import Looked, look_up
from facts.answers.outcomes import Recorded, record_outcome
from facts.answers.proposing import Proposal, Proposed, propose
from facts.answers.reviewing import who_is
from facts.answers.who import Who
from facts.models import Account, Answer, Source
from facts.probing.layout import Column, Layout, Relation
from facts.probing.reflection import Catalogue
from facts.probing.registering import register_catalogue
from facts.probing.standing import Standing
from tests.facts.observing import DAY, MINUTE, NINE

ASSISTANT = Who(name="assistant")
AUDITOR = Who(name="auditor")
OTHER = Who(name="other")
ALICE = Who(name="person:1", is_person=True)
LATER = NINE + MINUTE

ORDERS = Layout(
    schema="public",
    name="orders",
    key=("id",),
    columns=(
        Column("id", "integer"),
        Column("status", "text"),
        Column("placed_at", "timestamp"),
        Column("total", "number"),
        Column("deleted_at", "timestamp"),
        Column("carrier_id", "integer"),
        Column("customer_id", "integer"),
        Column("secret_token", "text"),
    ),
    relations=(
        Relation(("carrier_id",), "public", "carriers", ("id",), "orders_carrier_fkey"),
        Relation(("customer_id",), "public", "customers", ("id",), "orders_customer_fkey"),
    ),
)
CARRIERS = Layout(
    schema="public",
    name="carriers",
    key=("id",),
    columns=(Column("id", "integer"), Column("name", "text"), Column("country", "text")),
)
CUSTOMERS = Layout(
    schema="public",
    name="customers",
    key=("id",),
    columns=(Column("id", "integer"), Column("name", "text"), Column("region", "text")),
)
TABLES = (ORDERS, CARRIERS, CUSTOMERS)

LATE_ORDERS: dict[str, Any] = {
    "text": "Which orders are late?",
    "things": [],
    "constraints": [
        {"label": "Order", "op": "rows"},
        {"label": "Order", "property": "status", "op": "=", "value": "late"},
    ],
}
LATE = "SELECT id FROM orders WHERE status = 'late'"
LATE_AND_THERE = f"{LATE} AND deleted_at IS NULL"


def learn(account: Account, tables: tuple[Layout, ...] = TABLES, *, now: datetime = NINE) -> Source:
    """Write the catalogue of the account's one source, as a reflection does."""
    source, _ = Source.objects.get_or_create(account=account, defaults={"encrypted_url": "-"})
    register_catalogue(
        source,
        Catalogue(tables, "public"),
        backend="postgresql",
        standing=Standing.of_account(account),
        measured_from=now,
        now=now,
    )
    return source


def without(layout: Layout, column: str) -> Layout:
    """The table with a column dropped."""
    return replace(layout, columns=tuple(one for one in layout.columns if one.name != column))


def retyped(layout: Layout, column: str, type: str) -> Layout:
    """The table with a column of another type."""
    return replace(
        layout,
        columns=tuple(
            replace(one, type=type) if one.name == column else one for one in layout.columns
        ),
    )


def late(value: str = "late", **more: Any) -> dict[str, Any]:
    """The question for orders of a status."""
    shape, status = LATE_ORDERS["constraints"]
    return {**LATE_ORDERS, "constraints": [shape, {**status, "value": value}], **more}


def offer(
    account: Account,
    *,
    question: dict[str, Any] = LATE_ORDERS,
    query: str = LATE,
    who: Who = ASSISTANT,
    now: datetime = NINE,
    **more: Any,
) -> Proposed:
    """Propose an answer."""
    proposal = Proposal.from_document({"question": question, "query": query, **more})
    return propose(account, proposal, who=who, now=now)


def ask(
    account: Account,
    question: dict[str, Any] = LATE_ORDERS,
    *,
    who: Who = ASSISTANT,
    now: datetime = LATER,
) -> Looked:
    """Look an answer up."""
    return look_up(account, Question.from_document(question), who=who, now=now)


def tell(
    answer: Answer,
    outcome: str = "confirmed",
    *,
    who: Who = AUDITOR,
    now: datetime = LATER,
    **more: Any,
) -> Recorded:
    """Tell what became of an answer."""
    return record_outcome(answer.account, answer.pk, outcome, who=who, now=now, **more)


def proven(account: Account, *, now: datetime = NINE, **offered: Any) -> Answer:
    """An answer that an auditor confirmed right after it was proposed."""
    answer = offer(account, now=now, **offered).answer
    tell(answer, now=now)
    return stood(answer)


def stood(answer: Answer) -> Answer:
    """The answer and its fact as their rows stand."""
    return Answer.objects.select_related("fact", "account").get(pk=answer.pk)


def after(days: float) -> datetime:
    """So many days after nine o'clock."""
    return NINE + timedelta(days=days)


def staff(username: str = "sue") -> tuple[User, Who]:
    """A member of staff, and who they are."""
    user = User.objects.create_user(username, is_staff=True)
    return user, who_is(user)


__all__ = ["DAY", "MINUTE", "NINE"]
