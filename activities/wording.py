"""Saying to a person, in plain words, why something counts as their activity. Pure."""

from fractions import Fraction

from activities.rules import COLLEAGUES_SHOWN_FROM
from facts.wording import counted


def reason(*, sessions: int, days: int, others: int, colleagues: int, lift: Fraction) -> str:
    """Why a verb is an activity: "8 sessions on 5 days, 7 times as often as your colleagues".

    What others do is told only where there are enough of them to hide behind.
    """
    mine = f"{counted(sessions, 'session')} on {counted(days, 'day')}"
    if colleagues < COLLEAGUES_SHOWN_FROM:
        return mine
    if others == 0:
        return f"{mine}, and none by your {colleagues} colleagues"
    return f"{mine}, {_times(lift)} times as often as your colleagues"


def _times(lift: Fraction) -> str:
    """To a tenth, rounded half up, and whole from ten on."""
    if lift >= 10:
        return f"{int(lift + Fraction(1, 2)):,}"
    return tenths(lift)


def tenths(lift: Fraction) -> str:
    """To a tenth, rounded half up, and without it where it is none: 21.5, 4."""
    found = int(lift * 10 + Fraction(1, 2))
    return f"{found // 10:,}" if found % 10 == 0 else f"{found // 10:,}.{found % 10}"
