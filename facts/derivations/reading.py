"""Reading stored facts as inputs, with a note of what was read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from facts.models import Account, Fact, Person
from facts.refs import Ref, demand_prefix

Read = tuple[str, int | None]  # a ref or prefix, and whose: the key of a person


@dataclass(slots=True)
class Reading:
    """One target's reads of one moment. What it reads is what the target depends on.

    ``now`` may choose what is read and must not be part of it: an input that moves by itself
    rebuilds for ever. Where the inputs change by themselves, as a window that moves on does, the
    derivation says when with ``changes_at``; that trust lapses the store says itself. Facts are
    shared by all that read them at once: nobody changes one.
    """

    account: Account
    now: datetime
    reads: set[Read] = field(default_factory=set)  # (ref or prefix, person)
    again_at: datetime | None = None
    ahead: Mapping[tuple[int, Read], list[Fact]] = field(default_factory=dict)  # read already

    def at(self, *refs: Ref, person: Person | None = None) -> dict[Ref, Fact]:
        """The facts there are at ``refs``, by ref, in one query. One not there is unknown."""
        places = self._note([str(ref) for ref in refs], person)
        if all(place in self.ahead for place in places):
            return {fact.ref: fact for place in places for fact in self.ahead[place]}
        facts = Fact.objects.filter(account=self.account, person=person).at(*refs)
        return {fact.ref: fact for fact in facts}

    def under(self, prefix: str, *, person: Person | None = None) -> list[Fact]:
        """The facts under ``prefix``, sorted by ref and person, in one query.

        A prefix is a namespace and kind, and whole names of the key: ``data:label:``,
        ``data:fill:Order|``. Facts of people are everybody's where no ``person`` is given.
        Raises BadRef for a prefix that ends within a name.
        """
        demand_prefix(prefix)
        [place] = self._note([prefix], person)
        if place in self.ahead:
            return list(self.ahead[place])
        facts = Fact.objects.filter(account=self.account).under(prefix)
        if person is not None:
            facts = facts.filter(person=person)
        return list(facts.order_by("namespace", "kind", "key", "person"))

    def changes_at(self, moment: datetime | None) -> None:
        """Say when the inputs change by themselves; of several moments the first to come holds."""
        moments = [each for each in (self.again_at, moment) if each is not None and each > self.now]
        self.again_at = min(moments, default=None)

    def _note(self, places: list[str], person: Person | None) -> list[tuple[int, Read]]:
        owner = None if person is None else person.pk
        reads = [(place, owner) for place in places]
        self.reads.update(reads)
        return [(self.account.pk, read) for read in reads]
