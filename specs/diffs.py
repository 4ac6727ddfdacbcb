"""What is other in a new version of a document, line by line: a need is a line."""

import re
from dataclasses import dataclass
from difflib import ndiff
from itertools import groupby

_WORD = re.compile(r"[\w.]+|\W")
_KINDS = {"  ": "same", "- ": "removed", "+ ": "added"}
_HINT = "? "  # a line of ndiff's that marks what changed in the line before it


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a line, and whether it is what changed in it."""

    text: str
    changed: bool = False


@dataclass(slots=True)
class Row:
    """A line of a diff: ``same``, ``removed`` or ``added``, with its number before and after."""

    kind: str
    before: int | None
    after: int | None
    parts: list[Part]

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(part.text for part in self.parts)


def diff(before: str, after: str) -> list[Row]:
    """Every line of both texts; lines alike stand together, with what changed in them marked."""
    rows: list[Row] = []
    old = new = 0
    for line in ndiff(before.splitlines(), after.splitlines()):
        mark, text = line[:2], line[2:]
        if mark == _HINT:
            rows[-1].parts = _marked(rows[-1].text, text)
            continue
        kind = _KINDS[mark]
        old += kind != "added"
        new += kind != "removed"
        numbers = (None if kind == "added" else old, None if kind == "removed" else new)
        rows.append(Row(kind, *numbers, [Part(text)]))
    return rows


def _marked(text: str, hint: str) -> list[Part]:
    """``text`` in parts; a word is changed where ``hint`` has a mark below any of its letters."""
    marks = hint.rstrip("\n").ljust(len(text))
    words = [
        (word[0], bool(marks[word.start() : word.end()].strip())) for word in _WORD.finditer(text)
    ]
    return [
        Part("".join(word for word, _ in run), changed)
        for changed, run in groupby(words, key=lambda word: word[1])
    ]
