"""Under which key an answer is kept: the question's skeleton and the things it names. Pure.

The skeleton is the question with the things it names replaced by their kind, folded for case,
spacing and canonical Unicode form (a superscript two stays another sign than a two). Two things of
one kind are numbered by identity, so that "from UPS to DHL" and "from DHL to UPS" are two
questions. Another carrier, another period or a "not" makes another key.
"""

import hmac
import re
import unicodedata
from collections.abc import Iterable
from hashlib import sha256

from facts import canonical
from facts.answers.asking import Question, Thing


def skeleton_of(text: str, things: Iterable[Thing]) -> str:
    """``text`` with ``{kind}`` where it names a thing; braces of its own are doubled."""
    names = _names_of(things)
    folded = _fold(text)
    if not names:
        return _doubled(folded)
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    parts, end = [], 0
    for match in pattern.finditer(folded):
        parts += [_doubled(folded[end : match.start()]), f"{{{names[match.group()]}}}"]
        end = match.end()
    return "".join([*parts, _doubled(folded[end:])])


def key_material(question: Question) -> bytes:
    """What the key is made of: the skeleton and the set of (kind, identity)."""
    things = {(_form(thing.kind), _form(thing.identity)) for thing in question.things}
    skeleton = skeleton_of(question.text, question.things)
    return canonical.encode([skeleton, sorted(things)])


def key_of(question: Question, secret: bytes) -> str:
    """The keyed digest of ``question``, 64 hexadecimal digits: nobody without the key can try."""
    return hmac.new(secret, key_material(question), sha256).hexdigest()


def _names_of(things: Iterable[Thing]) -> dict[str, str]:
    """What stands in the text by what replaces it. The same for any order of ``things``."""
    ordered = sorted(set(things), key=lambda one: (one.kind, one.identity, one.said or ""))
    kinds: dict[str, list[str]] = {}
    for thing in ordered:
        identities = kinds.setdefault(_form(thing.kind), [])
        if _form(thing.identity) not in identities:
            identities.append(_form(thing.identity))
    names: dict[str, str] = {}
    for thing in ordered:
        kind, identity = _form(thing.kind), _form(thing.identity)
        number = f":{kinds[kind].index(identity) + 1}" if len(kinds[kind]) > 1 else ""
        if name := _fold(thing.said or thing.identity):
            names.setdefault(name, f"{_doubled(kind)}{number}")
    return names


def _form(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _fold(text: str) -> str:
    return " ".join(_form(_form(text).casefold()).split())


def _doubled(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
