"""The rules of activities: what counts, how often, and against whom. Pure; instants are arguments.

An activity is a verb a person keeps coming back to and does more than their colleagues. The
statements in ``sql/`` count sessions; whether a count is an activity is decided here, once.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction

GAP = timedelta(minutes=30)  # a longer pause splits a session, one of exactly this length doesn't
WINDOW = timedelta(hours=720)  # 30 x 24 hours: "30 days" is an hour off where clocks change
HIDDEN_FOR = timedelta(hours=720)
MIN_SESSIONS, MIN_DAYS = 3, 2  # recurring, and not one long afternoon
MIN_LIFT = Fraction(3, 2)
SMOOTHING = 1
COLLEAGUES_SHOWN_FROM = 3  # figures about fewer people are figures about somebody
CLOCK_SKEW = timedelta(seconds=60)  # how far ahead of ours the clock of an event's sender may be

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
MINUTE = 60_000_000  # microseconds; a verb votes once in each


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What a person's sessions with one verb in the window come to."""

    person: str
    verb: str
    rank: int  # of the verb: 1 is the most deliberate
    sessions: int
    days: int  # local dates on which those sessions started
    others: int  # the colleagues' sessions with the verb
    colleagues: int  # people with a session in the window, without this one and the machines
    first: int  # microseconds since the epoch: the first event of the first session
    last: int  # and the last event of the last

    @property
    def lift(self) -> Fraction:
        """How many times as often as the colleagues' mean, both smoothed; exact.

        The others' mean of somebody alone is 0.
        """
        mean = Fraction(self.others, self.colleagues) if self.colleagues else Fraction(0)
        return (self.sessions + SMOOTHING) / (mean + SMOOTHING)

    @property
    def is_activity(self) -> bool:
        """Whether it reaches the bar."""
        return self.sessions >= MIN_SESSIONS and self.days >= MIN_DAYS and self.lift >= MIN_LIFT


def activities(tallies: Iterable[Tally], rejected: Iterable[tuple[str, str]]) -> list[Tally]:
    """The tallies that are activities, by person and then in the header's order.

    The order is lift, sessions, rank. ``rejected`` are the (person, verb) pairs that feedback in
    force takes away. It takes nothing from anybody's counts: what a person rejects, they still did.
    """
    away = set(rejected)
    found = (t for t in tallies if t.is_activity and (t.person, t.verb) not in away)
    return sorted(found, key=lambda t: (t.person, -t.lift, -t.sessions, t.rank))


def ratio(lift: Fraction) -> str:
    """A lift as it is stored and printed: ``36/19``, and ``4/1`` for a whole one."""
    return f"{lift.numerator}/{lift.denominator}"


def microseconds(moment: datetime) -> int:
    """The instant as whole microseconds since the epoch, exact (a float would not be)."""
    return (moment - EPOCH) // MICROSECOND


def moment(microseconds: int) -> datetime:
    """The instant of whole microseconds since the epoch, in UTC."""
    return EPOCH + timedelta(microseconds=microseconds)


def title_of(verb: str) -> str:
    """A verb's title where the registry gives none: ``hand_over`` is "Hand over"."""
    words = " ".join(verb.replace("_", " ").replace("-", " ").split()) or verb
    return words[0].upper() + words[1:]
