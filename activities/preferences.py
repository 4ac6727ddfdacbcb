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
        raise BadPreferences(f"it has {len(text)} characters; at most {LONGEST} can be kept")
    if "\0" in text:
        raise BadPreferences("it holds a NUL character, and preferences are text")
    if reason := guard.text_reason(text):
        raise BadPreferences(f"it holds something that looks like {guard.IN_WORDS[reason]}")
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
