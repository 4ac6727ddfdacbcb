import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from enum import IntEnum, StrEnum
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from hypothesis import example, given, settings
from hypothesis import strategies as st

from facts.canonical import digest, encode
from facts.errors import NotPlainData

DOCUMENT = {
    "integrations": [{"name": "Sendify", "category": "shipping", "healthy": True}],
    "plan": {"features": ["late-orders", "refunds"]},
    "counts": {"Order": 830, "Carrier": 3, "Parcel": None},
    "fill": 0.9988,
    "seen": datetime(2026, 3, 1, 9, 30, tzinfo=UTC),
    "failing": {"Shipment", "Invoice"},
}

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
floats = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | st.integers() | floats | texts
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def through_jsonb(value):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::jsonb::text", [json.dumps(value)])
        return json.loads(cursor.fetchone()[0])


def typed(value):
    """``value`` such that == compares types too: an independent reading of what must differ."""
    if isinstance(value, list):
        return ("list", tuple(map(typed, value)))
    if isinstance(value, dict):
        return ("dict", frozenset((key, typed(item)) for key, item in value.items()))
    if isinstance(value, float) and abs(value) >= 1e16:
        return ("int", int(Decimal(str(value))))
    return (type(value).__name__, value)


def test_the_digest_of_a_fixed_document_never_moves():
    # SHA-256 of the form below, which was written out by hand.
    form = (
        "{6:counts{7:Carrieri3;5:Orderi830;6:Parceln}7:failing<s7:Invoices8:Shipment>"
        "4:fillf0.9988;12:integrations[{8:categorys8:shipping7:healthyT4:names7:Sendify}]"
        "4:plan{8:features[s11:late-orderss7:refunds]}4:seen@1772357400000000;}"
    )
    assert encode(DOCUMENT) == form.encode()
    assert digest(DOCUMENT) == "2b83640d2b5ae899034dbf2f23d0ab96352d3a6d85634567c8fda850e7b9ced0"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["ab", "c"], ["a", "bc"]),  # joined without delimiters
        (["a", "b"], ["as1:b"]),  # delimiters inside the text
        (["ab"], "ab"),
        ([[1], 2], [1, [2]]),
        ({"a": 1, "b": 2}, [["a", 1], ["b", 2]]),
        ({"a": {"b": 1}}, {"a": {}, "b": 1}),
        ({"a": None}, {}),
        ({"a": None}, {"a": []}),
        ({"a": None}, {"a": 0}),
        ({"a": []}, {"a": {}}),
        ({"a": ""}, {"a": None}),
        ({"a": ""}, {"a": 0}),
        (0, False),
        (1, True),
        (1, 1.0),
        (1, "1"),
        (1.0, "1.0"),
        (True, "true"),
        (None, "null"),
        (None, "n"),
        ([1, 2], [2, 1]),
        ([1], {1}),
        (datetime(2026, 3, 1, tzinfo=UTC), "2026-03-01T00:00:00+00:00"),
        ("\u00e9", "e\u0301"),  # the same letter spelled twice is two texts, as in jsonb
    ],
)
def test_different_data_has_different_digests(one, other):
    assert digest(one) != digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"c", "a", "b"}, {"b", "c", "a"}),
        ({"a"}, frozenset({"a"})),
        ((1, 2), [1, 2]),
        (0.0, -0.0),
        (1e16, 10**16),  # what jsonb makes of it
        (1e23, 10**23),
        (0.1 + 0.2, 0.30000000000000004),
        (1e-7, 0.0000001),
    ],
)
def test_what_jsonb_or_a_dict_can_not_tell_apart_has_one_digest(one, other):
    assert digest(one) == digest(other)


def test_an_instant_is_the_same_in_every_zone():
    berlin = datetime(2026, 7, 1, 14, tzinfo=ZoneInfo("Europe/Berlin"))
    assert digest(berlin) == digest(datetime(2026, 7, 1, 12, tzinfo=UTC))
    assert digest(berlin) == digest(datetime(2026, 7, 1, 6, tzinfo=timezone(timedelta(hours=-6))))
    assert digest(berlin) != digest(berlin + timedelta(microseconds=1))


