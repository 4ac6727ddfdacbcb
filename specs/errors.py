"""What the specs refuse."""

from collections.abc import Iterable
from dataclasses import dataclass

from facts.errors import KenError


class SpecError(KenError):
    """Something about a spec can't be done."""

    code = "spec"


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong in a document: where, as a JSON pointer, and what.

    ``source`` is the file it was read from, where there are several.
    """

    pointer: str
    message: str
    source: str = ""

    def __str__(self) -> str:
        source = f"{self.source} " if self.source else ""
        return f"{source}{self.pointer or 'the document'} {self.message}"


class BadSpec(SpecError):
    """Documents that can't be specs; ``faults`` holds everything that is wrong, one a line."""

    code = "bad-spec"

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class UnknownSpec(SpecError):
    """No spec has this id, or it has no version in force."""

    code = "unknown-spec"


class WrongState(SpecError):
    """A version is not where this step of its life starts."""

    code = "wrong-state"


class OwnDraft(SpecError):
    """A reviewer tried to approve what they wrote, and there is somebody else to ask."""

    code = "own-draft"


class StillNeeded(SpecError):
    """A spec can't be retired while another one in force needs its feature."""

    code = "still-needed"
