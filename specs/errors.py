"""What the specs refuse."""

from collections.abc import Sequence
from dataclasses import dataclass

from facts.errors import KenError


class SpecError(KenError):
    """Something about a spec can't be done."""

    code = "spec"


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong in a document: where, as a JSON pointer, and what."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer or 'the document'} {self.message}"


class BadSpec(SpecError):
    """A document that can't be a spec; ``faults`` holds everything that is wrong with it."""

    code = "bad-spec"

    def __init__(self, faults: Sequence[Fault], *, name: str = "") -> None:
        start = f"{name} " if name else ""
        super().__init__("\n".join(f"{start}{fault}" for fault in faults))
        self.faults = tuple(faults)
