"""Which records a pattern really needs, and how they hang together. Pure.

An outer join whose right side WHERE needs is an inner one. One that WHERE asks to be missing is
a NOT EXISTS. What is left of them neither filters nor, across a hop to one record, multiplies.
Records that the same hop reaches from the same record are one if there can be only one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from facts.answers.pattern import Absent, Limited, Link, Opaque, Pattern, Said
from facts.answers.predicates import Condition, Ref
from facts.answers.schema import Hop, Schema
from facts.answers.unreadable import Unreadable

GONE = -1  # a record that may be missing, and of which there is at most one
SPREAD = -2  # one that may be missing, and of which there may be several


@dataclass(frozen=True, slots=True)
class Edge:
    """A hop between two nodes, from the hop's own ``from`` to its ``to``."""

    from_: int
    to: int
    hop: Hop

    def other(self, node: int) -> int:
        return self.to if node == self.from_ else self.from_

    def is_to_one(self, start: int) -> bool:
        return self.hop.is_to_one(forward=start == self.from_)


@dataclass(slots=True)
class Joined:
    """The needed nodes as a tree. ``place`` says where each node of the pattern has gone."""

    edges: list[Edge] = field(default_factory=list)
    limited: list[Condition] = field(default_factory=list)
    opaque: list[Opaque] = field(default_factory=list)
    place: dict[int, int] = field(default_factory=dict)
    spreads: bool = False  # an outer join may repeat rows

    def at(self, ref: Ref) -> Ref:
        return (self.place[ref[0]], ref[1])


def join(pattern: Pattern, schema: Schema) -> Joined:
    """The pattern with its outer joins decided and its nodes made a tree. Raises Unreadable."""
    found = Joined(place={at: at for at in range(len(pattern.nodes))})
    _promote(pattern)
    for group in range(len(pattern.groups)):
        if any(True for _ in pattern.of_group(group)):
            _settle(group, pattern, schema, found)
    nodes = [at for at, node in enumerate(pattern.nodes) if node.group is None]
    _check_needed(pattern.said, set(nodes))
    found.edges = _edges(pattern, [one for one in pattern.said if isinstance(one, Link)], schema)
    _merge(pattern, found)
    _check_tree(nodes, found)
    for said in pattern.said:
        if isinstance(said, Limited):
            condition = said.condition
            found.limited.append(replace(condition, ref=found.at(condition.ref)))
        elif isinstance(said, Opaque):
            refs = frozenset(found.at(ref) for ref in said.refs)
            found.opaque.append(Opaque(refs, said.absent))
    pattern.reads.update(edge.hop.key for edge in found.edges)
    return found


def _promote(pattern: Pattern) -> None:
    """Make inner what can't be missing: a condition that no NULL passes needs its record."""
    moved = True
    while moved:
        moved = False
        for said in list(pattern.said):
            for node in _needed_by(said):
                group = pattern.nodes[node].group
                if group is not None and not pattern.groups[group].absent:
                    for one in list(pattern.of_group(group)):
                        pattern.nodes[one].group = None
                    pattern.said += pattern.groups[group].said
                    moved = True


def _needed_by(said: Said) -> Iterable[int]:
    """The nodes without which ``said`` is not true."""
    if isinstance(said, Link):
        return (said.left[0], said.right[0])
    if isinstance(said, Limited):
        truth = said.condition.truth
        if truth is None or not truth.true.null:
            return (said.condition.ref[0],)
    return ()


def _settle(group: int, pattern: Pattern, schema: Schema, found: Joined) -> None:
    """Decide what an outer join that is left does: keeps rows out, repeats rows, or nothing."""
    nodes = set(pattern.of_group(group))
    said = pattern.groups[group].said
    touching = [one for one in pattern.said if any(ref[0] in nodes for ref in one.refs)]
    if touching or pattern.groups[group].absent:
        pattern.said = [one for one in pattern.said if one not in touching]
        pattern.said.append(_missing(nodes, touching, pattern, said, schema))
    elif not _is_at_most_one(nodes, said, pattern, schema):
        found.spreads = found.spreads or any(pattern.nodes[node].joined for node in nodes)
        found.place.update(dict.fromkeys(nodes, SPREAD))
        return
    found.place.update(dict.fromkeys(nodes, GONE))


