"""Each boundary of the rules, to the microsecond. Monday is 2026-03-02T09:00:00Z."""

from datetime import UTC, datetime, timedelta

import pytest

from activities import inference
from activities.rules import WINDOW
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


def test_a_pause_of_exactly_thirty_minutes_is_one_session(diary):
    diary.did("alice", "refund", MONDAY, MONDAY + 30 * MINUTE)

    assert diary.sessions("alice") == [(MONDAY, MONDAY + 30 * MINUTE, "refund")]


def test_a_microsecond_more_makes_it_two(diary):
    diary.did("alice", "refund", MONDAY, MONDAY + 30 * MINUTE + MICROSECOND)

    assert [first for first, _, _ in diary.sessions("alice")] == [
        MONDAY,
        MONDAY + 30 * MINUTE + MICROSECOND,
    ]


def test_the_pause_is_measured_between_events_whatever_verbs_share_the_minute(diary):
    """At 09:30 reply comes exactly 30 minutes after, refund half a second later: one session."""
    diary.did("alice", "refund", MONDAY)
    diary.did("alice", "refund", MONDAY + 30 * MINUTE + SECOND / 2)
    assert len(diary.sessions("alice")) == 2

    diary.did("alice", "reply", MONDAY + 30 * MINUTE)

    assert diary.sessions("alice") == [(MONDAY, MONDAY + 30 * MINUTE + SECOND / 2, "refund")]


def test_a_pause_is_measured_from_the_last_event_of_a_minute_and_not_from_its_first(diary):
    diary.did("alice", "refund", MONDAY, MONDAY + 50 * SECOND)
    diary.did("alice", "refund", MONDAY + 30 * MINUTE + 50 * SECOND)

    assert len(diary.sessions("alice")) == 1


def test_two_events_a_microsecond_apart_are_two_votes_where_the_minute_turns(diary):
    """Two minutes of invoicing outweigh one of refunding, though refunding ranks above it."""
    turn = MONDAY + MINUTE
    diary.did("alice", "invoice", turn - MICROSECOND, turn)
    diary.did("alice", "refund", turn + 5 * MINUTE)

    assert [verb for _, _, verb in diary.sessions("alice")] == ["invoice"]


def test_within_one_minute_they_are_one_vote_and_rank_decides(diary):
    diary.did("alice", "invoice", MONDAY, MONDAY + MINUTE - MICROSECOND)
    diary.did("alice", "refund", MONDAY + 5 * MINUTE)

    assert [verb for _, _, verb in diary.sessions("alice")] == ["refund"]


def test_two_actions_of_one_verb_in_one_minute_are_one_vote(diary):
    in_force(registry(["refund", "invoice"], send="invoice"))
    diary.did("alice", "invoice", MONDAY)
    diary.did("alice", "send", MONDAY + SECOND)
    diary.did("alice", "refund", MONDAY + MINUTE)

    assert [verb for _, _, verb in diary.sessions("alice")] == ["refund"]


def test_fifty_autosaves_in_a_minute_do_not_outvote_two_deliberate_acts(diary):
    diary.did("alice", "reply", *(MONDAY + SECOND * n for n in range(50)))
    diary.did("alice", "refund", MONDAY + 2 * MINUTE, MONDAY + 3 * MINUTE)

    assert [verb for _, _, verb in diary.sessions("alice")] == ["refund"]


def test_a_tie_goes_to_the_better_rank_whoever_came_first(diary):
    diary.did("alice", "reply", MONDAY)
    diary.did("alice", "invoice", MONDAY + MINUTE)
    assert [verb for _, _, verb in diary.sessions("alice")] == ["invoice"]

    in_force(registry(["reply", "invoice", "refund"]))

    assert [verb for _, _, verb in diary.sessions("alice")] == ["reply"]


def test_equal_stamps_are_one_instant_of_each_verb(diary):
    diary.did("alice", "refund", MONDAY, MONDAY)
    diary.did("alice", "invoice", MONDAY)
    diary.did("alice", "invoice", MONDAY + 31 * MINUTE)

    assert diary.sessions("alice") == [
        (MONDAY, MONDAY, "refund"),
        (MONDAY + 31 * MINUTE, MONDAY + 31 * MINUTE, "invoice"),
    ]


def test_navigation_neither_votes_nor_keeps_a_session_alive(diary):
    diary.did("alice", "open page", *(MONDAY + MINUTE * n for n in range(60)))
    diary.did("alice", "reply", MONDAY, MONDAY + 40 * MINUTE)

    assert diary.sessions("alice") == [
        (MONDAY, MONDAY, "reply"),
        (MONDAY + 40 * MINUTE, MONDAY + 40 * MINUTE, "reply"),
    ]


