"""What people of the demo say themselves: what is not theirs, and how they like answers."""

from datetime import datetime

from activities import feedback, preferences
from activities.models import Feedback, Preferences
from facts.models import Account, Person

ACCOUNT = "larkspur-trading"
PERSON = "refunds-lead"  # whose page the demo's login opens
NOT_MINE, HIDDEN = "send_invoices", "build_reports"
LIKES = (
    "Amounts in euros, without cents. Put the oldest refund first.\n"
    "I look after refunds above 200 euros only."
)
OTHERS_LIKES = {
    "insights": "Tables rather than sentences, and always say of which week.",
    "front-desk": "Short answers: I read them while somebody waits on the phone.",
}


def say(*, now: datetime) -> None:
    """Each says it once: what they took back or wrote anew since stays so."""
    account = Account.objects.get(external_id=ACCOUNT)
    person = account.people.get(external_id=PERSON)
    if not Feedback.objects.filter(account=account).exists():
        feedback.reject(person, NOT_MINE, now=now)
        feedback.hide(person, HIDDEN, now=now)
    for who, text in {PERSON: LIKES, **OTHERS_LIKES}.items():
        _prefer(account.people.get(external_id=who), text, now=now)


def _prefer(person: Person, text: str, *, now: datetime) -> None:
    if not Preferences.objects.filter(person=person).exists():
        preferences.write(person, text, now=now)
