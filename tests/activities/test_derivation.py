"""Activities as derived facts: rebuilt when, and only when, something they rest on changes."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activities import derivation, feedback, reads, verbs
from activities.rules import HIDDEN_FOR, WINDOW
from facts import guard
from facts.derivations import Outcome, run
from facts.models import Check, Fact
from tests.activities.diary import (
    DAY,
    HOUR,
    LATER,
    MICROSECOND,
    MINUTE,
    MONDAY,
    SECOND,
    Diary,
    in_force,
    registry,
)


def check(diary):
    return Check.objects.get(account=diary.account, derivation="activities")


def settled(diary, now=LATER):
    """What a run of the account's target comes to."""
    return run(check(diary), now=now)


def stored(diary):
    return [(each.person, each.verb) for each in reads.activities_of(diary.account)]


def due(diary):
    return check(diary).due_at


def test_activities_are_stored_as_facts_of_their_people(diary):
    diary.came_back_to("alice", "refund")
    assert settled(diary) == Outcome.BUILT

    fact = Fact.objects.get(person__external_id="alice", namespace="user", kind="activity")
    assert (fact.key, fact.value) == (
        "refund",
        {
            "title": "Refund",
            "rank": 1,
            "sessions": 3,
            "days": 3,
            "others": 0,
            "colleagues": 0,
            "lift": "4/1",
            "first": "2026-03-02T09:00:00+00:00",
            "last": "2026-03-04T09:00:00+00:00",
        },
    )


def test_events_make_an_account_due_and_events_that_were_known_do_not(diary):
    diary.came_back_to("alice", "refund")
    settled(diary)
    assert due(diary) > LATER

    diary.came_back_to("alice", "refund")
    assert due(diary) > LATER

    diary.did("alice", "refund", MONDAY + HOUR)
    assert due(diary) == LATER


def test_an_account_without_news_is_confirmed_and_not_built(diary):
    diary.came_back_to("alice", "refund")
    settled(diary)

    assert settled(diary, LATER + MINUTE) == Outcome.CONFIRMED


def test_a_session_that_changes_no_count_is_no_reason_to_build(diary):
    diary.came_back_to("alice", "refund")
    diary.did("bob", "reply", MONDAY)
    settled(diary)

    diary.did("bob", "reply", MONDAY + DAY)

    assert settled(diary) == Outcome.CONFIRMED


@pytest.mark.parametrize(
    "change",
    [
        lambda diary: diary.did("alice", "refund", MONDAY + 5 * DAY),
        lambda diary: diary.did("bob", "reply", MONDAY),  # a colleague more
        lambda diary: in_force(registry(["refund", "reply"], refund="reply")),
        lambda diary: in_force(registry(["refund", "invoice", "reply"], more=None)),
        lambda diary: diary.settle_in(zone="Asia/Tokyo"),
        lambda diary: diary.settle_in(zones={"alice": "Asia/Tokyo"}),
        lambda diary: diary.settle_in(service=["alice"]),
    ],
    ids=["session", "colleague", "mapping", "version", "zone", "own zone", "machine"],
)
def test_each_of_the_inputs_makes_the_account_due_and_built_anew(diary, change):
    diary.came_back_to("alice", "refund")
    settled(diary)

    change(diary)

    assert due(diary) == LATER or due(diary) == MONDAY
    assert settled(diary) == Outcome.BUILT


def test_an_activity_appears_when_a_colleagues_sessions_leave_the_window(diary):
    """With two sessions of bob's the lift is 4/3, with one 2; nobody does anything meanwhile."""
    diary.came_back_to("alice", "refund", since=MONDAY + 10 * DAY)
    diary.came_back_to("bob", "refund", sessions=2)
    diary.did("bob", "reply", MONDAY + 10 * DAY)
    settled(diary)
    assert stored(diary) == []
    assert due(diary) == MONDAY + WINDOW + MICROSECOND

    assert settled(diary, due(diary)) == Outcome.BUILT

    assert stored(diary) == [("alice", "refund")]
    assert due(diary) == MONDAY + DAY + WINDOW + MICROSECOND


def test_an_idle_account_has_no_due_time(diary):
    diary.came_back_to("alice", "refund")
    end = MONDAY + 3 * DAY + WINDOW
    settled(diary, end)

    assert stored(diary) == []
    assert due(diary) is None


def test_the_end_of_a_hide_is_a_due_time(diary):
    diary.came_back_to("alice", "refund", since=LATER - 3 * DAY)
    diary.did("alice", "refund", LATER + 29 * DAY)
    given = LATER - 2 * DAY
    feedback.hide(diary.person("alice"), "refund", now=given)
    settled(diary, LATER + 28 * DAY - MINUTE)  # the last session of the three has just left

    assert due(diary) == given + HIDDEN_FOR


def test_an_event_by_a_clock_ahead_of_ours_counts_when_its_time_has_come(diary):
    diary.came_back_to("alice", "refund", sessions=2, since=LATER - 2 * DAY)
    diary.did("alice", "refund", LATER + 30 * SECOND)
    settled(diary)
    assert stored(diary) == []
    assert due(diary) == LATER + 30 * SECOND + MICROSECOND

    settled(diary, due(diary))

    assert stored(diary) == [("alice", "refund")]


def test_what_is_no_longer_an_activity_becomes_absent(diary):
    diary.came_back_to("alice", "refund")
    settled(diary)

    diary.settle_in(service=["alice"])
    settled(diary, LATER + MINUTE)

    assert Fact.objects.get(kind="activity").value == {"absent": True}
    assert stored(diary) == []


def test_sessions_left_behind_by_a_new_registry_are_renewed_before_they_are_counted(diary):
    diary.came_back_to("alice", "open page")
    verbs.replace(registry(["browse"], **{"open page": "browse"}), now=LATER)

    assert settled(diary) == Outcome.BUILT
    assert stored(diary) == [("alice", "browse")]


def test_accounts_do_not_wake_one_another(diary):
    globex = Diary("globex")
    globex.came_back_to("alice", "refund")
    diary.came_back_to("alice", "refund")
    settled(globex)
    settled(diary)

    diary.did("alice", "refund", LATER)

    assert due(diary) == LATER
    assert due(globex) > LATER


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_a_lift_is_spelled_so_that_the_guard_lets_it_by(numerator, denominator):
    lift = Fraction(numerator, denominator)

    text = derivation.spelled(lift)

    assert Fraction(text) == lift
    assert guard.text_reason(text) is None


def test_a_fraction_that_looks_like_a_persons_number_is_spelled_otherwise():
    assert guard.text_reason("163201/6122") == "person"
    assert derivation.spelled(Fraction(163201, 6122)) == "326402/12244"
