"""What the product tells of an account, as staff tell it: integrations and the plan."""

import pytest
from django.contrib.auth.models import Permission, User
from playwright.sync_api import expect

from facts.intake import IntegrationState, set_integrations, set_plan
from facts.models import Account
from tests.browser.conftest import NARROW, WIDE
from tests.facts.observing import NINE

MAY = ["view_account", "set_plan", "view_fact", "view_integration", "change_integration"]


@pytest.fixture
def operator(transactional_db):
    """Who may tell of integrations and plans; groups don't outlive a flushed database."""
    user = User.objects.create_user("olivia", is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(content_type__app_label="facts", codename__in=MAY)
    )
    return user


@pytest.fixture
def acme(transactional_db):
    account = Account.objects.create(external_id="acme")
    states = [
        IntegrationState(name=name, category=category, healthy=healthy, last_succeeded=NINE)
        for name, category, healthy in [
            ("dhl", "shipping", True),
            ("ups", "shipping", False),
            ("stripe", "payment", True),
        ]
    ]
    set_integrations(account, states, now=NINE)
    set_plan(account, ["exports", "late-orders", "reports"], now=NINE)
    return account


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_an_operator_tells_that_an_integration_works_again(page, look, axe, operator, width):
    shown = page(operator, width=width)
    shown.goto("/admin/facts/integration/")
    look(shown, "integrations")

    shown.get_by_role("link", name="ups").click()
    axe(shown)
    look(shown, "an-integration")
    shown.get_by_label("Works").check()
    shown.get_by_role("button", name="Save", exact=True).click()

    shown.wait_for_url("**/integration/")
    expect(shown.get_by_role("row", name="ups").locator(".badge")).to_have_text("works")


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_an_operator_sets_the_plan_from_the_accounts_page(page, look, axe, operator, width):
    shown = page(operator, width=width)
    shown.goto(f"/admin/facts/account/{Account.objects.get().pk}/change/")
    axe(shown)
    look(shown, "an-account")

    shown.get_by_role("link", name="Set the plan").click()
    axe(shown)
    look(shown, "a-plan")
    shown.get_by_label("Features").fill("exports\nrefunds")
    shown.get_by_role("button", name="Save").click()

    shown.wait_for_url("**/change/")
    expect(shown.get_by_role("link", name="exports, refunds")).to_be_visible()
