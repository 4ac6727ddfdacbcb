"""The guard of whole documents: the form of a vocabulary, and everything else."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facts import guard
from facts.guard.names import rule_of

OPEN = {"value": "Open", "records": 9}
CLOSED = {"value": "Closed", "records": 3}
RARE = {"value": "Acme Ltd", "records": 2}
ANN = {"value": "ann@example.com", "records": 9}


def vocabulary(*entries, **changed):
    return {"of": "Order|status", "type": "text", "values": list(entries), "more": 0} | changed


def test_an_ordinary_vocabulary_is_left_as_it_is():
    document = vocabulary(OPEN, CLOSED, more=4, sampled=True)

    assert guard.clean(copy.deepcopy(document)) == document


def test_values_that_go_are_counted_by_their_reason():
    cleaned = guard.clean(vocabulary(OPEN, RARE, ANN, {"value": " ", "records": 5}, CLOSED))

    assert cleaned == vocabulary(OPEN, CLOSED, dropped={"shared": 1, "email": 1, "blank": 1})


def test_what_was_dropped_when_written_is_still_said_when_loaded():
    written = guard.clean(vocabulary(OPEN, RARE, ANN))

    assert guard.clean(written) == written
    assert guard.clean(written | {"values": [OPEN, RARE]})["dropped"] == {"shared": 2, "email": 1}


def test_a_property_that_is_withheld_shows_no_value_and_says_why():
    assert guard.clean(vocabulary(OPEN, of="User|password")) == {
        "of": "User|password",
        "type": "text",
        "values": [],
        "more": 0,
        "withheld": "credential",
    }


def test_what_was_withheld_once_stays_withheld():
    document = vocabulary(withheld="credential")

    assert guard.clean(document) == document
    assert guard.clean(document | {"values": [OPEN]}) == document


def test_what_the_probe_did_not_ask_for_keeps_its_reason():
    for code in ("key", "reference", "many"):
        assert guard.clean(vocabulary(withheld=code)) == vocabulary(withheld=code)


def test_a_reason_that_is_none_of_the_guards_is_no_place_for_a_value():
    assert guard.clean(vocabulary(OPEN, withheld="Ann Smith"))["withheld"] == "context"
    assert "dropped" not in guard.clean(vocabulary(OPEN, dropped={"Ann Smith": 1, "email": "Ann"}))


def test_only_flags_and_numbers_stand_beside_a_vocabulary():
    cleaned = guard.clean(vocabulary(OPEN, example="Ann Smith", ten=["Ann"], sampled=True, rows=9))

    assert cleaned == vocabulary(OPEN, sampled=True, rows=9)


def test_an_entry_says_value_records_and_owners_and_no_more():
    entry = OPEN | {"owners": 4, "who": "Ann Smith"}

    assert guard.clean(vocabulary(entry))["values"] == [OPEN | {"owners": 4}]


def test_three_owners_are_demanded_of_every_entry_once_one_counts_them():
    of_orders = vocabulary(OPEN | {"owners": 3}, CLOSED | {"owners": 2}, CLOSED)

    assert guard.clean(of_orders) == vocabulary(
        OPEN | {"owners": 3}, dropped={"owners": 1, "context": 1}
    )


@pytest.mark.parametrize(
    ("entry", "left"),
    [
        ({"records": 9, "owners": 1}, {"dropped": {"owners": 1}}),
        ({"records": 2, "owners": 1}, {"dropped": {"shared": 1}, "owned": True}),
    ],
)
def test_that_owners_are_counted_is_not_forgotten_with_the_last_value(entry, left):
    berlin = {"value": "Berlin"}
    empty = vocabulary(of="Order|shipCity", **left)

    assert guard.clean(vocabulary(berlin | entry, of="Order|shipCity")) == empty
    assert guard.clean(empty) == empty
    unowned = guard.clean(empty | {"values": [berlin | {"records": 9}]})
    assert (unowned["values"], unowned["dropped"]) == ([], left["dropped"] | {"context": 1})


def test_where_nobody_owns_a_record_places_of_somebody_are_withheld():
    berlin = {"value": "Berlin", "records": 9}

    assert guard.clean(vocabulary(berlin, of="Order|shipCity"))["withheld"] == "person"
    owned = guard.clean(vocabulary(berlin | {"owners": 3}, of="Order|shipCity"))
    assert owned["values"] == [berlin | {"owners": 3}]


def test_people_own_their_own_records():
    berlin = {"value": "Berlin", "records": 3}

    assert guard.clean(vocabulary(berlin, of="Customer|homeCity"))["values"] == [berlin]


@pytest.mark.parametrize(
    "document",
    [
        {"values": [OPEN]},
        {"values": "Open"},
        {"values": {"Open": 9}},
        {"of": "Order|status", "words": ["Open"]},
        {"of": "Order", "type": "text", "values": [OPEN]},
        {"of": 5, "type": "text", "values": [OPEN]},
        {"of": "Order|status", "values": [OPEN]},
        {"of": "Order|status", "type": ["text"], "values": [OPEN]},
        {"of": "Order|status", "type": "varchar", "values": [OPEN]},
        {"of": "Order|status", "type": "text", "values": ["Open"]},
        {"of": "Order|status", "type": "text", "values": [["Open", 9]]},
        {"of": "Order|status", "type": "text", "values": [{"value": "Open"}]},
        {"of": "Order|status", "type": "text", "values": [{"records": 9}]},
        {"value": "Open", "records": 9},
        [{"value": "Open", "records": 9}],
    ],
)
def test_without_its_context_nothing_of_a_vocabulary_is_shown(document):
    assert "Open" not in json.dumps(guard.clean(document))


def test_a_vocabulary_is_guarded_at_any_depth():
    inner = vocabulary(OPEN, ANN)

    assert guard.clean({"a": [{"b": inner}]}) == {
        "a": [{"b": vocabulary(OPEN, dropped={"email": 1})}]
    }


def test_names_in_of_are_encoded_as_in_a_ref():
    odd = vocabulary(OPEN, of="Order%7CLine|due%3Adate %2525")

    assert guard.clean(odd) == odd
    assert guard.clean(vocabulary(OPEN, of="Order|pass%7Cword"))["withheld"] == "credential"


def test_texts_and_keys_elsewhere_lose_addresses_and_secrets_only():
    document = {
        "columns": {"password": {"type": "text"}, "ann@example.com": {"type": "text"}},
        "title": "Password reset",
        "note": "write to ann@example.com",
        "token": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "at": "2024-05-01T10:00:00+00:00",
        "digest": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    }

    assert guard.clean(document) == {
        "columns": {"password": {"type": "text"}, "(withheld: email)": {"type": "text"}},
        "title": "Password reset",
        "note": "(withheld: email)",
        "token": "(withheld: credential)",
        "at": "2024-05-01T10:00:00+00:00",
        "digest": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    }


@pytest.mark.parametrize(
    "document",
    [
        {"count": 830},
        {"absent": True},
        {"filled": 829, "count": 830, "fill": 0.9988},
        {"reached": 830, "count": 830, "coverage": 1.0},
        {"category": "shipping", "healthy": True},
        {"features": ["late-orders", "refunds"]},
        {"level": "almost-ready", "percent": 73, "gap": "Still learning Shipment."},
        {"lines": ["Works on: Refund handling, Supplier onboarding, Late orders and 2 more."]},
        {"columns": {"orderId": {"type": "integer", "key": True}, "apiKey": {"type": "text"}}},
        {"shape": 'SELECT count(*) FROM "Order" WHERE "token" = ? AND "password" = $1'},
        {"shape": "SELECT o.password FROM users AS u JOIN t ON u.password = t.password"},
        {"verb": "PROMISED_AT", "sessions": 3, "lift": "3/2", "first": "2026-03-02T09:00:00+00:00"},
        None,
        True,
        0,
        [],
        {},
        "",
    ],
)
def test_ordinary_facts_are_left_as_they_are(document):
    assert guard.clean(copy.deepcopy(document)) == document


def test_absent_says_nothing_else():
    assert guard.clean({"absent": True, "last": "Ann Smith"}) == {"absent": True}


def test_what_lies_too_deep_to_be_read_is_withheld():
    deep = "Ann Smith"
    for _ in range(5000):
        deep = [deep]

    cleaned = guard.clean(deep)

    assert "Ann" not in str(cleaned)
    assert guard.clean(cleaned) == cleaned


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "of",
                    "type",
                    "values",
                    "value",
                    "records",
                    "owners",
                    "withheld",
                    "dropped",
                    "absent",
                ]
            )
            | st.text(max_size=10),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)
names = st.sampled_from(["status", "password", "has_password", "ship_city", "name"]) | st.text(
    st.characters(blacklist_characters="|%:"), min_size=1, max_size=12
)
entries = st.fixed_dictionaries(
    {"value": st.text(max_size=40) | st.emails() | st.integers(), "records": st.integers(0, 9)},
    optional={"owners": st.integers(0, 9), "other": st.text()},
)
vocabularies = st.builds(
    lambda label, name, type, values: {"of": f"{label}|{name}", "type": type, "values": values},
    names,
    names,
    st.sampled_from(sorted(guard.TYPES)),
    st.lists(entries, max_size=5),
)


@settings(max_examples=400, deadline=None)
@given(json_values | vocabularies)
def test_cleaning_is_total_and_twice_is_once(document):
    before = copy.deepcopy(document)

    cleaned = guard.clean(document)

    assert document == before  # nobody's object is changed
    assert guard.clean(cleaned) == cleaned
    json.dumps(cleaned)


@settings(max_examples=400, deadline=None)
@given(vocabularies)
def test_nothing_is_kept_that_the_rule_for_one_value_refuses(document):
    cleaned = guard.clean(document)

    for entry in cleaned["values"]:
        assert any(entry.items() <= given_entry.items() for given_entry in document["values"])
        assert (
            guard.value_reason(
                entry["value"],
                of=document["of"],
                type=document["type"],
                records=entry["records"],
                owners=entry.get("owners"),
            )
            is None
        )
    assert "@example" not in json.dumps(cleaned["values"])


def test_a_propertys_names_are_read_once_for_all_its_values():
    rule_of.cache_clear()

    guard.clean(vocabulary(*({"value": f"Status {n}", "records": 9} for n in range(1000))))

    assert rule_of.cache_info().misses == 1
