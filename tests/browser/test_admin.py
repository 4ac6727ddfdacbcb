"""The admin under the site's policy: every kind of page, in both colour schemes."""

import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import expect

from facts.models import Fact
from specs import reviewing
from specs.models import SpecVersion
from tests.browser import shop
from tests.browser.conftest import NARROW, WIDE
from tests.specs.loaded import spec


@pytest.fixture
def pages(transactional_db):
    """Pages by the names of their pictures."""
    now = timezone.now()
    company = shop.trading_company(now)
    _in_review("returns")
    rollup = Fact.objects.get(account=company, kind="readiness")
    source = company.sources.get()
    version = SpecVersion.objects.get(spec="late-orders")
    return {
        "admin": "",
        "admin-accounts": "facts/account/",
        "admin-facts": "facts/fact/",
        "admin-fact": f"facts/fact/{rollup.pk}/change/",
        "admin-sources": "facts/source/",
        "admin-source": f"facts/source/{source.pk}/change/",
        "admin-source-add": "facts/source/add/",
        "admin-tables": "facts/table/",
        "admin-checks": "facts/check/",
        "admin-budget": "facts/ledger/",
        "admin-tokens": "facts/token/add/",
        "admin-specs": "specs/spec/",
        "admin-spec": f"specs/spec/late-orders/versions/{version.number}/",
        "admin-spec-edit": "specs/spec/late-orders/edit/",
        "admin-verbs": "activities/verb/",
        "admin-unmapped": "activities/unmappedname/",
        "admin-feedback": "activities/feedback/",
    }


# What Ken adds to the admin is without a fault of accessibility.
OURS = ("admin", "admin-facts", "admin-fact", "admin-budget", "admin-specs")


def test_every_kind_of_page_is_shown_under_the_policy(pages, page, look, axe):
    """That nothing on them breaks the policy is what ``page`` holds."""
    shown = page(User.objects.create_superuser("root"))
    for name, path in pages.items():
        answer = shown.goto(f"/admin/{path}")
        assert answer.status == 200, path
        if name in OURS:
            axe(shown)
        for width in (WIDE, NARROW):
            shown.set_viewport_size({"width": width, "height": 900})
            look(shown, name)
        shown.set_viewport_size({"width": WIDE, "height": 900})


def test_what_waits_leads_to_where_it_is_done(transactional_db, page):
    _in_review("returns")
    shown = page(User.objects.create_superuser("root"))
    shown.goto("/admin/")
    shown.get_by_role("link", name="1 spec in review").click()

    expect(shown).to_have_url(re.compile(r"/admin/specs/spec/\?state=in\-review$"))
    expect(shown.get_by_role("link", name="Returns")).to_be_visible()


def _in_review(name: str) -> None:
    now = timezone.now()
    draft = reviewing.save_draft(document=spec(name), author=shop.support(), now=now)
    reviewing.submit(draft, now=now)
