"""Sets of values under three truths, against trying every value."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facts.answers import domains
from facts.answers.constants import NULL, Constant, Unplaced, constant_of, place
from facts.answers.domains import Domain, Mixed, Truth
from facts.answers.sets import Listed, Spans

VALUES = [*range(-3, 4), None]
Condition = tuple[Truth, Callable[[Any], bool | None]]
_OPS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def compared(op: str, to: int) -> Condition:
    def said(value: Any) -> bool | None:
        return None if value is None else _OPS[op](value, to)

    return domains.compare("integer", op, constant_of(to)), said


def null() -> Condition:
    return domains.is_null("integer"), lambda value: value is None


def never() -> Condition:
    return domains.compare("integer", "=", NULL), lambda value: None


def negated(one: Condition) -> Condition:
    def said(value: Any) -> bool | None:
        found = one[1](value)
        return None if found is None else not found

    return one[0].negated(), said


def both(pair: tuple[Condition, Condition]) -> Condition:
    one, other = pair

    def said(value: Any) -> bool | None:
        found = (one[1](value), other[1](value))
        return False if False in found else None if None in found else True

    return one[0].both(other[0]), said


def either(pair: tuple[Condition, Condition]) -> Condition:
    one, other = pair

    def said(value: Any) -> bool | None:
        found = (one[1](value), other[1](value))
        return True if True in found else None if None in found else False

    return one[0].either(other[0]), said


def known(one: Condition) -> Condition:
    return one[0].known(), lambda value: one[1](value) is True


CONDITIONS = st.recursive(
    st.builds(compared, st.sampled_from(sorted(_OPS)), st.integers(-3, 3))
    | st.builds(null)
    | st.builds(never),
    lambda inner: (
        st.builds(negated, inner)
        | st.builds(known, inner)
        | st.builds(both, st.tuples(inner, inner))
        | st.builds(either, st.tuples(inner, inner))
    ),
    max_leaves=8,
)


def holds(domain: Domain, value: int | None) -> bool:
    if value is None:
        return domain.null
    one = Spans((((value, 0), (value + 1, 0)),))
    return one.is_within(domain.values)


@settings(max_examples=300, deadline=None)
@given(CONDITIONS)
def test_a_truth_is_what_trying_every_value_says(condition: Condition) -> None:
    truth, said = condition

    for value in VALUES:
        assert holds(truth.true, value) is (said(value) is True)
        assert holds(truth.false, value) is (said(value) is False)


@settings(max_examples=200, deadline=None)
@given(CONDITIONS, CONDITIONS)
def test_equal_documents_are_equal_sets(one: Condition, other: Condition) -> None:
    documents = [
        domains.document_of("integer", [(truth.axis, truth.true)], [], is_key=False)
        for truth, _ in (one, other)
    ]
    far = [*VALUES, -10, 10]
    same = all(holds(one[0].true, value) is holds(other[0].true, value) for value in far)

    assert (documents[0] == documents[1]) is same


def test_a_list_and_all_but_a_list_meet() -> None:
    kept = Listed(frozenset("abc"), but=False)

    assert kept.intersection(Listed(frozenset("c"), but=True)) == Listed(frozenset("ab"), but=False)
    assert Listed(frozenset("ab"), but=False).is_within(kept)
    assert not Listed(frozenset("a"), but=True).is_within(kept)


def test_texts_that_a_collation_may_take_for_one_are_not_told_apart() -> None:
    late, shouted = (domains.compare("text", "=", Constant("text", one)) for one in ("a", "A"))

    with pytest.raises(Mixed):
        late.both(shouted.negated())
    assert late.either(shouted).true.values == Listed(frozenset("aA"), but=False)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("date", "2026-01-01 12:00"),  # cut to the day by the database
        ("timestamp", "2026-01-01T00:00:00+02:00"),  # the zone counts for some columns only
        ("timestamp", "01/02/2026"),
        ("timestamp", "2026-02-30"),
        ("number", "0.1"),  # a float as narrow as the column, or a double
        ("number", 0.1234567890123456789e-5 + 1),
        ("integer", "4.5"),
        ("boolean", 1),
        ("text", 5),
        ("text", "late "),
    ],
)
def test_what_compares_otherwise_than_it_looks_has_no_place(type_: str, value: Any) -> None:
    with pytest.raises(Unplaced):
        place(type_, constant_of(value))


def test_a_month_is_no_number_of_days() -> None:
    month = place("timestamp", constant_of({"rel": "-1mo"}))
    days = place("timestamp", constant_of({"rel": "-30d"}))

    assert month[0] != days[0]
    assert place("timestamp", constant_of({"rel": "-1y"})) == (month[0], -12)
    assert place("timestamp", constant_of({"rel": "-2w"})) == (days[0], -14)