def test_a_day_turns_at_midnight_where_the_person_is(diary):
    """Three sessions around midnight in Kathmandu (18:15 UTC): two days there, one in UTC."""
    midnight = datetime(2026, 3, 2, 18, 15, tzinfo=UTC)
    diary.did("alice", "refund", midnight - 2 * HOUR, midnight - MICROSECOND, midnight + HOUR)
    assert diary.activities() == []

    diary.settle_in(zone="Asia/Kathmandu")

    assert diary.figures("alice", "refund")["days"] == 2


def test_a_session_belongs_to_the_day_of_its_first_event(diary):
    midnight = datetime(2026, 3, 3, tzinfo=UTC)
    diary.did("alice", "refund", midnight - MINUTE, midnight + MINUTE)
    diary.did("alice", "refund", midnight - 2 * HOUR, midnight - 4 * HOUR)

    assert diary.activities() == []  # three sessions, all of one day


def test_days_are_told_apart_where_the_clocks_change(diary):
    """On 2026-03-29 Berlin's midnights are at 23:00 and then at 22:00 UTC: that day has 23 hours.

    22:30 UTC is on the 28th before the change (23:30) and on the 30th after it (00:30).
    """
    diary.settle_in(zone="Europe/Berlin")
    before = datetime(2026, 3, 28, 22, 30, tzinfo=UTC)
    diary.did("alice", "refund", before, before + HOUR, before + DAY)

    assert diary.figures("alice", "refund", before + 2 * DAY)["days"] == 3


def test_the_repeated_hour_of_autumn_is_one_day(diary):
    """On 2026-11-01 New York shows 01:30 twice, at 05:30 and 06:30 UTC."""
    diary.settle_in(zone="UTC", zones={"alice": "America/New_York"})
    first = datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
    diary.did("alice", "refund", first, first + HOUR, first + 2 * HOUR)
    assert diary.activities(first + DAY) == []

    diary.did("alice", "refund", first - 2 * HOUR)  # 23:30 the evening before

    assert diary.figures("alice", "refund", first + DAY)["days"] == 2


@pytest.mark.parametrize(("age", "sessions"), [(WINDOW, 3), (WINDOW + MICROSECOND, None)])
def test_the_window_holds_a_session_exactly_720_hours_old_and_none_older(diary, age, sessions):
    diary.came_back_to("alice", "refund")

    assert diary.figures("alice", "refund", MONDAY + age).get("sessions") == sessions


def test_the_window_is_720_hours_where_the_clocks_change_too(diary):
    """30 calendar days back from 2026-04-01 in Berlin would be an hour more."""
    diary.settle_in(zone="Europe/Berlin")
    start = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    diary.came_back_to("alice", "refund", since=start)

    assert diary.activities(start + timedelta(hours=720)) == [("alice", "refund")]
    assert diary.activities(start + timedelta(hours=720, minutes=1)) == []


def test_a_session_across_the_windows_edge_counts_by_its_start(diary):
    """It starts a minute before the window and goes on for an hour inside it: it is out."""
    diary.came_back_to("alice", "refund", sessions=2, since=MONDAY + DAY)
    diary.did("alice", "refund", *(MONDAY + 20 * MINUTE * n for n in range(4)))

    assert diary.figures("alice", "refund", MONDAY + WINDOW)["sessions"] == 3
    assert diary.activities(MONDAY + WINDOW + MINUTE) == []


def test_no_event_at_or_after_the_moment_exists(diary):
    diary.came_back_to("alice", "refund")
    third = MONDAY + 2 * DAY

    assert diary.activities(third) == []
    assert diary.activities(third + MICROSECOND) == [("alice", "refund")]


def test_a_session_that_goes_on_is_judged_by_what_had_happened(diary):
    """By 09:02 two minutes of refunding; afterwards three of invoicing, which win the session."""
    diary.came_back_to("alice", "refund", sessions=2)
    third = MONDAY + 2 * DAY
    diary.did("alice", "refund", third, third + MINUTE)
    diary.did("alice", "invoice", *(third + MINUTE * n for n in (2, 3, 4)))

    assert diary.activities(third + 2 * MINUTE) == [("alice", "refund")]
    assert diary.activities(third + HOUR) == []
    tally = inference.tallies(diary.account, third + MINUTE + MICROSECOND)[0]
    assert (tally.sessions, tally.last) == (
        3,
        (third + MINUTE - datetime.fromtimestamp(0, UTC)) // MICROSECOND,
    )


