"""What a stored query reads, restricts and gives, found once when its answer is stored. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from facts.answers.schema import Schema


@dataclass(frozen=True, slots=True)
class Analysis:
    """Plain data about one query; ``unreadable`` is a code where nothing can be said of it.

    ``reads`` are the (label, property) and (label, verb, label) whose change outdates it.
    """

    reads: tuple[tuple[str, ...], ...] = ()
    unreadable: str | None = None
    found: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The analysis that ``to_document`` wrote, after a way through jsonb too."""
        reads = tuple(tuple(read) for read in document["reads"])
        return cls(reads, document["unreadable"], document["found"])

    def to_document(self) -> dict[str, Any]:
        return {
            "reads": [list(read) for read in self.reads],
            "unreadable": self.unreadable,
            "found": dict(self.found),
        }


def analyse(
    sql: str,
    dialect: str,
    schema: Schema,
    params: Mapping[str, Any] | Sequence[Any] = (),
) -> Analysis:
    """What ``sql`` does, as far as every node of it is understood; else an unreadable analysis."""
    del sql, dialect, schema, params
    return Analysis(unreadable="not-read")
