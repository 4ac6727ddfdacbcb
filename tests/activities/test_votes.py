"""What is kept of events, and how many statements it takes."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from activities import rules, votes
from activities.events import Event
from activities.models import Session, UnmappedAction, Vote
from facts.models import Account
from tests.activities.diary import DAY, LATER, MINUTE, MONDAY, SECOND, Diary, in_force, registry


def kept(diary):
    """The votes: person, action, minute since Monday, first and last second in the minute."""
    monday = rules.microseconds(MONDAY)
    return [
        (
            vote.person.external_id,
            vote.action.name,
            vote.minute - monday // rules.MINUTE,
            (vote.first - monday) / 1_000_000 % 60,
            (vote.last - monday) / 1_000_000 % 60,
        )
        for vote in Vote.objects.filter(account=diary.account)
        .select_related("person", "action")
        .order_by("person__external_id", "minute", "action__name")
    ]


def test_a_burst_is_one_row_with_its_first_and_last_instant(diary):
    taken = diary.did("alice", "refund", *(MONDAY + SECOND * n for n in (40, 7, 21)))

    assert kept(diary) == [("alice", "refund", 0, 7, 40)]
    assert (taken.accepted, taken.folded) == (1, 2)


def test_a_row_widens_to_both_sides_and_never_narrows(diary):
    for second in (20, 10, 30, 25):
        diary.did("alice", "refund", MONDAY + SECOND * second)

    assert kept(diary) == [("alice", "refund", 0, 10, 30)]


def test_an_instant_before_1970_falls_into_the_minute_before(diary):
    taken = votes.take([Event("acme", "alice", "refund", -1)], now=LATER)

    assert taken.accepted == 1
    assert Vote.objects.get().minute == -1


def test_navigation_is_kept_without_a_session_so_that_it_can_be_mapped_later(diary):
    diary.did("alice", "open page", MONDAY)

    assert kept(diary) == [("alice", "open page", 0, 0, 0)]
    assert diary.sessions("alice") == []


def test_an_unknown_action_is_counted_by_name_and_person_and_not_kept(diary):
    taken = diary.did("alice", "merge", MONDAY, MONDAY + DAY)
    diary.did("bob", "merge", MONDAY)
    diary.did("alice", "merge", MONDAY + MINUTE)

    assert (taken.accepted, taken.folded, taken.unmapped, taken.accounts) == (0, 0, 2, set())
    assert kept(diary) == []
    counts = UnmappedAction.objects.order_by("person__external_id")
    assert list(counts.values_list("person__external_id", "name", "count", "last_at")) == [
        ("alice", "merge", 3, MONDAY + DAY),
        ("bob", "merge", 1, MONDAY),
    ]


def test_a_name_is_no_longer_counted_once_it_is_mapped(diary):
    diary.did("alice", "merge", MONDAY)

    in_force(registry(["refund"], merge="refund"))

    assert not UnmappedAction.objects.exists()
    assert diary.did("alice", "merge", MONDAY).accepted == 1


def test_an_account_has_room_for_a_number_of_unknown_names(diary, monkeypatch):
    monkeypatch.setattr(votes, "MAX_UNMAPPED", 3)
    names = ["b", "b", "c", "a", "d"]
    votes.take([diary.event("alice", name, MONDAY) for name in names], now=LATER)
    votes.take([diary.event("bob", name, MONDAY) for name in ["d", "e", "a"]], now=LATER)
    Diary("globex").did("alice", "e", MONDAY)

    counted = UnmappedAction.objects.order_by("account", "name", "person")
    assert list(counted.values_list("account__external_id", "name", "count")) == [
        ("acme", "a", 1),
        ("acme", "a", 1),
        ("acme", "b", 2),
        ("acme", "c", 1),
        ("globex", "e", 1),
    ]


def test_accounts_and_people_are_made_when_an_event_first_names_them(diary):
    votes.take([Event("initech", "peter", "refund", 0)], now=LATER)
    votes.take([Event("initech", "peter", "refund", 60_000_000)], now=LATER + DAY)

    account = Account.objects.get(external_id="initech")
    assert account.created_at == LATER
    assert list(account.people.values_list("external_id", flat=True)) == ["peter"]


def test_a_batch_takes_the_same_few_statements_however_many_events_it_has(diary):
    people = ["alice", "bob", "carol", "dave"]
    events = [
        diary.event(people[n % 4], "refund" if n % 3 else "merge", MONDAY + 11 * MINUTE * n)
        for n in range(1000)
    ]
    votes.take(events, now=LATER)

    def statements(number):
        with CaptureQueriesContext(connection) as queries:
            votes.take([event._replace(at=event.at + 1) for event in events[:number]], now=LATER)
        return len(queries)

    assert statements(4) == statements(900) <= 16


def test_a_batch_touches_only_the_sessions_near_it(diary):
    diary.came_back_to("alice", "refund", sessions=20)
    before = set(Session.objects.values_list("pk", flat=True))

    diary.did("alice", "refund", MONDAY + 3 * DAY + MINUTE)

    after = set(Session.objects.values_list("pk", flat=True))
    assert len(before - after) == len(after - before) == 1


def test_taking_events_reads_by_index_however_many_votes_there_are(diary):
    """The plan of the renewal has no scan over all votes or sessions."""
    diary.did("alice", "refund", *(MONDAY + 40 * MINUTE * n for n in range(500)))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE activities_vote, activities_session")
    with CaptureQueriesContext(connection) as queries:
        diary.did("alice", "refund", MONDAY + 3 * MINUTE)
    renewal = next(q["sql"] for q in queries if q["sql"].startswith("-- Make the sessions"))
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + renewal)
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert "Seq Scan on activities_vote" not in plan
    assert "Seq Scan on activities_session" not in plan
