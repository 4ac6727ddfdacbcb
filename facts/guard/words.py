"""The word lists of ``words.toml``, folded and made ready to be searched for.

Names are searched as folded words with one blank between; a phrase is found with its blanks or
without them.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from facts.guard.folding import fold, words_of

_LISTS = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def listed(group: str, name: str) -> list[str]:
    """The list as it is written."""
    words: list[str] = _LISTS[group][name]
    return words


def folded(group: str, name: str) -> frozenset[str]:
    """The list's texts, folded but not split."""
    return frozenset(map(fold, listed(group, name)))


def phrases(group: str, *names: str) -> frozenset[str]:
    """The lists' phrases, folded, one blank between their words."""
    return frozenset(" ".join(words_of(text)) for name in names for text in listed(group, name))


def everything() -> frozenset[str]:
    """Every phrase of the lists that are about names."""
    return frozenset(
        phrase
        for group in ("credential", "person", "account", "free_text", "affixes")
        for name in _LISTS[group]
        for phrase in phrases(group, name)
    )


def anywhere(texts: Iterable[str]) -> str:
    """The pattern of any of the phrases, inside a word too."""
    return rf"(?:{_any_of(texts)})"


def whole(texts: Iterable[str], ending: str = "") -> str:
    """The pattern of any of the phrases as whole words, each with one of ``ending``."""
    return rf"(?<!\S)(?:{_any_of(texts)})(?:{ending})(?!\S)"


def last(texts: Iterable[str], ending: str = "") -> str:
    """The pattern of any of the phrases as a name's last words, figures aside: address_2."""
    return rf"(?<!\S)(?:{_any_of(texts)})(?:{ending})(?: \d+)*$"


def beside(these: Iterable[str], those: Iterable[str], between: Iterable[str]) -> str:
    """The pattern of one of ``these`` next to one of ``those``, or with a connective between."""
    one, other, link = _any_of(these), _any_of(those), _any_of(between)
    return (
        rf"(?<!\S)(?:(?:{other}) ?(?:(?:{link}) )?(?:{one})"
        rf"|(?:{one}) (?:(?:{link}) )?(?:{other}))(?!\S)"
    )


def _any_of(texts: Iterable[str]) -> str:
    longest_first = sorted(set(texts), key=lambda text: (-len(text), text))
    return "|".join(re.escape(text).replace(r"\ ", " ?") for text in longest_first)
