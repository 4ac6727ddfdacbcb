"""The specs that Ken brings for a trading company."""

from pathlib import Path

import pytest
from django.utils import timezone

import specs
from specs import loading
from specs.documents import parse, pretty

STARTER = Path(specs.__file__).parent / "starter"
FILES = sorted(STARTER.glob("*.json"))


def test_there_are_eight_each_in_the_file_of_its_name():
    assert [file.stem for file in FILES] == [
        "carrier-comparison",
        "invoice-reminders",
        "late-orders",
        "refunds",
        "repeat-customers",
        "stock-alerts",
        "supplier-scorecards",
        "territory-reports",
    ]
    assert [parse(file.read_text())["id"] for file in FILES] == [file.stem for file in FILES]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_is_written_as_ken_writes_specs(file):
    assert file.read_text() == pretty(parse(file.read_text()))


@pytest.mark.django_db
def test_they_can_be_put_in_force_together():
    versions = loading.load({file.name: file.read_text() for file in FILES}, now=timezone.now())
    assert [version.state for version in versions] == ["active"] * 8
