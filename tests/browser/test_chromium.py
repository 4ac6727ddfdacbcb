import pytest

from tests.browser import chromium
from tests.conftest import missing


def test_without_a_browser_its_tests_are_skipped_and_say_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.delenv("CI", raising=False)

    assert chromium.path() is None
    with pytest.raises(pytest.skip.Exception, match="apt-get install chromium"):
        missing(chromium.REASON)


def test_in_ci_a_missing_browser_is_a_failure(monkeypatch):
    monkeypatch.setenv("CI", "true")

    with pytest.raises(pytest.fail.Exception, match="no Chromium on this machine"):
        missing(chromium.REASON)


def test_another_browser_is_named_by_a_variable(monkeypatch, tmp_path):
    browser = tmp_path / "chromium-nightly"
    browser.touch(mode=0o755)
    monkeypatch.setenv("CHROMIUM", str(browser))

    assert chromium.path() == str(browser)
