from datetime import UTC, datetime, timedelta

from readiness.demo import events, people

NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
JOBS = list(people.JOBS.values())


def events_of(since, until, jobs=JOBS):
    return events.events_of("larkspur", jobs, zone="Europe/Amsterdam", since=since, until=until)


def test_two_stretches_of_time_hold_what_one_over_both_holds():
    week, day = timedelta(days=7), timedelta(days=1, hours=3)

    whole = events_of(NOW - week, NOW)
    assert whole == [*events_of(NOW - week, NOW - day), *events_of(NOW - day, NOW)]


def test_events_end_before_now_and_begin_after_the_last_that_was_taken():
    found = events_of(NOW - timedelta(days=2), NOW)

    times = [datetime.fromisoformat(event["at"]) for event in found]
    assert times == sorted(times)
    assert NOW - timedelta(days=2) < times[0] < times[-1] < NOW


def test_what_somebody_does_does_not_hang_on_who_else_is_there():
    alone = events_of(NOW - timedelta(days=3), NOW, [people.JOBS["billing"]])

    among = events_of(NOW - timedelta(days=3), NOW)
    assert [event for event in among if event["person"] == "billing"] == [
        event for event in alone if event["person"] == "billing"
    ]


def test_two_months_hold_everything_that_must_not_count():
    found = events_of(NOW - timedelta(days=events.DAYS), NOW)

    assert {event["person"] for event in found} == {*people.JOBS, people.SERVICE}
    assert any("on_behalf_of" in event for event in found)
    assert {*people.NAVIGATION, *people.UNMAPPED} <= {event["action"] for event in found}


def test_every_verb_of_a_job_is_in_the_registry():
    known = people.actions_by_verb()

    assert {verb for job in JOBS for verb in (*job.work, *people.EVERYBODYS)} <= set(known)
    assert all(known.values())
