from datetime import date, timedelta

from readiness.charts import chart
from readiness.rollup import Level
from readiness.trend import DayLevel

MARCH = date(2026, 3, 1)


def on(day, level, number=None):
    return DayLevel(MARCH + timedelta(days=day - 1), Level(level), number)


def drawn(*days):
    """Ten days of March in a box of 100 by 102: a day is 10 wide, a percent 1 high."""
    return chart(days, since=MARCH, until=MARCH + timedelta(days=9), width=100, height=102)


def test_a_number_is_held_until_the_next_day_that_has_one():
    found = drawn(on(1, "almost-ready", 50), on(4, "ready", 90))

    # 50 % stands at 101 - 50, 90 % at 101 - 90; the fourth day begins at 30
    assert found.numbered == "M0.0 51.0H30.0V11.0H100.0"
    assert found.unready == ""


def test_a_day_that_was_not_ready_has_no_number_and_runs_along_the_bottom():
    found = drawn(on(1, "ready", 100), on(3, "not-ready"), on(6, "almost-ready", 40))

    assert found.numbered == "M0.0 1.0H20.0M50.0 61.0H100.0"
    assert found.unready == "M20.0 101.0H50.0"


def test_nothing_is_drawn_before_the_first_level():
    assert drawn(on(9, "ready", 80)).numbered == "M80.0 21.0H100.0"
    assert (drawn().numbered, drawn().unready) == ("", "")


def test_a_chart_says_in_words_what_it_shows():
    assert drawn().words == "No level in the last 10 days"
    assert drawn(on(2, "not-ready"), on(5, "ready", 92)).words == (
        "not-ready on 2 March, ready 92% now"
    )
    assert drawn(on(2, "ready", 92)).words == "ready 92% for all that is known of the last 10 days"
