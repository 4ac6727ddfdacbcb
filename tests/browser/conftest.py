"""The site in a real browser: who is logged in, in which colours, on how wide a screen.

    def test_a_person_reads_the_page(page, live, look, axe):
        shown = page(alice.user)
        shown.goto(f"{live}/me/")
        axe(shown)
        look(shown, "what-i-work-on")

These fixtures last as long as the tests of this folder and no longer: while Playwright runs, its
event loop runs in the thread of the tests, where async code of other tests could not run.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.test.testcases import LiveServerThread
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser import chromium
from tests.conftest import ROOT, missing

SHOTS = ROOT / ".shots"
WIDE, NARROW = 1280, 360  # CSS pixels
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
PATIENCE = 30_000  # milliseconds; a loaded machine is slow
WCAG_2_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder."""
    program = chromium.path() or missing(chromium.REASON)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Django takes Playwright's loop for a sign that it is called from async code.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        opened = playwright.chromium.launch(
            executable_path=program, headless=True, args=chromium.FLAGS
        )
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def served() -> Iterator[str]:
    """The site in a thread, static files by whitenoise as in production; its address."""
    thread = LiveServerThread("localhost", static_handler=lambda application: application)
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    if thread.error:
        raise thread.error
    yield f"http://localhost:{thread.port}"
    thread.terminate()


@pytest.fixture
def live(served: str, transactional_db: None) -> str:
    """The address of the site, whose threads see what the test has written."""
    return served


@pytest.fixture
def page(browser: Browser, live: str) -> Iterator[Callable[..., Page]]:
    """Open pages: ``page(user, width=NARROW, scheme="dark")``, each in a context of its own.

    Without a user nobody is logged in. With ``scripts=False`` no script runs, axe no more than the
    page's own. A page whose script raises, or that breaks its content security policy, fails its
    test at the end.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def opened(
        user: User | None = None,
        *,
        width: int = WIDE,
        scheme: Literal["light", "dark"] = "light",
        scripts: bool = True,
    ) -> Page:
        context = browser.new_context(
            base_url=live,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if user is not None:
            context.add_cookies(
                [{"name": settings.SESSION_COOKIE_NAME, "value": _session(user), "url": live}]
            )
        shown = context.new_page()
        shown.on("pageerror", lambda error: faults.append(f"a script raised {error}"))
        shown.on(
            "console",
            lambda said: "Content Security Policy" in said.text and faults.append(said.text),
        )
        return shown

    yield opened
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


def _session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@pytest.fixture
def look() -> Callable[[Page, str], list[Path]]:
    """Store the page as it stands in both colour schemes, for people to look at.

    The pictures are ``.shots/<name>-<width>-<scheme>.png``, the whole length of the page. A page
    that has to be moved sideways fails.
    """

    def stored(shown: Page, name: str) -> list[Path]:
        assert re.fullmatch(r"[a-z0-9-]+", name), f"{name} is no file name"
        width = (shown.viewport_size or {"width": WIDE})["width"]
        assert shown.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider"
        taken = []
        for scheme in _in_each_scheme(shown):
            taken.append(SHOTS / f"{name}-{width}-{scheme}.png")
            shown.screenshot(path=taken[-1], full_page=True)
        return taken

    return stored


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """Assert that axe finds no violation of WCAG 2 at level AA, in either colour scheme."""
    checker = Axe()
    options = {
        "runOnly": {"type": "tag", "values": WCAG_2_AA},
        "resultTypes": ["violations"],
        "preload": False,  # else it writes what stylesheets import into the page, as inline style
    }

    def checked(shown: Page) -> None:
        assert shown.evaluate("matchMedia('(scripting: enabled)').matches"), "axe is a script"
        for scheme in _in_each_scheme(shown):
            found = checker.run(shown, options=options)
            assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"

    return checked


def _in_each_scheme(shown: Page) -> Iterator[str]:
    """Go through the colour schemes, and back to the one the page was in."""
    was_dark = shown.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for scheme in SCHEMES:
        shown.emulate_media(color_scheme=scheme)
        yield scheme
    shown.emulate_media(color_scheme=SCHEMES[was_dark])
