"""The review of answers: their list, and the page that shows one beside its question."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone
from playwright.sync_api import expect

from facts.answers.reviewing import verify
from tests.browser.conftest import NARROW, WIDE
from tests.facts.answers.shop import (
    ASSISTANT,
    AUDITOR,
    LATE,
    LATE_AND_THERE,
    OTHER,
    ask,
    late,
    learn,
    offer,
    proven,
    tell,
)

UPS = {
    "text": "Which orders of UPS that were placed in the last 30 days are late?",
    "things": [{"kind": "Carrier", "identity": "UPS"}],
    "constraints": [
        {"label": "Order", "op": "rows"},
        {"label": "Order", "property": "status", "op": "=", "value": "late"},
        {"label": "Carrier", "property": "name", "op": "=", "value": "UPS"},
        {"label": "Order", "property": "placedAt", "op": ">=", "value": {"rel": "-30d"}},
    ],
}
QUERY = """SELECT o.id
FROM orders AS o
JOIN carriers AS c ON c.id = o.carrier_id
WHERE o.status = 'late'
  AND c.name = 'UPS'
  AND o.placed_at >= now() - INTERVAL '30 days'
  AND o.deleted_at IS NULL"""


@pytest.fixture
def sue(transactional_db):
    user = User.objects.create_user("sue", is_staff=True)
    may = ["view_answer", "view_account", "view_fact", "verify_answer", "retire_answer"]
    user.user_permissions.set(Permission.objects.filter(codename__in=may))
    return user


@pytest.fixture
def answers(acme, sue):
    """Answers with a past: confirmed over weeks, contested, refuted, unproven."""
    learn(acme)
    now = timezone.now()

    def ago(days):
        return now - timedelta(days=days)

    long = proven(acme, question=UPS, query=QUERY, now=ago(60))
    for days in (52, 44, 37, 30, 22, 15, 9, 3):
        tell(long, who=AUDITOR, now=ago(days))
    tell(long, "refuted", who=OTHER, now=ago(26))
    for days in range(12):
        ask(acme, UPS, now=ago(days))
    contested = proven(acme, question=late(text="Late orders?"), query=LATE_AND_THERE, now=ago(20))
    verify(acme, contested.pk, user=sue, now=ago(18))
    tell(contested, "refuted", who=ASSISTANT, now=ago(2))
    wrong = proven(acme, now=ago(12))
    tell(wrong, "refuted", who=OTHER, now=ago(1))
    offer(
        acme,
        question=late("open", text="Which orders are open?"),
        query=LATE.replace("late", "open"),
        now=ago(0),
    )
    return long


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_list_and_the_page_of_an_answer_are_readable(width, answers, page, look, axe):
    shown = page(User.objects.get(username="sue"), width=width)
    shown.goto("/admin/facts/answer/")
    axe(shown)
    look(shown, "answers")

    shown.goto(f"/admin/facts/answer/{answers.pk}/change/")
    axe(shown)
    look(shown, "answer")


def test_somebody_verifies_an_answer_from_its_page(sue, answers, page):
    shown = page(sue)
    shown.goto(f"/admin/facts/answer/{answers.pk}/change/")

    shown.get_by_role("button", name="Verify").click()

    expect(shown.locator(".messagelist")).to_have_text("Verified.")
    expect(shown.locator(".badge", has_text="verified")).to_have_count(1)
    expect(shown.get_by_role("button", name="Withdraw")).to_have_count(1)
