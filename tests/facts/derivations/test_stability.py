"""Inputs come from what is stored: a clock, chance or the environment in them is found here."""

import os
import random
from datetime import date, datetime

import pytest
from django.utils import timezone

from facts import derivations
from facts.derivations import Target
from tests.facts.derivations.deriving import count
from tests.facts.derivations.stability import unstable_parts


@pytest.fixture
def shop(acme):
    """Acme with something in it for every derivation to read."""
    count(acme, "Order", 830)
    count(acme, "Carrier", 3)
    return acme


def test_no_derivation_reads_inputs_from_elsewhere(shop, monkeypatch, tmp_path):
    found = {
        (derivation.name, name): unstable_parts(
            derivation, Target(shop, name), monkeypatch=monkeypatch, tmp_path=tmp_path
        )
        for derivation in derivations.registered()
        for name in derivation.targets(shop)
    }
    assert {place: parts for place, parts in found.items() if parts} == {}
    assert ("catalogue", "") in found


@pytest.mark.parametrize(
    "elsewhere",
    [
        timezone.now,
        lambda: str(date.today()),  # noqa: DTZ011
        lambda: datetime.now().isoformat(),  # noqa: DTZ005
        lambda: os.environ.get("PATH"),
        lambda: str(os.getcwd()),
        random.random,
    ],
)
def test_what_comes_from_elsewhere_is_found(shop, derived, elsewhere, monkeypatch, tmp_path):
    declared = derived.declared(inputs=lambda target, reading: {"data": 1, "part": elsewhere()})
    target = Target(shop)
    assert unstable_parts(declared, target, monkeypatch=monkeypatch, tmp_path=tmp_path) == ["part"]


def test_what_reading_now_chooses_is_stable(shop, derived, monkeypatch, tmp_path):
    declared = derived.declared(inputs=lambda target, reading: {"year": reading.now.year})
    assert unstable_parts(declared, Target(shop), monkeypatch=monkeypatch, tmp_path=tmp_path) == []
