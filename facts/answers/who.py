"""Who speaks of an answer, as the credential says and nothing else."""

from dataclasses import dataclass

from facts.models import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """``name`` is what histories show.

    ``is_person`` where somebody is logged in; a program that acts for a person is a program.
    ``person`` is whose the credential is, if anybody's.
    """

    name: str
    is_person: bool = False
    person: Person | None = None
