import json
from fractions import Fraction

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st

from facts.trust import Trust
from readiness.rollup import CutOffs, Item, Level, rollup, weighed
from tests.conftest import given


def item(name="Order", *, data=1, use=1, trust=Trust.BELIEVED, failing=False):
    return Item(name=name, data=data, use=use, trust=Trust(trust), failing=failing)


def test_every_given_rollup_holds():
    cases = json.loads(given("cases/judging_cases.json").read_text())
    rollups = [case for case in cases if case["kind"] == "rollup"]
    assert rollups
    for case in rollups:
        items = [item(f"Type{place}", **drawn) for place, drawn in enumerate(case["items"])]
        found, expect = rollup(items), case["expect"]
        assert (found.level, found.shown) == (expect["level"], expect["shown"]), case["note"]
        if "exact" in expect:
            assert round(float(found.coverage), 4) == expect["exact"], case["note"]


@pytest.mark.parametrize(
    ("covered", "of", "level", "shown"),
    [
        (796, 1000, Level.ALMOST_READY, 79),  # never 80 beside almost-ready
        (800, 1000, Level.READY, 80),
        (804, 1000, Level.READY, 80),
        (805, 1000, Level.READY, 81),  # half up
        (997, 1000, Level.READY, 99),  # never 100 short of all
        (1000, 1000, Level.READY, 100),
        (400, 1000, Level.ALMOST_READY, 40),
        (399, 1000, Level.NOT_READY, None),
        (395, 1000, Level.NOT_READY, None),
    ],
)
def test_the_number_is_rounded_half_up_and_never_across_a_cut_off(covered, of, level, shown):
    items = [
        item("Order", data=covered, use=covered),
        item("Log", data=of - covered, use=of - covered, trust=Trust.STALE),
    ]
    found = rollup(items)

    assert (found.level, found.shown) == (level, shown)


def test_weight_is_half_the_share_of_data_and_half_the_share_of_use():
    heaviest = weighed([item("Order", data=30, use=1), item("Log", data=70, use=3)])

    assert [(one.item.name, one.weight) for one in heaviest] == [
        ("Log", Fraction(70, 200) + Fraction(3, 8)),
        ("Order", Fraction(30, 200) + Fraction(1, 8)),
    ]


@pytest.mark.parametrize(
    ("measures", "weights"),
    [
        ([(30, 0), (70, 0)], [Fraction(7, 10), Fraction(3, 10)]),  # nobody used anything yet
        ([(0, 1), (0, 3)], [Fraction(3, 4), Fraction(1, 4)]),  # there is no data
        ([(0, 0), (0, 0)], []),  # neither
    ],
)
def test_where_one_measure_is_missing_the_other_weighs_alone(measures, weights):
    items = [item(f"T{place}", data=data, use=use) for place, (data, use) in enumerate(measures)]

    assert [one.weight for one in weighed(items)] == weights


def test_with_neither_data_nor_use_nothing_is_ready():
    found = rollup([item(data=0, use=0)])

    assert (found.level, found.shown, found.gap) == (Level.NOT_READY, None, None)


def test_a_tie_at_the_tenth_place_counts_as_inside():
    items = [item(f"T{n:02}", data=10, use=10) for n in range(11)]
    items.append(item("Last", data=10, use=10, failing=True))
    found = rollup(items)

    assert (found.level, found.vetoes) == (Level.ALMOST_READY, ("Last",))
    assert found.coverage > 90


def test_the_gap_names_the_heaviest_three_and_counts_the_rest():
    items = [item("Order", data=100, use=100)] + [
        item(name, data=weight, use=weight, trust=Trust.UNKNOWN)
        for name, weight in [("Shipment", 9), ("Refund", 8), ("Carrier", 7), ("Log", 2), ("Tag", 1)]
    ]

    assert rollup(items).gap == "Still learning Shipment, Refund, Carrier and 2 more."


def test_a_complete_account_has_no_gap_and_a_not_ready_one_shows_none():
    assert rollup([item()]).gap is None
    assert rollup([item(trust=Trust.UNKNOWN)]).gap is None


@pytest.mark.parametrize("trust", [Trust.UNKNOWN, Trust.STALE])
def test_unknown_and_stale_stay_in_the_denominator(trust):
    assert rollup([item(), item("Log", trust=trust)]).coverage == 50


def test_the_cut_offs_are_settings():
    found = rollup([item(), item("Log", trust=Trust.STALE)], CutOffs(ready=50, not_ready_below=10))

    assert found.level == Level.READY


items = st.lists(
    st.builds(
        item,
        st.text(min_size=1, max_size=12),
        data=st.integers(0, 10**6),
        use=st.integers(0, 10**6),
        trust=st.sampled_from(Trust),
        failing=st.booleans(),
    ),
    max_size=20,
)


@given_any(items)
def test_the_weights_of_all_items_are_one_whole(drawn):
    weights = [one.weight for one in weighed(drawn)]

    assert sum(weights) in (0, 1)
    assert weights == sorted(weights, reverse=True)


@given_any(items)
def test_a_veto_always_beats_the_average(drawn):
    found = rollup(drawn)
    failing_inside = {one.item.name for one in weighed(drawn) if one.can_veto and one.item.failing}

    assert set(found.vetoes) == failing_inside
    assert not (failing_inside and found.level == Level.READY)
    assert (found.shown is None) == (found.level == Level.NOT_READY)
    if found.shown is not None:
        assert abs(found.shown - found.coverage) < 1
        assert (found.shown == 100) == (found.coverage == 100)


@given_any(st.lists(st.text(max_size=200), min_size=1, max_size=6))
def test_no_name_can_break_the_gap_sentence(names):
    drawn = [item("Order", data=100, use=100)]
    drawn += [item(name, data=1, use=1, trust=Trust.UNKNOWN) for name in names]
    gap = rollup(drawn).gap

    assert gap is not None
    assert gap.isprintable()
    assert gap.startswith("Still learning ")
    assert not set(gap) & set("\"'`<>{}[]()|\\\n\r\u2028\u202e\u200b")
    assert len(gap) <= 250
