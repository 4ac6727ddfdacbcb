"""The page to try the API: everything from the site itself, under its content security policy."""

import pytest

from tests.facts.observing import observe
from tests.facts.program import program


@pytest.fixture
def docs(page, live):
    """The page, open, and every address it asked for."""
    shown, asked = page(), []
    shown.on("request", lambda request: asked.append(request.url))

    answer = shown.goto(f"{live}/api/v1/docs")
    policy = answer.headers["content-security-policy"]  # its parts come in no order
    assert "script-src 'self';" in f"{policy};"
    shown.get_by_role("heading", name="Ken").wait_for()
    return shown, asked


def test_it_loads_from_the_site_alone_and_shows_every_operation(docs, live):
    shown, asked = docs

    assert [url for url in asked if not url.startswith((live, "data:"))] == []
    assert shown.locator(".opblock").count() >= 40


def test_an_operation_is_tried_with_a_token(docs, acme):
    observe(acme)
    shown, _ = docs
    shown.get_by_role("button", name="Authorize").first.click()
    field = shown.get_by_label("auth-bearer-value")
    field.fill(program(acme).text)
    field.press("Enter")
    shown.get_by_role("button", name="Close").first.click()

    operation = shown.locator("#operations-facts-get_fact")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table .response-col_description code").first
    answer.wait_for()

    assert '"ref": "data:label:Order"' in answer.inner_text()
