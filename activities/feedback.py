"""What a person says about their activities: "not mine", "hide", and taking either back.

Nobody says it for them, and it is no event: it changes nobody's counts, only what is shown and
told of this person. Each act rebuilds the account's activities before it answers, so that the next
read no longer has what was rejected.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from activities import derivation
from activities.errors import NothingToTakeBack, UnknownVerb
from activities.models import Feedback, Verb
from facts.derivations import Outcome, run
from facts.models import Check, Person

TRIES = 3


def reject(person: Person, verb: str, *, now: datetime) -> Feedback:
    """The person says that a verb is not theirs, for good. Saying it again changes nothing.

    Raises UnknownVerb.
    """
    return _give(person, verb, Feedback.Kind.NOT_MINE, now=now)


def hide(person: Person, verb: str, *, now: datetime) -> Feedback:
    """The person hides a verb for 30 x 24 hours from now. A hide that is on keeps its end.

    Raises UnknownVerb.
    """
    return _give(person, verb, Feedback.Kind.HIDE, now=now)


def take_back(person: Person, verb: str, *, now: datetime) -> list[Feedback]:
    """The person takes back all they said about a verb that is in force.

    Raises UnknownVerb, and NothingToTakeBack.
    """
    with transaction.atomic():
        _lock(person)
        said = list(person.feedback.filter(verb=_verb(verb)).in_force(now))
        if not said:
            raise NothingToTakeBack("there is nothing to take back: nothing you said is in force")
        for each in said:
            each.withdrawn_at = now
        Feedback.objects.bulk_update(said, ["withdrawn_at"])
        derivation.wake([person.account_id], now=now)
    _rebuild(person, now=now)
    return said


def _give(person: Person, name: str, kind: Feedback.Kind, *, now: datetime) -> Feedback:
    with transaction.atomic():
        _lock(person)
        verb = _verb(name)
        given = person.feedback.filter(verb=verb, kind=kind).in_force(now).first()
        if given is not None:
            return given
        given = Feedback.objects.create(
            account_id=person.account_id, person=person, verb=verb, kind=kind, at=now
        )
        derivation.wake([person.account_id], now=now)
    _rebuild(person, now=now)
    return given


def _lock(person: Person) -> None:
    """Let one person's acts follow one another."""
    Person.objects.select_for_update(no_key=True).get(pk=person.pk)


def _verb(name: str) -> Verb:
    verb = Verb.objects.filter(name=name).first() if name.isprintable() else None
    if verb is None:
        raise UnknownVerb("the registry has no such verb")
    return verb


def _rebuild(person: Person, *, now: datetime) -> None:
    """Build the account's activities and what rests on this person's, whatever else is due.

    What still loses a race after some tries, or can't be built, stays due.
    """
    _run(derivation.target_of(person.account_id), now=now)
    resting = Check.objects.filter(
        Q(rests_on__person=person) | Q(rests_on__person=None),
        account=person.account_id,
        rests_on__ref__startswith=derivation.PREFIX,
        due_at__lte=now,
    )
    for check in resting.distinct():
        _run(check, now=now)


def _run(check: Check, *, now: datetime) -> None:
    for _try in range(TRIES):
        if run(check, now=now) != Outcome.LOST:
            return
