import pytest

from readiness.calibrating import Given
from readiness.reliability import Bin, bins, diagram


def test_a_bin_holds_its_start_and_the_last_one_its_end():
    figures = [0, 9.999, 10, 55, 99.9, 100]

    found = bins([Given(figure, figure > 50, 1) for figure in figures], top=100)

    assert [(one.low, one.count, one.right) for one in found if one.count] == [
        (0, 2, 0),
        (10, 1, 0),
        (50, 1, 1),
        (90, 2, 2),
    ]


def test_the_interval_is_wilsons():
    """Of 10 with 8 right, nine times in ten: 0.541 to 0.932 (by hand from the formula)."""
    low, high = Bin(0, 1, 10, 8).interval

    assert (low, high) == (pytest.approx(0.5408, abs=1e-3), pytest.approx(0.9315, abs=1e-3))
    assert Bin(0, 1, 0, 0).interval == (0, 1)
    assert Bin(0, 1, 5, 5).interval[1] == 1


def test_the_diagram_says_how_many_and_draws_no_bar_of_nothing():
    lines = diagram([Bin(0, 0.5, 0, 0), Bin(0.5, 1, 10, 8)], digits=2)

    assert lines[0].split() == ["0.00", "–", "0.50", "0", "–"]
    assert "80.0%" in lines[1]
    assert lines[1].count("█") == 22  # up to the interval's start
    assert lines[1].count("▒") == 10  # and on to the share
    assert lines[1].count("·") == 5