def test_the_hour_that_runs_twice_is_two_instants():
    first = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert digest(first) != digest(first.replace(fold=1))
    assert digest(first.replace(fold=1)) == digest(datetime(2026, 10, 25, 1, 30, tzinfo=UTC))


def test_a_member_of_an_enumeration_counts_as_its_value():
    class Level(StrEnum):
        READY = "ready"

    class Rank(IntEnum):
        FIRST = 1

    assert digest({Level.READY: [Level.READY, Rank.FIRST]}) == digest({"ready": ["ready", 1]})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (datetime(2026, 3, 1), "a time without a zone is no instant; give it one"),  # noqa: DTZ001
        (float("nan"), "NaN and infinity can't be stored"),
        (float("-inf"), "NaN and infinity can't be stored"),
        ("half \ud83d", "text with half a surrogate pair can't be stored"),
        ({"\ud83d\ude00": 1}, "text with half a surrogate pair can't be stored"),
        ("a\0b", "text with a NUL character can't be stored"),
        ({"a\0b": 1}, "text with a NUL character can't be stored"),
        ({1: "a"}, "a key is text, and not a int"),
        ({True: "a", "b": 1}, "a key is text, and not a bool"),
        pytest.param(
            10**5000, "a whole number of this many digits can't be stored", id="5,001 digits"
        ),
    ],
)
def test_what_can_not_be_stored_is_refused(value, message):
    with pytest.raises(NotPlainData) as refusal:
        digest([value])
    assert str(refusal.value) == message


@pytest.mark.parametrize("value", [b"bytes", object(), Decimal(1), 1j, iter([1]), len])
def test_what_is_no_plain_data_is_refused_and_never_quoted(value):
    with pytest.raises(NotPlainData, match=f"^a {type(value).__name__} is no plain data; "):
        digest({"a": [value]})


def test_data_nested_too_deeply_is_refused():
    value = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(NotPlainData, match="nested this deeply"):
        digest(value)
    while value:  # taken apart here, or the collector recurses
        value = value[0]


@given(one=documents, other=documents)
def test_digests_are_equal_exactly_where_the_data_is(one, other):
    assert (encode(one) == encode(other)) == (typed(one) == typed(other))


@given(document=documents, seed=st.randoms())
def test_the_order_in_which_keys_were_set_does_not_matter(document, seed):
    def shuffled(value):
        if isinstance(value, list):
            return [shuffled(item) for item in value]
        if isinstance(value, dict):
            keys = list(value)
            seed.shuffle(keys)
            return {key: shuffled(value[key]) for key in keys}
        return value

    assert encode(shuffled(document)) == encode(document)


@given(names=st.lists(texts, unique=True), seed=st.randoms())
def test_the_order_in_which_a_set_was_filled_does_not_matter(names, seed):
    mixed = list(names)
    seed.shuffle(mixed)
    assert encode(set(names)) == encode(set(mixed))


@pytest.mark.django_db
@settings(max_examples=300, deadline=None)
@given(document=documents)
@example(document=[1e16, 1.5e300, -1e22, 1e23, 1.7976931348623157e308])
@example(document=[0.0, -0.0, 1.0, -1.0, 100.0, 9999999999999998.0])
@example(document=[1e-7, 5e-324, 2.2250738585072014e-308, 0.1, 1 / 3])
@example(document=[10**16, -(10**400), 2**63, 0])
@example(document={"": "", "\U0001f600": "\\u0000", "a\tb": "\x7f\u2028"})
def test_a_round_trip_through_jsonb_does_not_change_the_digest(document):
    assert digest(through_jsonb(document)) == digest(document)


def test_the_digest_does_not_depend_on_the_process():
    script = (
        "from facts.canonical import digest\n"
        "print(digest([{'b': 1, 'a': {'x', 'y', 'z', 'w'}}, {'é', 'ß', 'a'}]))"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    ]
    here = digest([{"a": {"w", "x", "y", "z"}, "b": 1}, {"a", "ß", "é"}])
    assert printed == [f"{here}\n"] * 3
