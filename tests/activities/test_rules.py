from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activities import rules
from activities.rules import Tally

ALICE = Tally(
    person="alice",
    verb="refund",
    rank=1,
    sessions=5,
    days=4,
    others=52,
    colleagues=24,
    first=0,
    last=1,
)


@pytest.mark.parametrize(
    ("mine", "others", "colleagues", "lift"),
    [
        (5, 52, 24, "36/19"),  # (5 + 1) / (52/24 + 1)
        (7, 24, 24, "4/1"),  # (7 + 1) / (1 + 1)
        (3, 0, 0, "4/1"),  # alone: the others' mean is 0
        (3, 0, 9, "4/1"),  # colleagues who never did it
        (3, 5, 3, "3/2"),  # 4 / (8/3): a float says 1.4999999999999998
    ],
)
def test_lift_compares_with_the_mean_of_the_colleagues(mine, others, colleagues, lift):
    tally = replace(ALICE, sessions=mine, others=others, colleagues=colleagues)

    assert rules.ratio(tally.lift) == lift


@pytest.mark.parametrize(
    ("sessions", "days", "others", "is_activity"),
    [
        (3, 2, 3, True),  # 4 / 2
        (2, 2, 0, False),  # two sessions are no habit
        (3, 1, 0, False),  # nor is one long afternoon
        (3, 2, 5, True),  # lift exactly 3/2
        (3, 2, 6, False),  # 4/3
    ],
)
def test_the_bar_wants_three_sessions_on_two_days_and_a_lift_of_three_halves(
    sessions, days, others, is_activity
):
    tally = replace(ALICE, sessions=sessions, days=days, others=others, colleagues=3)

    assert tally.is_activity is is_activity


@given(mine=st.integers(3, 10**6), others=st.integers(0, 10**9), colleagues=st.integers(0, 10**5))
def test_the_bar_is_the_comparison_in_whole_numbers(mine, others, colleagues):
    tally = replace(ALICE, sessions=mine, others=others, colleagues=colleagues)
    alone = colleagues == 0
    k, o = (1, 0) if alone else (colleagues, others)

    assert tally.is_activity is (2 * k * (mine + 1) >= 3 * (o + k))


def test_activities_stand_by_person_then_by_lift_sessions_and_rank():
    def tally(person, verb, rank, sessions, others):
        return replace(
            ALICE,
            person=person,
            verb=verb,
            rank=rank,
            sessions=sessions,
            others=others,
            colleagues=1,
        )

    found = [
        tally("bob", "reply", 3, 9, 0),
        tally("alice", "late", 4, 3, 1),  # lift 2
        tally("alice", "busy", 5, 7, 3),  # lift 2, more sessions
        tally("alice", "tied", 1, 3, 1),  # lift 2, the better rank
        tally("alice", "top", 6, 3, 0),  # lift 4
    ]

    assert [(t.person, t.verb) for t in rules.activities(found, [])] == [
        ("alice", "top"),
        ("alice", "busy"),
        ("alice", "tied"),
        ("alice", "late"),
        ("bob", "reply"),
    ]


def test_what_a_person_rejected_is_left_out_for_them_alone():
    bob = replace(ALICE, person="bob")

    assert rules.activities([ALICE, bob], [("alice", "refund")]) == [bob]


@given(st.datetimes(timezones=st.just(UTC)))
def test_an_instant_is_the_same_after_a_trip_through_microseconds(moment):
    assert rules.moment(rules.microseconds(moment)) == moment


def test_an_instant_counts_the_same_in_every_zone():
    east = timezone(timedelta(hours=5, minutes=45))

    assert rules.microseconds(datetime(2026, 3, 1, 5, 45, tzinfo=east)) == rules.microseconds(
        datetime(2026, 3, 1, tzinfo=UTC)
    )


@pytest.mark.parametrize(
    ("verb", "title"),
    [
        ("hand_over", "Hand over"),
        ("refunding", "Refunding"),
        ("work-on_it", "Work on it"),
        ("Late orders", "Late orders"),
        ("_", "_"),
        ("émettre", "Émettre"),
    ],
)
def test_a_verb_without_a_title_is_called_by_its_name(verb, title):
    assert rules.title_of(verb) == title


def test_a_lift_is_printed_as_a_fraction_a_whole_one_too():
    assert rules.ratio(Fraction(4)) == "4/1"
    assert rules.ratio(Fraction(72, 38)) == "36/19"