def test_somebody_alone_is_compared_with_nothing(diary):
    diary.came_back_to("alice", "refund")

    assert diary.figures("alice", "refund") == {
        "sessions": 3,
        "days": 3,
        "others": 0,
        "colleagues": 0,
        "lift": "4/1",
    }


def test_colleagues_who_never_did_it_count_with_nothing(diary):
    diary.came_back_to("alice", "refund")
    for colleague in ("bob", "carol"):
        diary.did(colleague, "reply", MONDAY)

    assert diary.figures("alice", "refund") == {
        "sessions": 3,
        "days": 3,
        "others": 0,
        "colleagues": 2,
        "lift": "4/1",
    }


def test_colleagues_are_those_with_a_session_in_the_window(diary):
    diary.came_back_to("alice", "refund")
    diary.did("bob", "open page", MONDAY)  # navigation only
    diary.did("carol", "reply", LATER - WINDOW - HOUR)  # long ago

    assert diary.figures("alice", "refund")["colleagues"] == 0


def test_what_everybody_does_is_nobodys_activity(diary):
    for person in ("alice", "bob", "carol"):
        diary.came_back_to(person, "reply")

    assert diary.activities() == []


def test_a_machine_has_no_activities_and_is_nobodys_colleague(diary):
    diary.came_back_to("alice", "refund")
    diary.came_back_to("robot", "refund", sessions=9)
    assert diary.activities() == [("robot", "refund")]

    diary.settle_in(service=["robot"])

    assert diary.activities() == [("alice", "refund")]
    assert diary.figures("alice", "refund")["colleagues"] == 0


def test_events_that_come_late_by_days_are_simply_counted(diary):
    diary.did("alice", "refund", MONDAY, MONDAY + 2 * DAY)
    assert diary.activities() == []

    diary.did("alice", "refund", MONDAY + DAY)

    assert diary.figures("alice", "refund")["days"] == 3


def test_a_late_event_joins_the_sessions_on_both_sides_of_it(diary):
    diary.did("alice", "reply", MONDAY, MONDAY + 50 * MINUTE)
    assert len(diary.sessions("alice")) == 2

    diary.did("alice", "reply", MONDAY + 25 * MINUTE)

    assert diary.sessions("alice") == [(MONDAY, MONDAY + 50 * MINUTE, "reply")]


def test_the_same_events_again_change_nothing(diary):
    instants = [MONDAY + 7 * MINUTE * n for n in range(20)]
    first = diary.did("alice", "refund", *instants)
    sessions = diary.sessions("alice")

    again = diary.did("alice", "refund", *reversed(instants))

    assert (first.accepted, first.folded) == (20, 0)
    assert (again.accepted, again.folded, again.accounts) == (0, 20, set())
    assert diary.sessions("alice") == sessions


def test_two_accounts_with_the_same_persons_id_do_not_meet(diary):
    globex = Diary("globex")
    diary.did("alice", "refund", MONDAY, MONDAY + DAY)
    globex.did("alice", "refund", MONDAY + 2 * DAY)
    globex.came_back_to("bob", "refund", sessions=9)

    assert diary.activities() == []
    assert globex.activities() == [("bob", "refund")]
    assert globex.figures("bob", "refund")["colleagues"] == 1


def test_a_person_renamed_keeps_what_they_did(diary):
    diary.did("alice", "refund", MONDAY, MONDAY + DAY)
    alice = diary.person("alice")
    alice.external_id = "alice.b"
    alice.save()
    diary.did("alice.b", "refund", MONDAY + 2 * DAY)

    assert diary.activities() == [("alice.b", "refund")]


def test_an_action_mapped_otherwise_turns_what_was_done_before(diary):
    diary.came_back_to("alice", "reply")
    assert diary.activities() == [("alice", "reply")]

    in_force(registry(["refund", "invoice", "reply"], reply="invoice"))

    assert diary.activities() == [("alice", "invoice")]


def test_navigation_made_a_verb_counts_from_the_beginning(diary):
    diary.came_back_to("alice", "open page")
    assert diary.activities() == []

    in_force(registry(["refund", "browse"], **{"open page": "browse"}))

    assert diary.figures("alice", "browse")["sessions"] == 3


def test_a_verb_that_leaves_the_registry_takes_its_sessions_and_brings_them_back(diary):
    diary.came_back_to("alice", "reply", sessions=4)
    diary.did("alice", "refund", MONDAY + MINUTE)

    in_force(registry(["refund", "invoice"]))
    assert diary.activities() == []
    assert diary.sessions("alice") == [(MONDAY + MINUTE, MONDAY + MINUTE, "refund")]

    in_force(registry(["refund", "invoice", "reply"]))
    assert diary.figures("alice", "reply")["sessions"] == 3  # rank gives Monday's to refund
