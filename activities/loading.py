"""Loading a long run of lines in batches, each of which is kept whole before the next is read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.utils import timezone

from activities import rules, votes
from activities.errors import BrokenFile
from activities.events import Refused, read
from activities.votes import Taken

BATCH = 50_000  # lines


@dataclass(slots=True)
class Loaded:
    """What became of the lines so far, and which of the last batch were refused."""

    taken: Taken = field(default_factory=Taken)
    on_behalf: int = 0
    refused: list[Refused] = field(default_factory=list)
    refused_before: int = 0

    @property
    def summary(self) -> dict[str, int]:
        """How many lines became what; each line but an empty one is in one of the counts."""
        return {
            "accepted": self.taken.accepted,
            "folded": self.taken.folded,
            "unmapped": self.taken.unmapped,
            "on_behalf": self.on_behalf,
            "refused": self.refused_before + len(self.refused),
        }


def load(lines: Iterable[bytes | None]) -> Iterator[Loaded]:
    """Take the events in ``lines`` in; says after each batch, and at the end, what became of them.

    A batch that was kept stays kept when a later one breaks off: the same lines may be loaded
    again. Raises BrokenFile after what came before the damage is kept.
    """
    loaded, number = Loaded(), 1
    for batch in _batches(lines):
        now = timezone.now()
        found = read(batch, start=number, latest=rules.microseconds(now + rules.CLOCK_SKEW))
        number += len(batch)
        loaded.refused_before += len(loaded.refused)
        loaded.refused, loaded.on_behalf = found.refused, loaded.on_behalf + found.on_behalf
        loaded.taken.add(votes.take(found.events, now=now))
        yield loaded
    loaded.refused_before, loaded.refused = loaded.refused_before + len(loaded.refused), []
    yield loaded


def _batches(lines: Iterable[bytes | None]) -> Iterator[list[bytes | None]]:
    batch: list[bytes | None] = []
    damage: BrokenFile | None = None
    try:
        for line in lines:
            batch.append(line)
            if len(batch) == BATCH:
                yield batch
                batch = []
    except BrokenFile as fault:
        damage = fault
    if batch:
        yield batch
    if damage is not None:
        raise damage
