"""When a check is due, and for which reason."""

from dataclasses import replace
from datetime import timedelta

import pytest

from facts.scheduling.due import ASKED, FLOOR, LAPSE, SHORTEST, WORTH, Stakes, due
from facts.worth import worth_after
from tests.facts.observing import DAY, MINUTE, NINE

# At this threshold a check is worth its cost after about three and a half days.
STAKES = Stakes(
    key=0, weight=1, cost=0.5, a=1, b=7, threshold=0.8, longest_wait=30, last_checked=NINE
)


def test_a_check_is_due_when_it_has_become_worth_its_cost() -> None:
    days = worth_after(STAKES.terms, 0.8)
    assert 3.5 < days < 3.6
    assert due(STAKES, now=NINE) == (NINE + days * DAY, WORTH)


def test_weight_brings_it_forward() -> None:
    at, because = due(replace(STAKES, weight=4), now=NINE)
    assert (at < due(STAKES, now=NINE)[0], because) == (True, WORTH)


def test_what_is_not_worth_its_cost_is_due_at_the_latest() -> None:
    assert due(replace(STAKES, threshold=1e9), now=NINE) == (NINE + 30 * DAY, FLOOR)


def test_nothing_is_due_within_the_hour_however_much_budget_there_is() -> None:
    assert due(replace(STAKES, threshold=0), now=NINE) == (NINE + SHORTEST, WORTH)
    assert due(replace(STAKES, longest_wait=0.001), now=NINE) == (NINE + SHORTEST, FLOOR)


def test_a_check_is_due_at_the_latest_when_trust_lapses() -> None:
    tomorrow = NINE + DAY
    assert due(replace(STAKES, lapses_at=tomorrow), now=NINE) == (tomorrow, LAPSE)
    later = replace(STAKES, lapses_at=NINE + 20 * DAY)
    assert due(later, now=NINE) == due(STAKES, now=NINE)


def test_a_question_for_what_was_never_measured_is_due_at_once() -> None:
    asked = replace(STAKES, asked_at=NINE + 5 * SHORTEST)
    assert due(asked, now=NINE + DAY) == (NINE + 5 * SHORTEST, ASKED)


@pytest.mark.parametrize("reason", ["lapses_at", "asked_at"])
def test_what_the_last_check_could_not_measure_waits_an_hour(reason: str) -> None:
    at, _ = due(replace(STAKES, **{reason: NINE + MINUTE}), now=NINE)
    assert at == NINE + SHORTEST


def test_a_last_check_in_the_future_counts_as_just_made() -> None:
    ahead = replace(STAKES, last_checked=NINE + 400 * DAY)
    assert due(ahead, now=NINE) == due(STAKES, now=NINE)


def test_checks_learned_together_reach_their_latest_moments_apart() -> None:
    worthless = [replace(STAKES, threshold=1e9, key=key) for key in range(50)]
    moments = {due(stakes, now=NINE)[0] for stakes in worthless}
    assert len(moments) == 50
    assert min(moments) >= NINE + 27 * DAY
    assert max(moments) <= NINE + 30 * DAY + timedelta(0)
