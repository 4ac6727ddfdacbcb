"""Votes, sessions and the statement agree with the slow exact reference, whatever happens."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from activities import inference, rules, sessions, verbs, votes
from tests.activities import reference
from tests.activities.diary import Diary, in_force, registry
from tests.activities.reference import World

SETTINGS = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
PEOPLE = ["alice", "bob", "carol"]
VERBS = ["refund", "invoice", "reply"]
MORE = {"pay back": "refund", "open page": None}
START = datetime(2026, 3, 27, 22, 0, tzinfo=UTC)  # the clocks of Europe change on the 29th
ZONES = {"*": "Europe/Berlin", "bob": "America/New_York"}
names = (f"account {number}" for number in count())

offsets = st.builds(  # seconds that crowd around the edges of minutes, gaps and days
    lambda day, step, minute, second, micro: timedelta(
        days=day, minutes=30 * step + minute, seconds=second, microseconds=micro
    ),
    day=st.sampled_from([0, 1, 2, 3, 4, 30, 31]),
    step=st.sampled_from([0, 1, 2, 9, 10]),
    minute=st.integers(0, 2),
    second=st.sampled_from([0, 0, 1, 59]),
    micro=st.sampled_from([0, 0, 1, 999_999]),
)
who_does_what = st.one_of(  # people have habits, or nobody would reach the bar
    st.just(("alice", "refund")),
    st.just(("bob", "pay back")),
    st.just(("carol", "reply")),
    st.tuples(st.sampled_from(PEOPLE), st.sampled_from([*VERBS, *MORE])),
)
acts = st.lists(
    st.tuples(who_does_what, offsets).map(lambda act: (*act[0], START + act[1])),
    min_size=20,
    max_size=80,
)
verbs_or_none = st.sampled_from([*VERBS, None])
moments = st.integers(0, 60 * 24 * 35).map(lambda minutes: START + timedelta(minutes=minutes))


def found(account, as_of):
    return [
        {
            "person": tally.person,
            "verb": tally.verb,
            "sessions": tally.sessions,
            "days": tally.days,
            "others": tally.others,
            "colleagues": tally.colleagues,
            "lift": tally.lift,
            "first": rules.moment(tally.first),
            "last": rules.moment(tally.last),
        }
        for tally in inference.activities_at(account, as_of)
    ]


def true_sessions(world, acts, person):
    return sorted(
        (session["events"][0][0], session["events"][-1][0], session["verb"])
        for session in reference.sessions(world, acts, START + timedelta(days=99))
        if session["person"] == person
    )


@pytest.fixture
def world(db):
    """Clocks that change, two zones, a second action for a verb, navigation."""
    in_force(registry(VERBS, **MORE))
    return World(VERBS, {**{verb: verb for verb in VERBS}, **MORE}, ZONES)


def account_of(world):
    diary = Diary(next(names))
    diary.settle_in(zone=ZONES["*"], zones={"bob": ZONES["bob"]})
    return diary


def put_in_force(found, diary):
    verbs.replace(found, now=START)
    sessions.bring_up_to_date(diary.account)


@SETTINGS
@given(acts=acts, as_of=moments, order=st.randoms(use_true_random=False), pieces=st.integers(1, 5))
def test_in_whatever_order_and_pieces_events_come_the_reference_is_met(
    world, acts, as_of, order, pieces
):
    diary = account_of(world)
    twice = [*acts, *acts[:5]]
    events = [diary.event(*act) for act in order.sample(twice, len(twice))]
    for piece in range(pieces):
        votes.take(events[piece::pieces], now=as_of)

    for moment in (as_of, START + timedelta(days=5), START + timedelta(days=32)):
        activities = found(diary.account, moment)
        event(f"{len(activities)} activities")
        assert activities == reference.activities(world, acts, moment)
    for person in PEOPLE:
        assert diary.sessions(person) == true_sessions(world, acts, person)


@SETTINGS
@given(acts=acts, as_of=moments, action=st.sampled_from([*VERBS, *MORE]), verb=verbs_or_none)
def test_a_preview_and_a_new_registry_make_what_the_reference_makes_of_it(
    world, acts, as_of, action, verb
):
    diary = account_of(world)
    votes.take([diary.event(*act) for act in acts], now=as_of)
    before = verbs.current()
    other = replace(before.with_action(action, verb), verbs=tuple(reversed(VERBS)))
    changed = World(other.verbs, other.actions, ZONES)
    was, will = (
        {(a["person"], a["verb"]) for a in reference.activities(each, acts, as_of)}
        for each in (world, changed)
    )

    preview = verbs.preview(other, diary.account, now=as_of)

    assert {(c.person, c.verb) for c in preview if c.after} == will - was
    assert {(c.person, c.verb) for c in preview if c.before} == was - will
    put_in_force(other, diary)
    assert found(diary.account, as_of) == reference.activities(changed, acts, as_of)
    put_in_force(before, diary)
    assert found(diary.account, as_of) == reference.activities(world, acts, as_of)
