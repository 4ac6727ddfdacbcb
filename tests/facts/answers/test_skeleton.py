"""Under which key a question's answer stands."""

import pytest

from facts.answers.asking import Question, Thing
from facts.answers.skeleton import key_of, skeleton_of

SECRET = b"a key of the account"


def key(text: str, *things: Thing) -> str:
    return key_of(Question(text, things, ()), SECRET)


UPS, DHL = Thing("Carrier", "UPS"), Thing("Carrier", "DHL")


def test_things_are_replaced_by_their_kind() -> None:
    assert skeleton_of("Which orders has UPS lost?", [UPS]) == "which orders has {Carrier} lost?"


def test_a_thing_is_found_by_what_the_text_calls_it() -> None:
    thing = Thing("Customer", "4711", said="Acme & Sons")

    assert skeleton_of("What does ACME & Sons owe?", [thing]) == "what does {Customer} owe?"


def test_only_whole_words_are_replaced() -> None:
    assert skeleton_of("groups by ups", [UPS]) == "groups by {Carrier}"


def test_the_longest_name_is_replaced_first() -> None:
    things = [Thing("Carrier", "DHL"), Thing("Carrier", "DHL Express")]

    assert skeleton_of("late by DHL Express", things) == "late by {Carrier:2}"


@pytest.mark.parametrize(
    "spelled",
    [
        "late orders of ups",
        "  Late\torders \n of UPS ",
        "late orders of UPS",
    ],
)
def test_case_and_spacing_do_not_make_another_key(spelled: str) -> None:
    assert key(spelled, UPS) == key("Late orders of UPS", UPS)


def test_canonical_forms_of_unicode_are_one_key() -> None:
    assert key("Zahlungen f\u00fcr Juli") == key("Zahlungen fu\u0308r Juli")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("orders of the last 30 days", "orders of the last 7 days"),
        ("orders that are late", "orders that are not late"),
        ("rooms of 10\u00b2 metres", "rooms of 102 metres"),
        ("late {Carrier}", "late {{Carrier}}"),
    ],
)
def test_what_means_something_else_is_another_key(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_another_thing_is_another_key() -> None:
    assert key("late by UPS", UPS) != key("late by DHL", DHL)


def test_a_brace_in_the_text_is_no_thing() -> None:
    assert key("late by {Carrier}", UPS) != key("late by UPS", UPS)


def test_which_of_two_things_stands_where_matters() -> None:
    assert key("from UPS to DHL", UPS, DHL) != key("from DHL to UPS", UPS, DHL)


def test_the_order_in_which_things_are_named_does_not_matter() -> None:
    assert key("from UPS to DHL", UPS, DHL) == key("from UPS to DHL", DHL, UPS)


def test_a_key_can_not_be_made_without_the_secret() -> None:
    question = Question("late by UPS", (UPS,), ())

    assert key_of(question, b"one") != key_of(question, b"other")
    assert len(key_of(question, b"one")) == 64
