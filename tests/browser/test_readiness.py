"""Support staff find an account that is not ready, see why, and ask for another look."""

import pytest
from django.utils import timezone

from facts.models import Account
from tests.browser import shop
from tests.browser.conftest import NARROW, WIDE


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def company(transactional_db, now):
    account = shop.trading_company(now)
    shop.others(now)
    return account


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_page_of_the_staff_is_readable(width, company, page, look, axe):
    shown = page(shop.support(), width=width)
    for name, path in [
        ("accounts", "/readiness/"),
        ("account", f"/readiness/{company.pk}/"),
        ("account-new", f"/readiness/{Account.objects.get(external_id='just-signed-up').pk}/"),
        ("explained", f"/readiness/{company.pk}/explain/?ref=account:readiness:overall"),
    ]:
        shown.goto(path)
        axe(shown)
        look(shown, name)
