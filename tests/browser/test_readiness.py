"""Support staff find an account that is not ready, see why, and ask for another look."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from facts.models import Account, Observation
from tests.browser import shop
from tests.browser.conftest import NARROW, WIDE


@pytest.fixture
def company(transactional_db):
    now = timezone.now()
    account = shop.trading_company(now)
    shop.others(now)
    return account


def test_every_page_of_the_staff_is_readable_in_both_schemes_and_widths(company, page, look, axe):
    new = Account.objects.get(external_id="just-signed-up")
    shown = page(shop.support())
    for name, path in [
        ("accounts", "/readiness/"),
        ("accounts-none-found", "/readiness/?search=nobody"),
        ("account", f"/readiness/{company.pk}/"),
        ("account-new", f"/readiness/{new.pk}/"),
        ("explained", f"/readiness/{company.pk}/explain/?ref=account:readiness:overall"),
    ]:
        shown.goto(path)
        for width in (WIDE, NARROW):
            shown.set_viewport_size({"width": width, "height": 900})
            axe(shown)
            look(shown, name)


def test_from_login_to_another_look_with_scripts(company, page):
    user = shop.support()
    shown = page()
    shown.goto("/")
    shown.get_by_label("Username").fill(user.username)
    shown.get_by_label("Password").fill("sesame")
    shown.get_by_role("button", name="Log in").click()
    shown.wait_for_url("**/readiness/")
    expect(shown.get_by_role("row")).to_have_count(1 + 5)

    shown.get_by_label("Account", exact=True).fill("trad")
    shown.get_by_text("1 account", exact=True).wait_for()
    assert "search=trad" in shown.url
    shown.get_by_role("link", name="ready 0", exact=True).click()
    shown.get_by_text("is ready").wait_for()
    shown.get_by_role("link", name="almost-ready 1").click()
    shown.get_by_role("link", name="trading-company").click()

    shown.get_by_role("heading", level=1, name="trading-company").wait_for()
    assert_effect_of_a_wish(shown)


def test_the_same_without_scripts(company, page):
    shown = page(shop.support(), scripts=False)
    shown.goto("/readiness/")
    shown.get_by_label("Account", exact=True).fill("trad")
    shown.get_by_role("button", name="Search").click()
    shown.get_by_role("link", name="almost-ready 1").click()
    shown.get_by_role("link", name="trading-company").click()

    assert_effect_of_a_wish(shown)


def assert_effect_of_a_wish(shown):
    shown.get_by_role("button", name="Check Shipment again").click()
    said = shown.locator(".messagelist").inner_text()
    assert said.startswith("Asked for data:label:Shipment to be measured.")
    (line,) = Observation.objects.filter(by="staff:sam", outcome="requested")
    assert line.fact.key == "Shipment"

    shown.get_by_role("link", name="Shipment", exact=True).first.click()
    shown.get_by_text("staff:sam").wait_for()  # the fact's history


def test_the_list_is_sorted_and_exported(company, page):
    shown = page(shop.support())
    shown.goto("/readiness/")
    shown.get_by_role("link", name="Account", exact=True).click()
    shown.wait_for_url("**order=account")
    shown.get_by_role("link", name="Account", exact=True).click()
    shown.wait_for_url("**order=-account")
    first = shown.get_by_role("row").nth(1)
    first.get_by_role("link", name="trading-company").wait_for()

    with shown.expect_download() as download:
        shown.get_by_role("link", name="Export as CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert [line.split(",")[0] for line in lines][1:3] == ["trading-company", "spice-route"]


def test_a_page_is_used_by_keyboard_alone(company, page):
    shown = page(shop.support())
    shown.goto("/readiness/")
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.textContent").strip() == "Skip to main content"
    shown.keyboard.press("Enter")
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.id") == "search"
    shown.keyboard.type("spice")
    shown.keyboard.press("Enter")
    shown.get_by_text("1 account", exact=True).wait_for()
    link = shown.get_by_role("link", name="spice-route")
    for _ in range(20):
        shown.keyboard.press("Tab")
        if link.evaluate("each => each === document.activeElement"):
            break
    shown.keyboard.press("Enter")
    shown.wait_for_url("**/readiness/*/")


def test_progress_follows_the_measuring_without_a_new_page(company, page):
    shown = page(shop.support())
    shown.clock.install()
    shown.goto(f"/readiness/{company.pk}/")
    waiting = shown.locator("#progress [role=status]")
    assert "7 checks due" in waiting.inner_text()

    company.sources.get().checks.update(due_at=None)
    shown.clock.fast_forward(6_000)

    shown.get_by_text("0 checks due").wait_for()
