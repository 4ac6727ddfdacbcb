"""Giving what was reflected its names: those it has already, the mapping's, or new ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from facts import guard
from facts.probing import names
from facts.probing.errors import BadMapping
from facts.probing.layout import Layout


@dataclass(frozen=True, slots=True)
class Known:
    """The names that a table, its columns and its relations have already."""

    label: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)  # by column
    verbs: Mapping[str, str] = field(default_factory=dict)  # by the relation's place


def named(
    layouts: Sequence[Layout],
    *,
    everything: Sequence[Layout],
    known: Mapping[tuple[str, str], Known],
    taken: Collection[str],
    source: str,
    default_schema: str,
) -> list[Layout]:
    """The layouts with every label, property and verb in its place, and people recognised.

    ``everything`` is what the source holds, before the mapping hid any of it: a record belongs to
    a customer whether customers are told of or not. ``known`` are the names of the source's tables
    so far, those that are gone included; ``taken`` are the labels of the account's other sources.
    Raises BadMapping where the mapping gives a label that a table has already.
    """
    _demand_free(layouts, known, taken)
    labels = names.labels(
        layouts,
        known={place: one.label for place, one in known.items() if one.label},
        taken=taken,
        source=source,
        default_schema=default_schema,
    )
    people = {layout.place: _is_person(layout, "") for layout in everything}
    people |= {layout.place: _is_person(layout, labels[layout.place]) for layout in layouts}
    return [
        _named(
            layout,
            known.get(layout.place, Known()),
            labels=labels,
            people=people,
        )
        for layout in layouts
    ]


def _named(
    layout: Layout,
    known: Known,
    *,
    labels: Mapping[tuple[str, str], str],
    people: Mapping[tuple[str, str], bool],
) -> Layout:
    given = {column.name: column.property for column in layout.columns if column.property}
    properties = names.numbered(
        [(column.name, names.property_of(column.name)) for column in layout.columns],
        known=_without(known.properties, given.values()) | given,
    )
    wanted = {one.place: one.verb for one in layout.relations if one.verb}
    defaults = {one.place: names.verb_of(one) for one in layout.relations}
    verbs = {**known.verbs, **wanted}
    hidden = {column.name for column in layout.columns if column.is_hidden}
    relations = []
    used: set[tuple[str, str]] = set()
    for one in sorted(layout.relations, key=lambda one: (one.place not in verbs, one.place)):
        is_told = hidden.isdisjoint(one.columns)
        target = labels.get((one.schema, one.table), "") if is_told else ""
        verb = _unused(verbs.get(one.place) or defaults[one.place], target, used)
        is_person = people.get((one.schema, one.table), False)
        relations.append(replace(one, verb=verb, label=target, is_person=is_person))
        used.add((verb, target))
    return replace(
        layout,
        label=labels[layout.place],
        is_person=people[layout.place],
        columns=tuple(
            replace(column, property=properties[column.name]) for column in layout.columns
        ),
        relations=tuple(relations),
    )


def _is_person(layout: Layout, label: str) -> bool:
    """By what it is called here, or by what its source calls it: renaming hides nobody.

    A table whose key is made of ways to others says who belongs to what: one person, many records.
    """
    if len(layout.key) > 1 and any(set(layout.key) > set(one.columns) for one in layout.relations):
        return False
    properties = [column.property or column.name for column in layout.columns]
    own = [column.name for column in layout.columns]
    return guard.is_person_like(label, properties) or guard.is_person_like(
        names.label_of(layout.name), own
    )


def _unused(verb: str, target: str, used: Collection[tuple[str, str]]) -> str:
    chosen, number = verb, 2
    while (chosen, target) in used:
        chosen, number = f"{verb}_{number}", number + 1
    return chosen


def _without(names_: Mapping[str, str], given: Collection[str]) -> dict[str, str]:
    return {thing: name for thing, name in names_.items() if name not in given}


def _demand_free(
    layouts: Sequence[Layout], known: Mapping[tuple[str, str], Known], taken: Collection[str]
) -> None:
    there = {layout.place for layout in layouts}
    renamed = {layout.place for layout in layouts if layout.label}
    others = {one.label: place for place, one in known.items() if place in there - renamed}
    for layout in layouts:
        if not layout.label:
            continue
        holder = others.get(layout.label, layout.place)
        if layout.label in taken or holder != layout.place:
            raise BadMapping(
                f"the mapping is faulty: the label of {layout.spelled} is another table's already"
            )
