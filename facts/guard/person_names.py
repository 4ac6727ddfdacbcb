"""Names of what is about a person: their names, numbers, addresses, and who did something."""

import re
from collections.abc import Iterable

from facts.guard.credential_names import only_speaks_about
from facts.guard.reading import readings
from facts.guard.words import anywhere, last, phrases, whole

_DATES = ("date", "time", "timestamp", "boolean")
_NUMBERS = ("integer", "number")
# Plurals and cases that people put on a word in the languages of the lists.
_ENDINGS = "|s|es|n|en|e|i|y|a|ai|ek|ok|k|er|ler|lar|ы|и|і|ів|а|ов|ες"

_NAMES = phrases("person", "names")
_PEOPLE = phrases("person", "people")
_ROLES = phrases("person", "roles")
_PARTIES = phrases("person", "parties")
_ADDRESSES = phrases("person", "addresses")
_TRAILING = rf"(?: (?:{'|'.join(sorted(phrases('person', 'trailing')))}))*"

_INNOCENT = re.compile(whole(phrases("person", "innocent")))
_BIRTH = re.compile(anywhere(phrases("person", "births")))
_OWN = re.compile(
    f"{anywhere(phrases('person', 'stems'))}|{whole(phrases('person', 'words'), 's?')}"
)
_ADDRESS = re.compile(whole(_ADDRESSES, _ENDINGS))
_HEAD = re.compile(last(phrases("person", "heads"), _TRAILING))
_SOMEBODY = re.compile(last(_PEOPLE | _ROLES, f"(?:{_ENDINGS}){_TRAILING}"))
_NUMBERED_SOMEBODY = re.compile(last(_PEOPLE, f"(?:{_ENDINGS}){_TRAILING[:-1]}+"))
_ABOUT = phrases("person", "about") | phrases("credential", "mention_first")
_CONNECTIVES = phrases("credential", "connectives")
_ABOUT_SOMEBODY = re.compile(rf"^{whole(_ABOUT)}(?: {whole(_CONNECTIVES)})? ")
_NAME_OF_SOMEBODY = re.compile(
    rf"{whole(_PEOPLE | _ROLES | _PARTIES, _ENDINGS)}(?: \S+)?? {last(_NAMES)}"
    rf"|{whole(_NAMES)}(?: \S+)?? {last(_PEOPLE | _ROLES | _PARTIES, _ENDINGS)}"
)
_NAME = re.compile(rf"^{last(_NAMES)}")
_PLACE = re.compile(last(phrases("person", "places")))
_PLACE_OF_SOMEBODY = re.compile(
    rf"{whole(_PARTIES | _ADDRESSES | _PEOPLE, _ENDINGS)}.* {last(phrases('person', 'places'))}"
)

_LABEL = re.compile(whole(_PEOPLE | phrases("person", "labels"), _ENDINGS))
_AROUND = re.compile(whole(phrases("person", "around"), "s?"))
_EVENT = re.compile(whole(phrases("person", "events"), "s?"))
_OWN_NAME = re.compile(rf"^{whole(phrases('person', 'own_names'))}$")


def is_about_person(label: str, name: str, type: str, *, owned: bool) -> bool:
    """Whether values of ``label``'s property ``name`` name people or point at one.

    Where values are counted by their owners (``owned``) a town or a post code may stay: three
    people share it. Where they are not, it points at whoever the name says it belongs to.
    """
    return any(
        _reads_as_person(_INNOCENT.sub(" ", reading).strip(), label, type, owned=owned)
        for reading in readings(name)
    )


def is_person_like(label: str, properties: Iterable[str]) -> bool:
    """Whether a record of ``label`` stands for somebody: a customer, an employee, a patient.

    By its name, or by properties that are a person's own names, unless the label is what people
    do (orders, visits): many records of one person.
    """
    ways = [_AROUND.sub(" ", _INNOCENT.sub(" ", reading)).strip() for reading in readings(label)]
    if any(_LABEL.search(way.rpartition(" ")[2]) for way in ways):
        return True
    if any(_EVENT.search(way) for way in ways):
        return False
    return any(_OWN_NAME.match(reading) for name in properties for reading in readings(name))


def _reads_as_person(reading: str, label: str, type: str, *, owned: bool) -> bool:
    born = _BIRTH.search(reading)
    if type in _DATES:
        return born is not None and type != "boolean" and not only_speaks_about(reading, born)
    found = born or _OWN.search(reading) or _ADDRESS.search(reading)
    if found and only_speaks_about(reading, found):
        return False
    if found and not _PLACE.search(reading):
        return True
    if type in _NUMBERS:
        return bool(_HEAD.search(reading) or _NUMBERED_SOMEBODY.search(reading))
    return _names_somebody(reading, label) or (
        not owned and bool(_PLACE_OF_SOMEBODY.search(reading))
    )


def _names_somebody(reading: str, label: str) -> bool:
    if _ABOUT_SOMEBODY.match(reading):
        return False
    if any(rule.search(reading) for rule in (_HEAD, _SOMEBODY, _NAME_OF_SOMEBODY)):
        return True
    return bool(_NAME.search(reading)) and is_person_like(label, ())
