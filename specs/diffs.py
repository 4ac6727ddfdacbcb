"""What is other in a new version of a document, line by line: a need is a line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\w+|\s+|.")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a line, and whether it is what changed in it."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a diff: ``same``, ``removed`` or ``added``, with its number before and after."""

    kind: str
    before: int | None
    after: int | None
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(part.text for part in self.parts)


def diff(before: str, after: str) -> list[Row]:
    """Every line of both texts, what stayed once, what changed as it was and as it is."""
    old, new = before.splitlines(), after.splitlines()
    rows: list[Row] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [
                Row("same", i + 1, i - i1 + j1 + 1, (Part(old[i], False),)) for i in range(i1, i2)
            ]
        else:
            rows += _changed(old[i1:i2], new[j1:j2], i1, j1)
    return rows


def _changed(old: list[str], new: list[str], before: int, after: int) -> Iterator[Row]:
    """Lines that were replaced: each old one followed by the new one in its place, if any."""
    for index in range(max(len(old), len(new))):
        was = old[index] if index < len(old) else None
        is_ = new[index] if index < len(new) else None
        was_parts, is_parts = _parts(was, is_)
        if was is not None:
            yield Row("removed", before + index + 1, None, was_parts)
        if is_ is not None:
            yield Row("added", None, after + index + 1, is_parts)


def _parts(was: str | None, is_: str | None) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Both lines in parts; where they have little in common each is one part."""
    old, new = _TOKEN.findall(was or ""), _TOKEN.findall(is_ or "")
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if was is None or is_ is None or matcher.ratio() < 0.5:
        return (Part(was or "", False),), (Part(is_ or "", False),)
    opcodes = matcher.get_opcodes()
    return (
        tuple(
            Part("".join(old[i1:i2]), tag != "equal") for tag, i1, i2, _, _ in opcodes if i1 < i2
        ),
        tuple(
            Part("".join(new[j1:j2]), tag != "equal") for tag, _, _, j1, j2 in opcodes if j1 < j2
        ),
    )
