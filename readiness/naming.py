"""Names in sentences the assistant reads: cleaned, and every list that is cut says so.

A name comes from somebody's database or document. What reaches a header is one run of plain
characters: no line breaks, control or direction characters, no quotes or brackets that could end
or begin anything.
"""

import unicodedata
from collections.abc import Sequence

LONGEST_NAME = 60  # characters

_QUOTED = dict.fromkeys('"“”„«»', "'") | {"<": "(", ">": ")"}
_FRAME = frozenset("\"'`“”‘’«»‹›„‚<>{}[]()\\|;")  # what a frame is made of, a name is not


def cleaned(name: str) -> str:
    """``name`` as one line of plain characters, at most 60; "unnamed" where nothing is left."""
    composed = unicodedata.normalize("NFKC", name)
    kept = (" " if _separates(character) else character for character in composed)
    text = " ".join("".join(kept).split())
    if len(text) > LONGEST_NAME:
        text = text[: LONGEST_NAME - 1].rstrip() + "…"
    return text or "unnamed"


def quoted(text: str, *, most: int) -> str:
    """``text`` in double quotes as one line, whatever it holds, cut to ``most`` characters of it.

    Its own quotes become single ones and its angle brackets round ones: it can't end the quote.
    """
    plain = "".join(
        " " if unicodedata.category(character)[0] in "CZ" else _QUOTED.get(character, character)
        for character in unicodedata.normalize("NFKC", text)
    )
    line = " ".join(plain.split())
    return f'"{line[: most - 1] + "…" if len(line) > most else line}"'


def listed(names: Sequence[str], *, most: int) -> str:
    """The first ``most`` names, then "and N more": "A, B, C and 2 more"."""
    shown = ", ".join(cleaned(name).replace(",", " ") for name in names[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown


def _separates(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "CZ" or character in _FRAME
