"""What people work on, as facts: ``user:activity:<verb>``, one target for each account.

The account is the unit because people are compared: an activity can appear when a colleague's
session leaves the window. The window moves on by itself, so the inputs say when they change next;
an account without sessions in it and without a hide has no such moment, and costs nothing.
"""

from collections.abc import Iterable
from datetime import datetime
from fractions import Fraction
from itertools import count
from typing import Any

from django.db.models import Min, Q

from activities import inference, rules, sessions
from activities.models import (
    AccountSettings,
    Feedback,
    PersonSettings,
    RegistryVersion,
    Session,
    Verb,
)
from activities.rules import MICROSECOND, Tally
from facts import guard
from facts.derivations import Built, Derivation, Inputs, Reading, Target
from facts.derivations.targets import make_due
from facts.models import Account, Check
from facts.refs import Ref

OBSERVER = "activities"
NAME = "activities"
PREFIX = "user:activity:"  # of the refs it builds


def inputs(target: Target, reading: Reading) -> Inputs:
    """Everything activities rest on; the sessions as what they come to in the window.

    Sessions that change no count are no news. Where a new registry has left the account's sessions
    behind, they are brought up to date first.
    """
    account, now = target.account, reading.now
    sessions.bring_up_to_date(account)
    tallies = inference.tallies(account, now)
    reading.changes_at(next_change(account, now))
    verbs = Verb.objects.filter(name__in={tally.verb for tally in tallies})
    settings = PersonSettings.objects.filter(account=account).select_related("person")
    return {
        "sessions": [_plain(tally) for tally in tallies],
        "registry": {
            "version": RegistryVersion.objects.values_list("version", flat=True).first() or 0,
            "titles": dict(verbs.values_list("name", "title")),
        },
        "feedback": [list(pair) for pair in inference.rejected(account, now)],
        "zones": {each.person.external_id: each.zone for each in settings if each.zone}
        | {"*": zone_of(account)},
        "service": sorted(each.person.external_id for each in settings if each.service),
    }


def build(inputs: Inputs) -> Built:
    """The facts of everybody's activities. Pure."""
    tallies = [Tally(**plain) for plain in inputs["sessions"]]
    rejected = [(person, verb) for person, verb in inputs["feedback"]]
    titles = inputs["registry"]["titles"]
    return {
        (tally.person, ref_of(tally.verb)): _value(tally, titles[tally.verb])
        for tally in rules.activities(tallies, rejected)
    }


def ref_of(verb: str) -> Ref:
    """Where a person's activity with a verb stands."""
    return Ref.of("user", "activity", verb)


def zone_of(account: Account) -> str:
    """The account's zone of time."""
    zones = AccountSettings.objects.filter(account=account).values_list("zone", flat=True)
    return zones.first() or "UTC"


def target_of(account: int) -> Check:
    """The account's target. Made if it isn't there yet."""
    check, _ = Check.objects.get_or_create(
        account_id=account, kind=Check.Kind.DERIVATION, derivation=NAME, target=""
    )
    return check


def is_due(account: Account, now: datetime) -> bool:
    """Whether news has come, or the window has moved on, since the account's last build."""
    return Check.objects.filter(
        account=account, kind=Check.Kind.DERIVATION, derivation=NAME, due_at__lte=now
    ).exists()


def next_change(account: Account, now: datetime) -> datetime | None:
    """When the activities may change although nobody does anything, or None for never.

    A session leaves the window the microsecond after its 720 hours, or has begun or ended by a
    clock ahead of ours; a hide ends.
    """
    moment = rules.microseconds(now)
    window = Session.objects.filter(
        account=account, first__gte=moment - rules.WINDOW // MICROSECOND
    )
    edges = window.aggregate(oldest=Min("first"), ahead=Min("last", filter=Q(last__gte=moment)))
    hidden = Feedback.objects.filter(account=account, kind=Feedback.Kind.HIDE).in_force(now)
    given = hidden.aggregate(given=Min("at"))["given"]
    return min(
        (
            *(rules.moment(at) + rules.WINDOW + MICROSECOND for at in _there(edges["oldest"])),
            *(rules.moment(at) + MICROSECOND for at in _there(edges["ahead"])),
            *(at + rules.HIDDEN_FOR for at in _there(given)),
        ),
        default=None,
    )


def spelled(lift: Fraction) -> str:
    """A lift as text that the guard lets by, in lowest terms if it can.

    Some fractions look like the numbers that states give to people, such as 850101/1234.
    """
    for times in count(1):  # pragma: no branch - one of them passes
        text = f"{lift.numerator * times}/{lift.denominator * times}"
        if guard.text_reason(text) is None:
            return text
    raise AssertionError


def _there(found: Any) -> Iterable[Any]:
    return () if found is None else (found,)


def _plain(tally: Tally) -> dict[str, Any]:
    return {field: getattr(tally, field) for field in Tally.__slots__}


def _value(tally: Tally, title: str) -> dict[str, Any]:
    return {
        "title": title,
        "rank": tally.rank,
        "sessions": tally.sessions,
        "days": tally.days,
        "others": tally.others,
        "colleagues": tally.colleagues,
        "lift": spelled(tally.lift),
        "first": rules.moment(tally.first).isoformat(),
        "last": rules.moment(tally.last).isoformat(),
    }


ACTIVITIES = Derivation(
    name=NAME,
    version="1",
    owner=OBSERVER,
    targets=lambda _account: [""],
    inputs=inputs,
    build=build,
    target_of=lambda _ref, _person: "",
)


def wake(accounts: Iterable[int], *, now: datetime) -> None:
    """Say that what these accounts' activities rest on has changed. Causes three queries.

    Called in the transaction that changes it.
    """
    keys = list(accounts)
    Check.objects.bulk_create(
        [
            Check(account_id=account, kind=Check.Kind.DERIVATION, derivation=NAME, due_at=now)
            for account in keys
        ],
        ignore_conflicts=True,
    )
    make_due(
        Check.objects.filter(kind=Check.Kind.DERIVATION, derivation=NAME, account__in=keys),
        now=now,
    )
