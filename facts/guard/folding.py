"""Folding: the one form of a text in which the guard compares it.

People write one word in many ways, and somebody who wants it through writes it in more: with
accents, in full-width letters, with a Cyrillic а in it, with invisible characters between.
"""

import re
import unicodedata

# Of the confusables in Unicode's TR 39 those a reader takes for the Latin letter in plain type.
_LATIN = {
    "a": "аαɑ", "b": "вβ", "c": "сϲ", "d": "ԁ", "e": "еεє", "g": "ɡ", "h": "нһ", "i": "іιɩ",
    "j": "јϳ", "k": "кκ", "l": "ӏ", "m": "м", "n": "η", "o": "оο", "p": "рρ", "q": "ԛ", "s": "ѕ",
    "t": "тτ", "u": "υ", "v": "ν", "w": "ԝω", "x": "хχ", "y": "уγү",
}  # fmt: skip
_LOOK_ALIKES = str.maketrans({alike: latin for latin, them in _LATIN.items() for alike in them})
_LETTERS = {
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "æ": "ae",
    "œ": "oe",
    "ı": "i",
    "ħ": "h",
}
_FOLDED = str.maketrans(_LETTERS)
_LEET = str.maketrans("013457@$!", "oieastasi")
# Letters and marks by their category that print nothing: fillers, a joiner, variation selectors.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    map(chr, range(0xFE00, 0xFE10))
)
_LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")


class _Visible(dict[int, str | None]):
    """What each character becomes that prints nothing or is a digit of another script."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        category = unicodedata.category(character)
        shown: str | None = character
        if character in _BLANK or (category in ("Cf", "Cc") and character not in "\t\n\r"):
            shown = None
        elif category == "Nd":
            shown = str(unicodedata.decimal(character))
        self[code] = shown
        return shown


class _Bare(dict[int, str | None]):
    """What each character becomes without its accent."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        bare = None if unicodedata.category(character) == "Mn" else character
        self[code] = bare
        return bare


_visible, _bare = _Visible(), _Bare()


def plain(text: str) -> str:
    """``text`` with compatibility forms resolved, invisible characters gone, digits in ASCII."""
    if text.isascii() and text.isprintable():
        return text
    # Digits of other scripts come out of compatibility forms, so they are looked for last.
    shown = unicodedata.normalize("NFKC", text.translate(_visible))
    return shown if shown.isascii() else shown.translate(_visible)


def fold(text: str) -> str:
    """``text`` in lower case without accents: the form in which words are compared."""
    if text.isascii():
        return text.lower()
    return _without_accents(plain(text).casefold()).translate(_FOLDED)


def words_of(name: str) -> tuple[str, ...]:
    """The folded words of a name in snake_case, camelCase, kebab-case or plain writing."""
    bare = _without_accents(plain(name)).replace("'", "").replace("’", "")
    parts = _LETTERS_OR_DIGITS.findall(bare)
    return tuple(fold(word) for part in parts for word in _split_case(part))


def look_alike(word: str) -> str:
    """``word`` with every letter that looks like a Latin one made that one."""
    return word.translate(_LOOK_ALIKES)


def unleet(word: str) -> str:
    """``word`` with the digits and signs that stand for letters made letters: passw0rd."""
    return word.translate(_LEET)


def _split_case(part: str) -> list[str]:
    if part.islower() or part.isupper() or not part.isalpha():
        return [part]
    starts = [0]
    for i in range(1, len(part)):
        before, here, after = part[i - 1], part[i], part[i + 1 : i + 2]
        if here.isupper() and (not before.isupper() or after.islower()):
            starts.append(i)
    return [part[a:b] for a, b in zip(starts, [*starts[1:], len(part)], strict=True)]


def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFKD", text).translate(_bare)
