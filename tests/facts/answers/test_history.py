from datetime import UTC, datetime, timedelta

import pytest

from facts.admin.charts import evidence_chart
from facts.answers.history import SAMPLES, Counted, course

START = datetime(2026, 3, 2, tzinfo=UTC)
END = START + timedelta(days=59)  # a sample a day


def day(number):
    return START + timedelta(days=number)


def test_the_course_is_the_trust_of_each_moment():
    found = course(
        [Counted(day(10), "confirmed", "a"), Counted(day(24), "refuted")], start=START, end=END
    )

    assert len(found.numbers) == SAMPLES
    assert found.numbers[9] is None
    assert found.numbers[10] == pytest.approx(5 / 6)
    assert found.numbers[23] < found.numbers[10]
    assert found.numbers[24] == pytest.approx(4.5 / (5 + 0.5 + 1))
    assert found.numbers[26] == pytest.approx((4 + 2 ** (-16 / 14)) / (5 + 2 ** (-16 / 14) + 0.5))
    assert (found.count("confirmed"), found.count("refuted")) == (1, 1)


def test_a_confirmation_of_another_query_starts_anew():
    lines = [Counted(day(number), "confirmed", "a") for number in range(10)]

    found = course([*lines, Counted(day(20), "confirmed", "b")], start=START, end=END)

    assert found.numbers[20] == pytest.approx(5 / 6)


def test_what_was_before_the_span_bears_on_it_and_is_no_event_of_it():
    found = course([Counted(day(-14), "confirmed", "a")], start=START, end=END)

    assert found.numbers[0] == pytest.approx(4.5 / 5.5)
    assert found.events == ()


def test_the_chart_says_in_words_what_it_draws_and_holds_no_style_or_script():
    found = course(
        [Counted(day(10), "confirmed", "a"), Counted(day(24), "refuted")], start=START, end=END
    )

    drawn = evidence_chart(found, believed=0.8)

    assert 'aria-label="Trust 0.' in drawn
    assert "1 confirmed and 1 refuted since 2026-03-02" in drawn
    assert drawn.count("evidence-confirmed") == drawn.count("evidence-refuted") == 1
    assert "style=" not in drawn
    assert "<script" not in drawn
