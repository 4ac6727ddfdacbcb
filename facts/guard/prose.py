"""Secrets told in words: "Password for the shop: hunter2", "the pin is 1234"."""

import re
from collections.abc import Iterable

from facts.guard import words
from facts.guard.folding import fold

CJK = "\u2e80"  # from here on no blanks stand between words


def _any_of(texts: Iterable[str]) -> str:
    longest_first = sorted(texts, key=lambda text: (-len(text), text))
    return "|".join(re.escape(text).replace(r"\ ", r"[\s_-]?") for text in longest_first)


def _is_cjk(word: str) -> bool:
    return word[0] >= CJK


_SURE, _UNSURE = words.folded("prose", "strong"), words.folded("prose", "weak")
_WORDS = _SURE | _UNSURE
_STRONG = rf"(?:{_any_of(_SURE)})\w{{0,3}}"
_WEAK = rf"(?<![^\W_])(?:{_any_of(_UNSURE)})(?![^\W_])"
_NUMBERED = rf"(?<![^\W_])(?:{_any_of(words.folded('prose', 'numbered'))})(?![^\W_])"
_LINK = rf"(?:{_any_of(words.folded('prose', 'links'))})"
_OWNER = rf"(?:{_any_of(words.folded('prose', 'owners'))})"
_WHOSE = rf"(?:\s*\([^)]{{0,40}}\)|\s+{_OWNER}\s+(?:\S+\s+){{0,4}}?\S+?)?"
_SIGN = r"""["'\])]*\s*(?:[:=]+>?|->|>|→)\s*"""
_VALUE = r"""["'«„“(\[]*(?P<value>[^\s"'»”<>]+)"""

# A text with a secret's word has one of these in it: the words that hold no other of them.
_MENTIONS = [word for word in _WORDS if not any(o in word for o in _WORDS - {word})]
_TOLD = [
    re.compile(pattern)
    for pattern in (
        # password: x, DB_PASSWORD=x, "password": "x", <password>x, Password for the shop: x
        rf"(?:{_STRONG}|{_WEAK}){_WHOSE}{_SIGN}{_VALUE}",
        # wifi password guests: x
        rf"{_STRONG}(?:\s+[\w.-]+){{1,2}}\s*[:=]\s*{_VALUE}",
        # your password is x, password was changed to x
        rf"{_STRONG}{_WHOSE}\s+{_LINK}\s+{_VALUE}",
        rf"{_STRONG}\s+(?:\w+\s+){{0,2}}(?:changed|set|reset)\s+to\s+{_VALUE}",
        # the pin is 1, the pin for the door is 1
        rf"{_WEAK}{_WHOSE}\s+{_LINK}\s+(?P<value>\S{{0,40}}\d)",
        # password hunter2, パスワードは1234
        rf"{_STRONG}\s+(?P<value>(?=\S{{0,40}}[^\W\d])\S{{0,40}}\d\S*)(?<=\S{{5}})",
        rf"(?:{_any_of(filter(_is_cjk, _WORDS))})\W{{0,3}}\w?\W{{0,3}}(?P<value>[\x21-\x7e]{{4,}})",
        # password "hunter", --password hunter
        rf"(?:{_STRONG}\s+[\"'«„“”]|--{_STRONG}\s){_VALUE}",
        # pin 1234, cvv 123
        r"(?<![^\W_])cv[vc]\W{0,3}(?P<value>\d{3})",
        rf"{_NUMBERED}\W{{0,3}}(?:nr|no)?\W{{0,3}}(?P<value>\d{{4,}})",
        # hunter2 is the password
        rf"(?<!\S)(?P<value>\S{{0,40}}?\d\S{{0,40}})\s+{_LINK}\s+(?:\S+\s+)?(?:{_STRONG}|{_WEAK})",
    )
]
_HARMLESS = words.folded("prose", "harmless")
_PLACEHOLDER = re.compile(r"\?|\$\d+|:\w+|%s|%\(\w+\)s|@\w+|\{+\w+\}+|[*x•.…_-]+|\$\{?\w+\}?")


def tells_secret(text: str) -> bool:
    """Whether ``text`` names a secret and tells it."""
    text = fold(text)
    if not any(word in text for word in _MENTIONS):
        return False
    return any(not _is_harmless(match["value"]) for told in _TOLD for match in told.finditer(text))


def _is_harmless(value: str) -> bool:
    """Whether it says something about the secret (expired), or stands in a query's place of it."""
    bare = value.strip(".,;:!?)]}(")
    if not bare or bare in _HARMLESS or _PLACEHOLDER.fullmatch(value.rstrip(",;)")):
        return True
    column = bare.rpartition(".")[2]
    return column != bare and column in _WORDS
