"""What a query matches, before it is simplified: records, and what is said of them. Pure.

Every table that a query names is a node, in FROM and in EXISTS alike. Conditions that must all
hold lie in a list: the query's own, or that of the outer join or of the NOT EXISTS they stand in.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from facts.answers.predicates import Condition, Ref


@dataclass(frozen=True, slots=True)
class Link:
    """Two properties of two nodes are equal."""

    left: Ref
    right: Ref

    @property
    def refs(self) -> frozenset[Ref]:
        return frozenset((self.left, self.right))


@dataclass(frozen=True, slots=True)
class Absent:
    """That there is no record of a label across a hop, or none with something of ``properties``."""

    label: str
    verb: str
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """A condition over one combination of rows that is known by what it touches alone."""

    refs: frozenset[Ref]
    absent: Absent | None = None


@dataclass(frozen=True, slots=True)
class Limited:
    """A condition on one property."""

    condition: Condition

    @property
    def refs(self) -> frozenset[Ref]:
        return frozenset((self.condition.ref,))


Said = Link | Opaque | Limited


@dataclass(slots=True)
class Node:
    """A record: of which label, whether the result has a row for each (or only needs one)."""

    label: str
    joined: bool
    group: int | None = None  # which it need not, or must not, be there with


@dataclass(slots=True)
class Group:
    """Records and what is said of them, apart from all others.

    They need not be there (a LEFT JOIN's right side and its ON) or, ``absent``, must not be (NOT
    EXISTS).
    """

    said: list[Said] = field(default_factory=list)
    absent: bool = False


@dataclass(slots=True)
class Pattern:
    nodes: list[Node] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)  # of the nodes
    said: list[Said] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    reads: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, label: str, *, joined: bool, group: int | None) -> int:
        self.nodes.append(Node(label, joined, group))
        self.labels.append(label)
        return len(self.nodes) - 1

    def of_group(self, group: int) -> Iterator[int]:
        return (place for place, node in enumerate(self.nodes) if node.group == group)
