"""What was read, as the values of facts."""

from datetime import date
from decimal import Decimal

import pytest

from facts.probing import values


def test_a_label_is_a_count() -> None:
    assert values.label(830, 1.0) == {"count": 830}


def test_a_sampled_label_is_what_the_sample_stands_for_to_three_figures() -> None:
    assert values.label(49_871, 0.004) == {"count": 12_500_000, "sampled": 0.004}


def test_a_fill_is_rounded_to_four_places() -> None:
    assert values.fill(829, 830, 1.0) == {"filled": 829, "count": 830, "fill": 0.9988}


def test_no_rows_have_no_share() -> None:
    assert values.fill(0, 0, 1.0)["fill"] is None
    assert values.hop(0, 0, 1.0) == {"reached": 0, "count": 0, "coverage": None}


def test_a_hop_reaches_no_more_rows_than_there_were() -> None:
    assert values.hop(831, 830, 1.0) == {"reached": 830, "count": 830, "coverage": 1.0}


@pytest.mark.parametrize(
    ("value", "type", "kept"),
    [
        ("open", "text", "open"),
        (5, "text", "5"),
        (b"\x00", "text", None),
        ("a\0b", "text", None),
        ("broken \ufffd", "text", None),
        (3, "integer", 3),
        (Decimal(3), "integer", 3),
        (2.5, "integer", None),
        (float("nan"), "integer", None),
        ("Ann", "integer", None),
        (True, "integer", None),
        (Decimal("4.99"), "number", 4.99),
        (Decimal("NaN"), "number", None),
        (Decimal("Infinity"), "number", None),
        ("Ann", "number", None),
        (True, "boolean", True),
        (1, "boolean", True),
        ("f", "boolean", False),
        ("Ann", "boolean", None),
        ("2024-05-01", "date", "2024-05-01"),
        (date(2024, 5, 1), "date", "2024-05-01"),
        ("infinity", "date", None),
        ("0044-03-15 BC", "date", "0044-03-15 BC"),
        ("Ann", "date", None),
        ("2024-05-01 10:00:00+00", "timestamp", "2024-05-01 10:00:00+00"),
        (20240501, "timestamp", None),
        ("09:30:00", "time", "09:30:00"),
        (["a", "b"], "array", ["a", "b"]),
        (["a", None], "array", None),
        ("{a,b}", "array", None),
    ],
)
def test_a_value_is_what_its_columns_type_says_or_nothing(
    value: object, type: str, kept: object
) -> None:
    found = values.plain(value, type)
    assert (found, found.__class__) == (kept, kept.__class__)
