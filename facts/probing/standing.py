"""How the probe's facts stand before something is read: what every measurement starts from."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from django.db.models import QuerySet

from facts import canonical
from facts.models import Account, Fact
from facts.refs import Ref

OBSERVER = "probe"
KINDS = ("label", "properties", "fill", "hop", "vocabulary")
ABSENT = {"absent": True}
_ABSENT = canonical.digest(ABSENT)


@dataclass(frozen=True, slots=True)
class Stand:
    """A fact's version and digest, and whether it waits for a measurement."""

    version: int = 0
    digest: str = ""
    is_open: bool = False

    @property
    def is_absent(self) -> bool:
        """Whether it is known that there is no such thing."""
        return self.digest == _ABSENT


class Standing(dict[Ref, Stand]):
    """Stands by ref; a fact that has no row stands at version 0."""

    @classmethod
    def of_account(cls, account: Account) -> Self:
        """Every fact of the probe's. One query."""
        return cls._read(account.facts.filter(namespace="data", kind__in=KINDS))

    @classmethod
    def at(cls, account: Account, refs: Iterable[Ref]) -> Self:
        """The facts at ``refs``. One query."""
        return cls._read(account.facts.filter(person=None).at(*refs))

    @classmethod
    def _read(cls, facts: "QuerySet[Fact]") -> Self:
        fields = ("account", "kind", "key", "version", "digest", "requested_at", "measured_from")
        return cls(
            (
                Ref("data", fact.kind, fact.key),
                Stand(fact.version, fact.digest, fact.is_open),
            )
            for fact in facts.only(*fields)
        )

    def __missing__(self, ref: Ref) -> Stand:
        return Stand()

    def is_changed(self, facts: Iterable[Fact]) -> bool:
        """Whether any of ``facts``, as written since, says something else than before."""
        return any(fact.digest != self[fact.ref].digest for fact in facts)
