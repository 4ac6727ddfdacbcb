"""What all tests share: the given cases and data, and a few named accounts."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from facts.derivations import declaring
from facts.models import Account, Person
from tests.facts.derivations.deriving import Total

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def missing(reason: str) -> NoReturn:
    """Skip the test for what this machine lacks, except in CI, which has it all: there it fails."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def given(name: str) -> Path:
    """The path of a given file beside the checkout; where it is missing, ``missing``."""
    path = SHARED / name
    if not path.exists():
        missing(f"the given file {name} is not beside this checkout")
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
