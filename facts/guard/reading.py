"""How a name can be read: the words it is made of, however it was written."""

import re
from functools import lru_cache

from facts.guard import words
from facts.guard.folding import look_alike, plain, unleet, words_of

NAMES_KEPT = 8192  # readings of names kept in memory: names, never values
SPELLED_OUT = 2.5  # letters a word on average, below which a name is read as one word: p_i_n
LONGEST = 60  # letters of a word that is still taken apart

_TRANSLITERATED = re.compile(r"([aou])(?:(?<=[aou])e|(?<=a)a)")
_PARTS = frozenset(
    part
    for phrase in words.everything()
    for part in ([phrase] if " " not in phrase else phrase.split(" "))
    if len(part) >= (2 if " " not in phrase else 3)
)


@lru_cache(maxsize=NAMES_KEPT)
def readings(name: str) -> tuple[str, ...]:
    """The ways to read ``name``: words with a blank between, the ordinary way first."""
    found = words_of(name)
    ways = [_spaced(found)]
    if not name.isascii():
        ways.append(_spaced(tuple(map(look_alike, found))))
    if _TRANSLITERATED.search(ways[0]):  # schluessel, loesenord, fornavn paa dansk
        ways.append(_spaced(tuple(_TRANSLITERATED.sub(r"\1", word) for word in found)))
    joined = "".join(found)
    if len(found) > 1 and len(joined) < SPELLED_OUT * len(found):
        ways.append(_spaced((joined,)))
    return tuple(dict.fromkeys(ways))


@lru_cache(maxsize=NAMES_KEPT)
def daring_readings(name: str) -> tuple[str, ...]:
    """``readings``, and the one where digits and signs stand for letters: pa55word."""
    meant = look_alike(unleet(plain(name)))
    return readings(name) if meant == name else (*readings(name), _spaced(words_of(meant)))


def _spaced(found: tuple[str, ...]) -> str:
    return " ".join(part for word in found for part in _taken_apart(word))


def _taken_apart(word: str) -> tuple[str, ...]:
    """The fewest known words that ``word`` is made of, itself where it is known or made of none."""
    if word in _PARTS or len(word) > LONGEST:
        return (word,)
    ways: dict[int, tuple[str, ...]] = {0: ()}
    for end in range(2, len(word) + 1):
        for start in range(end - 1):
            if start in ways and word[start:end] in _PARTS:
                way = (*ways[start], word[start:end])
                if end not in ways or len(way) < len(ways[end]):
                    ways[end] = way
    return ways.get(len(word), (word,))
