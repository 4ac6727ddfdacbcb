"""Law 13: verbs, not pages; one vote a minute; "not mine" is for ever."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from activities import derivation, feedback, reads, sessions, verbs
from activities.documents import Registry
from activities.errors import NothingToTakeBack, UnknownVerb
from activities.events import read
from activities.models import Feedback, Session, Verb, Vote
from activities.rules import HIDDEN_FOR
from facts import derivations
from facts.derivations import settle
from facts.models import Check
from readiness.reading import header_of
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


@pytest.fixture
def diary(db):
    in_force(registry(["refund", "reply"], **{"open page": None, "autosave": "reply"}))
    return Diary()


def works_on(diary, person="alice", *, now=LATER):
    """What is stored of somebody's activities once everything due is rebuilt."""
    settle(diary.account, clock=lambda: now)
    return [each.verb for each in reads.activities_of(diary.account, diary.person(person))]


def test_opening_pages_all_day_is_no_activity(diary):
    for day in range(9):
        diary.did("alice", "open page", *(MONDAY + DAY * day + MINUTE * n for n in range(300)))

    assert works_on(diary) == []


def test_fifty_autosaves_in_a_minute_are_one_vote(diary):
    for day in range(3):
        morning = MONDAY + DAY * day
        diary.did("alice", "autosave", *(morning + SECOND * n for n in range(50)))
        diary.did("alice", "refund", morning + MINUTE, morning + 2 * MINUTE)

    assert Vote.objects.filter(action__name="autosave").count() == 3
    assert works_on(diary) == ["refund"]


def test_acts_on_behalf_of_somebody_and_acts_of_machines_are_nobodys_activity(diary):
    """108 acts of an administrator in customers' names, 500 of a service account."""
    lines = [
        f'{{"account": "acme", "person": "admin", "on_behalf_of": "alice", "action": "refund",'
        f' "at": "{(MONDAY + HOUR * n).isoformat()}"}}'.encode()
        for n in range(108)
    ]
    found = read(lines, start=1, latest=2**62)
    assert (found.events, found.on_behalf, found.refused) == ([], 108, [])
    diary.did("robot", "refund", *(MONDAY + HOUR * n for n in range(500)))
    diary.settle_in(service=["robot"])
    diary.did("alice", "reply", MONDAY)

    settle(diary.account, clock=lambda: LATER)

    assert reads.activities_of(diary.account) == []


@pytest.fixture
def rejected(diary):
    """alice works on refunds and said that they are not hers."""
    diary.came_back_to("alice", "refund", sessions=5)
    assert works_on(diary) == ["refund"]
    feedback.reject(diary.person("alice"), "refund", now=LATER)
    return diary


def test_not_mine_takes_effect_before_it_answers(rejected):
    assert reads.activities_of(rejected.account) == []


def test_not_mine_is_gone_from_the_header_too_however_much_else_is_due(diary):
    diary.came_back_to("alice", "refund", sessions=5)
    for colleague in ("bob", "carol"):
        diary.came_back_to(colleague, "reply")
    alice = diary.person("alice")
    settle(diary.account, clock=lambda: LATER)
    assert header_of(diary.account, alice, now=LATER).startswith("Works on: Refund.")
    Check.objects.filter(account=diary.account).exclude(derivation="activities").exclude(
        target="alice"
    ).update(due_at=MONDAY)

    feedback.reject(alice, "refund", now=LATER + SECOND)

    assert "Refund" not in header_of(diary.account, alice, now=LATER + SECOND)
    others = Check.objects.filter(account=diary.account, target="bob")
    assert [each.due_at for each in others] == [MONDAY]


def test_not_mine_survives_inference_a_decade_later(rejected):
    later = LATER + 3_650 * DAY
    rejected.came_back_to("alice", "refund", sessions=20, since=later - 20 * DAY)

    assert rejected.figures("alice", "refund", later) == {}
    assert works_on(rejected, now=later) == []


def test_not_mine_survives_the_import_of_all_events_anew(rejected):
    Vote.objects.all().delete()
    Session.objects.all().delete()
    rejected.came_back_to("alice", "refund", sessions=5)

    assert works_on(rejected) == []


def test_not_mine_survives_a_registry_that_keeps_the_verb(rejected):
    in_force(registry(["reply", "refund"], pay="refund"))

    assert works_on(rejected) == []


def test_not_mine_survives_a_verb_that_goes_and_comes_back(rejected):
    in_force(Registry())
    in_force(registry(["refund"]))

    assert rejected.figures("alice", "refund") == {}
    assert works_on(rejected) == []


