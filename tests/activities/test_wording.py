from fractions import Fraction

import pytest

from activities.wording import reason, tenths


@pytest.mark.parametrize(
    ("figures", "text"),
    [
        ((8, 5, 3, 21, Fraction(7)), "8 sessions on 5 days, 7 times as often as your colleagues"),
        (
            (5, 4, 52, 24, Fraction(36, 19)),  # 1.894...
            "5 sessions on 4 days, 1.9 times as often as your colleagues",
        ),
        (
            (3, 2, 9, 3, Fraction(31, 20)),  # 1.55
            "3 sessions on 2 days, 1.6 times as often as your colleagues",
        ),
        (
            (30, 20, 1, 9, Fraction(279, 10)),
            "30 sessions on 20 days, 28 times as often as your colleagues",
        ),
        ((3, 2, 0, 3, Fraction(4)), "3 sessions on 2 days, and none by your 3 colleagues"),
        ((3, 2, 0, 2, Fraction(4)), "3 sessions on 2 days"),  # too few to hide behind
        ((3, 2, 1, 2, Fraction(8, 3)), "3 sessions on 2 days"),
        ((3, 2, 0, 0, Fraction(4)), "3 sessions on 2 days"),
    ],
)
def test_a_reason_says_what_others_do_only_where_there_are_three_of_them(figures, text):
    sessions, days, others, colleagues, lift = figures

    assert (
        reason(sessions=sessions, days=days, others=others, colleagues=colleagues, lift=lift)
        == text
    )


def test_a_lift_is_told_to_a_tenth_and_never_as_a_fraction():
    assert [tenths(Fraction(*lift)) for lift in ((624, 29), (4, 1), (31, 20), (12_345, 10))] == [
        "21.5",
        "4",
        "1.6",
        "1,234.5",
    ]
