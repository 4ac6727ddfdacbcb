"""Logging in, with the keyboard alone."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from tests.browser.conftest import NARROW, WIDE


@pytest.fixture
def user(transactional_db, alice):
    alice.user = User.objects.create_user("alice", password="sesame")
    alice.save()
    return alice.user


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_somebody_logs_in_with_the_keyboard(width, user, page, look, axe):
    shown = page(width=width)
    shown.goto("/accounts/login/")
    axe(shown)
    look(shown, "log-in")

    shown.get_by_label("Username").focus()
    shown.keyboard.type("alice")
    shown.keyboard.press("Tab")
    shown.keyboard.type("sesame")
    shown.keyboard.press("Enter")

    shown.wait_for_url("**/me/")
    expect(shown.get_by_role("heading", level=1)).to_have_text("What I work on")


def test_a_page_is_opened_as_the_user_it_is_opened_for(user, page):
    shown, other = page(user, scheme="dark"), page()
    shown.goto("/me/")
    other.goto("/me/")

    expect(shown).to_have_url(re.compile(r"/me/$"))
    expect(other).to_have_url(re.compile(r"/accounts/login/\?next=/me/$"))
    assert shown.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert not other.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_person_changes_the_password_they_were_given_once(width, user, page, look, axe):
    shown = page(user, width=width)
    shown.goto("/me/")
    shown.get_by_role("link", name="Change password").click()
    shown.wait_for_url("**/accounts/password/")
    for label, text in (("Old", "wrong"), ("New password:", "1234"), ("confirmation", "1234")):
        shown.get_by_label(label).fill(text)
    shown.get_by_role("button", name="Change password").click()
    expect(shown.get_by_role("alert")).to_have_text("Your password was not changed.")
    axe(shown)
    look(shown, "change-password")

    longer = "a walk along the canal"
    for label, text in (("Old", "sesame"), ("New password:", longer), ("confirmation", longer)):
        shown.get_by_label(label).fill(text)
    shown.get_by_role("button", name="Change password").click()
    expect(shown.get_by_role("heading", level=1)).to_have_text("Password changed")
    axe(shown)
    look(shown, "password-changed")
    user.refresh_from_db()
    assert user.check_password(longer)
    shown.goto("/me/")
    expect(shown.get_by_role("heading", level=1)).to_have_text("What I work on")
