"""What all tests share: the given cases and data, and a few named accounts."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from facts.derivations import declaring
from facts.models import Account, Person
from tests.facts.derivations.deriving import Total

SHARED = Path(__file__).resolve().parents[2] / "shared"


def given(name: str) -> Path:
    """The path of a given file beside the checkout.

    Where it is missing the test is skipped, except in CI, which always has it: there it fails.
    """
    path = SHARED / name
    if not path.exists():
        reason = f"the given file {name} is not beside this checkout"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(name="given")
def given_fixture() -> Callable[[str], Path]:
    """``given`` as a fixture, for tests that name their file when they run."""
    return given


@pytest.fixture
def acme(db: None) -> Account:
    """The account most tests are about."""
    return Account.objects.create(external_id="acme")


@pytest.fixture
def globex(db: None) -> Account:
    """Another account, which must never show up in acme's."""
    return Account.objects.create(external_id="globex")


@pytest.fixture
def alice(acme: Account) -> Person:
    """Somebody in acme."""
    return Person.objects.create(account=acme, external_id="alice")


@pytest.fixture
def derived(monkeypatch: pytest.MonkeyPatch) -> Total:
    """The derivation ``total``, the only one in force."""
    monkeypatch.setattr(declaring, "_derivations", {})
    derivation = Total()
    derivation.register()
    return derivation
