"""Whether a stored query may answer what is asked. Pure.

Value sets are compared property by property, never texts. A query is served if it keeps exactly
what was asked on every property that was named, and each record once; what else it restricts is
said. Of several faults the gravest is told: contradicts, then leaves-out. What can't be proven is
leaves-out.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from facts.answers import domains, wording
from facts.answers.analysis import Analysis
from facts.answers.asked import Asked, NotAsked, asked_of
from facts.answers.asking import Constraint
from facts.answers.schema import Schema
from facts.answers.scopes import LOOSE

Verdict = Literal["serve", "adds", "contradicts", "leaves-out"]


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict; what is restricted beside what was asked, by names only; why it is refused."""

    verdict: Verdict
    additions: list[str]
    reason: str

    @property
    def is_served(self) -> bool:
        return self.verdict in ("serve", "adds")


@dataclass(slots=True)
class _Findings:
    contradicts: list[str] = field(default_factory=list)
    leaves_out: list[str] = field(default_factory=list)
    additions: list[str] = field(default_factory=list)

    def decision(self) -> Decision:
        if self.contradicts:
            return Decision("contradicts", [], self.contradicts[0])
        if self.leaves_out:
            return Decision("leaves-out", [], self.leaves_out[0])
        if self.additions:
            return Decision("adds", self.additions, "it also restricts what nobody named")
        return Decision("serve", [], "it enforces exactly what is asked")


def judge(constraints: Iterable[Constraint], analysis: Analysis, schema: Schema) -> Decision:
    """Compare what is asked with what the stored query does."""
    if analysis.unreadable is not None:
        return Decision("leaves-out", [], f"the query can't be read: {analysis.unreadable}")
    try:
        asked = asked_of(constraints, schema, analysis.found["dialect"])
    except NotAsked as fault:
        return Decision("leaves-out", [], str(fault))
    findings = _Findings()
    _judge_shape(asked, analysis.found, findings)
    places = _places(asked, analysis.found, schema, findings)
    if places is not None:
        _judge_domains(asked, analysis.found, places, findings)
        _judge_measure(asked, analysis.found, places, schema, findings)
    _judge_absences(places or asked.labels, analysis.found, findings)
    return findings.decision()


def _judge_shape(asked: Asked, found: Any, findings: _Findings) -> None:
    """Rows for rows, a count for a count; each wanted group; and nothing cut off."""
    gives_rows = not found["measures"]
    if gives_rows is not (asked.measure == "rows"):
        findings.contradicts.append(f"{asked.measure} asked, another measure stored")
    elif bool(found["groups"]) is not bool(asked.groups):
        findings.contradicts.append("split into other groups than asked")
    if found["skips"]:
        findings.leaves_out.append("it skips rows")
    scalar = not gives_rows and not found["groups"]
    if scalar and asked.limit is None and found["limit"] != 0:
        return
    if found["limit"] != asked.limit:
        findings.leaves_out.append("it cuts at another limit than asked")
    elif asked.limit is not None and (asked.measure != "rows" or asked.groups):
        findings.leaves_out.append("a limit of anything but rows can't be compared")


def _judge_absences(labels: Collection[str], found: Any, findings: _Findings) -> None:
    """That what must be there is not said to be missing."""
    for one in found["opaque"]:
        if one["absent"] is not None and one["absent"][0] in labels:
            findings.contradicts.append(f"{one['absent'][0]} asked, its absence stored")


def _places(asked: Asked, found: Any, schema: Schema, findings: _Findings) -> dict[str, int] | None:
    """Where each asked label, and each on the way to it, stands among the query's nodes."""
    places: dict[str, int] = {}
    for number, (label, _) in enumerate(found["nodes"]):
        if label in places:
            findings.leaves_out.append(f"{label} stands in it more than once")
            return None
        places[label] = number
    if asked.label not in places or not found["nodes"][places[asked.label]][1]:
        findings.leaves_out.append(f"it gives no {asked.label}")
        return None
    edges = {(one[0], one[1], one[2]) for one in found["edges"]}
    needed = {asked.label: places[asked.label]}
    for label in asked.labels:
        way = schema.path(asked.label, label)
        if way is None:
            findings.leaves_out.append(f"there is no one way from {asked.label} to {label}")
            return None
        for hop, _ in way:
            ends = (places.get(hop.from_), places.get(hop.to))
            if (*ends, hop.verb) not in edges:
                findings.leaves_out.append(f"{label} is not required by {hop.verb}")
                return None
            needed[hop.from_], needed[hop.to] = ends  # type: ignore[assignment]
    for label, number in places.items():
        if label not in needed:
            findings.additions.append(_addition(label, number, found))
    return needed


def _addition(label: str, number: int, found: Any) -> str:
    verbs = [one[2] for one in found["edges"] if number in one[:2]]
    return f"a {label} by {verbs[0]}"