def test_not_mine_survives_a_new_version_of_the_code(rejected, monkeypatch):
    from dataclasses import replace

    derivations.unregister("activities")
    try:
        derivations.register(replace(derivation.ACTIVITIES, version="next"))
        assert works_on(rejected) == []
    finally:
        derivations.unregister("activities")
        derivations.register(derivation.ACTIVITIES)


def test_the_same_person_takes_not_mine_back(rejected):
    feedback.take_back(rejected.person("alice"), "refund", now=LATER + MINUTE)

    assert [each.verb for each in reads.activities_of(rejected.account)] == ["refund"]
    with pytest.raises(NothingToTakeBack):
        feedback.take_back(rejected.person("alice"), "refund", now=LATER + HOUR)


def test_what_was_taken_back_can_be_said_again(rejected):
    alice = rejected.person("alice")
    feedback.take_back(alice, "refund", now=LATER + MINUTE)
    feedback.reject(alice, "refund", now=LATER + HOUR)

    assert reads.activities_of(rejected.account) == []
    assert Feedback.objects.count() == 2


def test_saying_it_twice_is_saying_it_once(rejected):
    feedback.reject(rejected.person("alice"), "refund", now=LATER + DAY)

    assert list(Feedback.objects.values_list("kind", "at")) == [("not-mine", LATER)]
    alice, refund = rejected.person("alice"), Verb.objects.get(name="refund")
    with pytest.raises(IntegrityError), transaction.atomic():
        Feedback.objects.create(
            account=alice.account, person=alice, verb=refund, kind="not-mine", at=LATER
        )


def test_hide_lasts_thirty_times_24_hours_to_the_microsecond(diary):
    diary.came_back_to("alice", "refund", sessions=5, since=LATER + 20 * DAY)
    diary.came_back_to("alice", "refund", sessions=5)
    alice = diary.person("alice")
    feedback.hide(alice, "refund", now=LATER)
    end = LATER + HIDDEN_FOR

    assert diary.figures("alice", "refund", LATER) == {}
    assert diary.figures("alice", "refund", end - MICROSECOND) == {}
    assert diary.figures("alice", "refund", end)["sessions"] == 5
    feedback.hide(alice, "refund", now=end)
    assert diary.figures("alice", "refund", end + DAY) == {}


def test_a_hide_that_is_on_keeps_its_end(diary):
    diary.came_back_to("alice", "refund")
    alice = diary.person("alice")
    feedback.hide(alice, "refund", now=LATER)

    again = feedback.hide(alice, "refund", now=LATER + 20 * DAY)

    assert again.ends_at == LATER + timedelta(hours=720)


def test_a_hide_is_taken_back(diary):
    diary.came_back_to("alice", "refund")
    alice = diary.person("alice")
    feedback.hide(alice, "refund", now=LATER)
    assert works_on(diary) == []

    feedback.take_back(alice, "refund", now=LATER + MINUTE)

    assert [each.verb for each in reads.activities_of(diary.account)] == ["refund"]


def test_feedback_given_at_the_moment_is_in_force_and_later_feedback_is_not(diary):
    diary.came_back_to("alice", "refund", sessions=5)
    feedback.reject(diary.person("alice"), "refund", now=LATER)

    assert diary.figures("alice", "refund", LATER) == {}
    assert diary.figures("alice", "refund", LATER - MICROSECOND)["sessions"] == 5


def test_feedback_changes_nobodys_counts(diary):
    """bob's lift is against alice's five sessions, whatever she says of them."""
    diary.came_back_to("alice", "refund", sessions=5)
    diary.came_back_to("bob", "refund", sessions=9)
    before = diary.figures("bob", "refund")
    assert before == {"sessions": 9, "days": 9, "others": 5, "colleagues": 1, "lift": "5/3"}

    feedback.reject(diary.person("alice"), "refund", now=LATER)

    assert diary.figures("bob", "refund") == before
    assert len(diary.sessions("alice")) == 5


def test_feedback_of_one_account_says_nothing_in_another(diary):
    globex = Diary("globex")
    for each in (diary, globex):
        each.came_back_to("alice", "refund")

    feedback.reject(diary.person("alice"), "refund", now=LATER)

    assert works_on(globex) == ["refund"]


def test_feedback_on_a_verb_that_never_was_is_refused(diary):
    diary.did("alice", "reply", MONDAY)

    for act in (feedback.reject, feedback.hide, feedback.take_back):
        with pytest.raises(UnknownVerb):
            act(diary.person("alice"), "sleep", now=LATER)


def test_inference_reads_feedback_and_never_writes_it(rejected):
    before = list(Feedback.objects.values())

    works_on(rejected, now=LATER + DAY)
    verbs.replace(registry(["reply"]), now=LATER)
    sessions.bring_up_to_date(rejected.account)

    assert list(Feedback.objects.values()) == before
