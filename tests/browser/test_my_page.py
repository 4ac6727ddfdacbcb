"""A person sees what the assistant thinks of them, and corrects it."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import expect

from activities import people, verbs, votes
from activities.documents import Registry, Zones
from activities.events import Event
from activities.models import Feedback, Preferences
from activities.rules import microseconds
from facts.derivations import settle
from facts.models import Account
from tests.browser.conftest import NARROW, WIDE

TITLES = {"refund": "Refund handling", "onboard": "Supplier onboarding", "chase": "Late orders"}
DAY = timedelta(days=1)


@pytest.fixture
def ann(transactional_db):
    """Refunding often, onboarding and chasing sometimes; four colleagues do other things."""
    now = timezone.now()
    names = (*TITLES, "invoice")
    titles = {**TITLES, "invoice": "Invoicing"}
    verbs.replace(Registry(names, {name: name for name in names}, titles), now=now)
    people.load_zones({"trading-company": Zones("Europe/Amsterdam", {}, frozenset())}, now=now)
    days = {"refund": range(1, 9), "onboard": range(2, 7), "chase": range(3, 6)}
    events = [("ann", verb, now - DAY * day) for verb, on in days.items() for day in on]
    events = [(who, verb, at + timedelta(hours=names.index(verb))) for who, verb, at in events]
    colleagues = ("bob", "cleo", "dan", "edda")
    events += [(who, "invoice", now - DAY * day) for who in colleagues for day in range(1, 6)]
    events += [("bob", "refund", now - DAY * 2 - timedelta(hours=5))]
    votes.take(
        [Event("trading-company", who, verb, microseconds(at)) for who, verb, at in events],
        now=now,
    )
    account = Account.objects.get(external_id="trading-company")
    settle(account, clock=timezone.now)
    ann = account.people.get(external_id="ann")
    ann.user = User.objects.create_user("ann", first_name="Ann", password="sesame")
    ann.save()
    return ann


def test_the_page_is_readable_in_both_schemes_and_widths(ann, page, look, axe):
    shown = page(ann.user)
    shown.goto("/me/")
    shown.get_by_role("button", name="Hide Late orders for 30 days").click()
    shown.get_by_role("button", name="Supplier onboarding is not mine").click()
    for width in (WIDE, NARROW):
        shown.set_viewport_size({"width": width, "height": 900})
        shown.goto("/me/")
        axe(shown)
        look(shown, "what-i-work-on")


def test_a_refusal_is_readable_beside_the_field(ann, page, look, axe):
    shown = page(ann.user)
    shown.goto("/me/")
    field = shown.get_by_label("What your assistant should know")
    field.fill("Mail ann@example.com first")
    shown.get_by_role("button", name="Keep this").click()

    expect(field).to_have_value("Mail ann@example.com first")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(re.compile("looks like an e-mail address"))
    axe(shown)
    look(shown, "preferences-refused")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_person_corrects_what_is_thought_of_them(scripts, ann, page):
    shown = page(scripts=scripts)
    shown.goto("/")
    shown.get_by_label("Username").fill("ann")
    shown.get_by_label("Password").fill("sesame")
    shown.get_by_role("button", name="Log in").click()
    shown.wait_for_url("**/me/")
    reason = "8 sessions on 8 days, 7.2 times as often as your colleagues."  # 9 : (1/4 + 1)
    expect(shown.get_by_text(reason)).to_be_visible()
    told = shown.locator(".told")
    assert told.inner_text().startswith("Works on: Refund handling, Supplier onboarding, Late")

    shown.get_by_role("button", name="Refund handling is not mine").click()
    assert "“Refund handling” is not yours" in shown.locator(".messagelist").inner_text()
    assert told.inner_text().startswith("Works on: Supplier onboarding, Late orders.")
    assert Feedback.objects.get().kind == "not-mine"

    shown.get_by_role("button", name="Take back that Refund handling is not mine").click()
    expect(shown.get_by_text(reason)).to_be_visible()
    assert told.inner_text().startswith("Works on: Refund handling, Supplier onboarding, Late")

    shown.get_by_label("What your assistant should know").fill("Short answers, please.")
    shown.get_by_role("button", name="Keep this").click()
    assert Preferences.objects.get().text == "Short answers, please."


def test_the_colours_are_the_readers_choice(ann, page):
    shown = page(ann.user)
    shown.goto("/me/")
    background = "getComputedStyle(document.body).backgroundColor"
    light = shown.evaluate(background)
    shown.get_by_role("button", name="Toggle theme").click()
    assert shown.evaluate(background) != light
    shown.reload()
    assert shown.evaluate(background) != light


def test_somebody_tied_to_nobody_is_told_what_to_do(transactional_db, page, look, axe):
    shown = page(User.objects.create_user("stranger"))
    shown.goto("/me/")
    axe(shown)
    look(shown, "what-i-work-on-nobody")
    expect(shown.get_by_text("Please ask support to tie it")).to_be_visible()