def _judge_domains(asked: Asked, found: Any, places: dict[str, int], findings: _Findings) -> None:
    wanted = {(places[label], name): one for (label, name), one in asked.domains.items()}
    met = set()
    for number, property_, stored, implied in found["domains"]:
        place, name = (number, property_), f"{found['nodes'][number][0]}.{property_}"
        if place not in wanted:
            if domains.is_empty(stored):
                findings.contradicts.append("it never gives anything")
            if not implied:
                findings.additions.append(wording.restriction(name, stored))
            continue
        met.add(place)
        if wanted[place] == stored:
            continue
        if domains.shuts_out(wanted[place], stored):
            findings.contradicts.append(f"it shuts out what is asked of {name}")
        else:
            findings.leaves_out.append(f"what is asked of {name} is not enforced exactly")
    for place, domain in wanted.items():
        if domain is not None and place not in met:
            name = f"{found['nodes'][place[0]][0]}.{place[1]}"
            findings.leaves_out.append(f"what is asked of {name} is not enforced")
    _judge_opaque(set(wanted), found, findings)


def _judge_opaque(wanted: set[tuple[int, str]], found: Any, findings: _Findings) -> None:
    """What is known by the properties it touches alone may add, and proves nothing."""
    for one in found["opaque"]:
        if one["absent"] is not None:
            findings.additions.append(wording.absence(*one["absent"]))
            continue
        names = [f"{found['nodes'][at][0]}.{property_}" for at, property_ in one["refs"]]
        if any((at, property_) in wanted for at, property_ in one["refs"]):
            findings.leaves_out.append(f"what it asks of {', '.join(names)} can't be compared")
        findings.additions.append(f"a condition on {', '.join(names)}")


def _judge_measure(
    asked: Asked, found: Any, places: dict[str, int], schema: Schema, findings: _Findings
) -> None:
    """That each record is given, counted or added once, and under its own group."""
    base = places[asked.label]
    single, repeats = _reach(base, found)
    key = [[base, property_] for property_ in schema.tables[asked.label].key]
    if not key:
        findings.leaves_out.append(f"{asked.label} has no known key")
    elif asked.measure == "rows":
        _judge_rows(key, single, found, findings, repeats=repeats)
    else:
        _judge_number(asked, key, found, findings, repeats=repeats)
    groups = [[places[label], name] for label, name in asked.groups]
    if groups or found["groups"]:
        if _sorted(groups) != _sorted(found["groups"] or []):
            findings.contradicts.append("split into other groups than asked")
        elif any(group not in found["columns"] for group in groups):
            findings.leaves_out.append("it does not say which group is which")
        elif any(group[0] not in single for group in groups):
            findings.leaves_out.append("a record may stand in several groups")


def _judge_rows(
    key: list[list[Any]], single: set[int], found: Any, findings: _Findings, *, repeats: bool
) -> None:
    if found["groups"] or any(one not in found["columns"] for one in key):
        findings.leaves_out.append("it does not say which record a row is")
        return
    distinct = found["distinct"]
    if distinct is not None and any(one not in distinct for one in key):
        findings.leaves_out.append("it makes one row of several records")
    elif repeats and (distinct is None or any(one[0] not in single for one in distinct)):
        findings.leaves_out.append("it repeats records")
    if found["limit"] is not None and found["order"]:
        names = [
            f"{found['nodes'][at][0]}.{name}{' descending' * is_descending}"
            for (at, name), is_descending in zip(found["order"], found["descending"], strict=True)
            if at >= 0
        ]
        findings.additions.append(f"the first by {', '.join(names)}")


def _judge_number(
    asked: Asked, key: list[list[Any]], found: Any, findings: _Findings, *, repeats: bool
) -> None:
    if len(found["measures"]) != 1 or found["others"]:
        findings.contradicts.append(f"{asked.measure} asked, another measure stored")
        return
    name, ref = found["measures"][0]
    if any(column not in (found["groups"] or []) for column in found["columns"]):
        findings.leaves_out.append("it gives more than the number")
    if asked.measure == "count" and name == "count-distinct" and [ref] == key:
        return
    if repeats:
        findings.contradicts.append("it counts a record as often as a join repeats it")
    elif asked.measure == "count":
        if name != "count":
            findings.contradicts.append("count asked, another measure stored")
        elif ref is not None and not _is_filled(ref, key, found):
            findings.contradicts.append("it counts the filled values of a property")
    elif name != "sum" or ref != [key[0][0], asked.property]:
        findings.contradicts.append("the sum asked, another measure stored")


def _is_filled(ref: list[Any], key: list[list[Any]], found: Any) -> bool:
    """Whether a property is never NULL in the records that are counted."""
    if ref in key and found["dialect"] not in LOOSE:
        return True
    return any(
        [at, property_] == ref and not domain["null"]
        for at, property_, domain, _ in found["domains"]
    )


def _reach(base: int, found: Any) -> tuple[set[int], bool]:
    """The nodes of which one record has at most one, and whether a join repeats records."""
    single, repeats, seen = {base}, found["spreads"], {base}
    ahead = [(base, True)]
    while ahead:
        node, is_single = ahead.pop()
        for from_, to, _, forward, back in found["edges"]:
            if node not in (from_, to):
                continue
            end, one = (to, forward) if node == from_ else (from_, back)
            if end in seen:
                continue
            seen.add(end)
            if is_single and one:
                single.add(end)
            repeats = repeats or (found["nodes"][end][1] and not one)
            ahead.append((end, is_single and one))
    return single, repeats


def _sorted(refs: Iterable[list[Any]]) -> list[list[Any]]:
    return sorted(refs)
