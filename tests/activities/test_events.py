import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from activities.errors import BadEvent
from activities.events import EARLIEST, Event, event_of, read

ACT = {"account": "acme", "person": "alice", "action": "refund", "at": "2026-03-02T09:00:00Z"}
NINE = 1_772_442_000_000_000  # ACT's instant in microseconds, by `date -d ... +%s`
LATEST = NINE + 1


def test_an_event_says_who_did_what_when():
    assert event_of(ACT, latest=LATEST) == Event("acme", "alice", "refund", NINE)


@pytest.mark.parametrize(
    ("at", "microseconds"),
    [
        ("2026-03-02T10:00:00+01:00", NINE),
        ("2026-03-02T09:00:00.000001Z", NINE + 1),
        ("2026-03-02T08:59:59.9999999Z", NINE - 1),  # finer than microseconds is cut off
        ("1969-12-31T23:59:59.999999Z", -1),
        ("0001-01-01T00:00:00Z", EARLIEST),
    ],
)
def test_an_instant_is_read_to_the_microsecond(at, microseconds):
    assert event_of({**ACT, "at": at}, latest=LATEST).at == microseconds


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"at": None}, "at is missing"),
        ({"at": "2026-03-02T09:00:00"}, "at has no offset from UTC, so it is no instant"),
        ({"at": "2026-03-02"}, "at has no offset from UTC, so it is no instant"),
        ({"at": "yesterday"}, "at must be an ISO 8601 instant such as 2026-03-01T09:30:00Z"),
        ({"at": 1772442000}, "at must be an ISO 8601 instant such as 2026-03-01T09:30:00Z"),
        ({"at": "2026-03-02T09:00:00.000002Z"}, "at lies in the future"),
        ({"at": "0001-01-01T00:00:00+01:00"}, "at lies before the year 1"),
        ({"account": None}, "account is missing"),
        ({"person": ""}, "person must be a text of 1 to 200 printable characters"),
        ({"person": 17}, "person must be a text of 1 to 200 printable characters"),
        ({"person": "a\x00b"}, "person must be a text of 1 to 200 printable characters"),
        ({"person": "\ud800"}, "person must be a text of 1 to 200 printable characters"),
        ({"action": "x" * 201}, "action must be a text of 1 to 200 printable characters"),
        ({"action": "mailed alice@example.com"}, "the action's name may not be kept: email"),
        ({"on_behalf_of": True}, "on_behalf_of must be a text of 1 to 200 printable characters"),
    ],
)
def test_what_is_no_event_is_refused_with_the_reason(change, reason):
    with pytest.raises(BadEvent) as refusal:
        event_of({**ACT, **change}, latest=LATEST)

    assert str(refusal.value) == reason


@pytest.mark.parametrize("document", [[], "refund", 1, None, [ACT]])
def test_an_event_is_an_object(document):
    with pytest.raises(BadEvent) as refusal:
        event_of(document, latest=LATEST)

    assert str(refusal.value) == "an event is an object with account, person, action and at"


def test_an_act_on_behalf_of_somebody_counts_for_nobody():
    assert event_of({**ACT, "on_behalf_of": "bob"}, latest=LATEST) is None
    assert event_of({**ACT, "on_behalf_of": None}, latest=LATEST) is not None


def test_what_else_an_event_carries_is_left_where_it_is():
    assert event_of({**ACT, "payload": {"iban": "x"}}, latest=LATEST) == Event(
        "acme", "alice", "refund", NINE
    )


def test_a_refused_line_is_told_by_its_number_and_stops_nothing():
    good = json.dumps(ACT).encode()
    lines = [b"{", good, b"", b"\xff", None, b"[" * 100_000, b'{"at": 1}', good]

    found = read(lines, start=11, latest=LATEST)

    assert len(found.events) == 2
    assert found.refused == [
        (11, "the line is no JSON"),
        (14, "the line is no UTF-8 text"),
        (15, "the line is too long for an event"),
        (16, "the line is no JSON"),
        (17, "account is missing"),
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["account", "person", "action", "at", "on_behalf_of", "more"]),
        json_values | st.just("2026-03-02T09:00:00Z"),
    )
)
def test_whatever_a_line_holds_it_is_an_event_or_refused_in_words_of_ours(document):
    found = read([json.dumps(document).encode()], start=1, latest=LATEST)

    assert len(found.events) + found.on_behalf + len(found.refused) == 1
    for _, reason in found.refused:
        assert reason.split()[0] in {"account", "person", "action", "at", "on_behalf_of", "the"}


@given(st.binary(max_size=60))
def test_bytes_that_are_no_event_are_refused(line):
    found = read([line], start=1, latest=LATEST)

    assert found.events == []
    assert len(found.refused) == (1 if line.strip() else 0)
