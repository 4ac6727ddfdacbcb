"""What a person wants their assistant to know of them, in their own words.

It reaches the assistant quoted and labelled as theirs, and nobody else reads it.
"""

from datetime import datetime

from activities.errors import BadPreferences
from activities.models import Preferences
from facts import guard
from facts.models import Person

LONGEST = 500  # characters


def write(person: Person, text: str, *, now: datetime) -> Preferences:
    """Replace what the person wrote; an empty text takes it back. The same again changes nothing.

    Raises BadPreferences, with the reason, and then what stood stays.
    """
    text = "\n".join(line.strip() for line in text.strip().splitlines())
    if len(text) > LONGEST:
        raise BadPreferences(f"preferences have at most {LONGEST} characters; these {len(text)}")
    if "\0" in text:
        raise BadPreferences("preferences are text, and this holds a NUL character")
    if reason := guard.text_reason(text):
        raise BadPreferences(f"this can't be kept, a part of it looks like: {reason}")
    stands = Preferences.objects.filter(person=person).first()
    if stands is not None and stands.text == text:
        return stands
    written, _ = Preferences.objects.update_or_create(
        person=person, defaults={"account": person.account, "text": text, "written_at": now}
    )
    return written


def text_of(person: Person) -> str:
    """What the person wrote, as it stands; empty where they wrote nothing. One query.

    What would not be kept today is not told either.
    """
    text = Preferences.objects.filter(person=person).values_list("text", flat=True).first() or ""
    return "" if guard.text_reason(text) else text