def _missing(
    nodes: set[int], touching: list[Said], pattern: Pattern, said: list[Said], schema: Schema
) -> Opaque:
    """NOT EXISTS, or ``LEFT JOIN ... WHERE its key IS NULL``. Raises Unreadable.

    It is told by the one hop across which there is none, so all else must be of that record.
    """
    if len(nodes) != 1:
        raise Unreadable("outer-join")
    (node,) = nodes
    links = [one for one in said if isinstance(one, Link)]
    outside = [ref for one in said for ref in one.refs if ref[0] != node]
    edges = _edges(pattern, links, schema)
    if len(edges) != 1 or len(outside) != len(links):
        raise Unreadable("outer-join")
    label, hop = pattern.labels[node], edges[0].hop
    own = {ref[1] for link in links for ref in link.refs if ref[0] == node}
    own |= set(schema.tables[label].key)
    if not all(_asks_null(one, own) for one in touching):
        raise Unreadable("outer-join")
    pattern.reads.add(hop.key)
    inside = {ref[1] for one in said if one not in links for ref in one.refs}
    return Opaque(frozenset(outside), Absent(label, hop.verb, tuple(sorted(inside))))


def _asks_null(said: Said, properties: set[str]) -> bool:
    """Whether it is ``IS NULL`` of a property that is never NULL in a record that was joined."""
    if not isinstance(said, Limited) or said.condition.truth is None:
        return False
    true = said.condition.truth.true
    return true.null and true.values.is_empty and said.condition.ref[1] in properties


def _is_at_most_one(nodes: set[int], said: list[Said], pattern: Pattern, schema: Schema) -> bool:
    if len(nodes) != 1:
        return False
    (node,) = nodes
    links = [one for one in said if isinstance(one, Link)]
    pairs = {(min(ref[0] for ref in one.refs), max(ref[0] for ref in one.refs)) for one in links}
    if len(pairs) != 1 or not all(node in pair for pair in pairs):
        return False
    (edge,) = _edges(pattern, links, schema)
    pattern.reads.add(edge.hop.key)
    return edge.is_to_one(edge.other(node))


def _check_needed(said: list[Said], nodes: set[int]) -> None:
    if any(ref[0] not in nodes for one in said for ref in one.refs):
        raise Unreadable("outer-join")


def _edges(pattern: Pattern, links: list[Link], schema: Schema) -> list[Edge]:
    """The hops that equal properties make. Raises Unreadable for a join by anything else."""
    pairs: dict[tuple[int, int], set[tuple[str, str]]] = {}
    for link in links:
        left, right = sorted((link.left, link.right))
        pairs.setdefault((left[0], right[0]), set()).add((left[1], right[1]))
    return [_edge(pattern, ends, equal, schema) for ends, equal in pairs.items()]


def _edge(
    pattern: Pattern, ends: tuple[int, int], equal: set[tuple[str, str]], schema: Schema
) -> Edge:
    left, right = ends
    turned = {(two, one) for one, two in equal}
    labels = pattern.labels
    for hop in schema.hops:
        on = set(hop.on)
        if (hop.from_, hop.to) == (labels[left], labels[right]) and on == equal:
            return Edge(left, right, hop)
        if (hop.from_, hop.to) == (labels[right], labels[left]) and on == turned:
            return Edge(right, left, hop)
    raise Unreadable("unknown-join")


def _merge(pattern: Pattern, found: Joined) -> None:
    """Make one of the nodes that one hop to at most one record reaches from one node."""
    seen: dict[tuple[int, tuple[str, str, str], bool], int] = {}
    for edge in found.edges:
        for start in (edge.from_, edge.to):
            key = (start, edge.hop.key, start == edge.from_)
            end = edge.other(start)
            if not edge.is_to_one(start) or seen.setdefault(key, end) == end:
                continue
            _make_one(seen[key], end, pattern, found)
            _merge(pattern, found)
            return


def _make_one(kept: int, dropped: int, pattern: Pattern, found: Joined) -> None:
    pattern.nodes[kept].joined |= pattern.nodes[dropped].joined
    for node, at in found.place.items():
        if at == dropped:
            found.place[node] = kept
    moved = (
        Edge(
            kept if edge.from_ == dropped else edge.from_,
            kept if edge.to == dropped else edge.to,
            edge.hop,
        )
        for edge in found.edges
    )
    found.edges = list(dict.fromkeys(moved))


def _check_tree(nodes: list[int], found: Joined) -> None:
    """Raise Unreadable for rows that are paired at random, or joined in a ring."""
    needed = {found.place[node] for node in nodes}
    if not needed:
        raise Unreadable("outer-join")
    reached, ahead = set[int](), [min(needed)]
    while ahead:
        node = ahead.pop()
        reached.add(node)
        ends = (edge.other(node) for edge in found.edges if node in (edge.from_, edge.to))
        ahead += [end for end in ends if end not in reached]
    if reached != needed or len(found.edges) != len(needed) - 1:
        raise Unreadable("unjoined")
