"""The schema of an account as its own facts and tables tell it, for the analysis of queries."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from facts.answers.schema import Schema
from facts.models import Account, Fact, Table
from facts.probing.layout import Layout, Relation

Document = dict[str, Any]  # of a schema, as Schema.from_document takes it
DIALECTS = {"postgresql": "postgres"}  # what facts call it, and what the parser does
DEFAULT_SCHEMAS = ("", "public", "main")  # in which a query need not say where a table is


def schema_document(account: Account, dialect: str | None = None) -> Document:
    """The labels, properties and hops of an account, as it was last learned. Two queries.

    Columns come from ``data:properties`` facts, so that what the mapping hides is not there; hops
    from the tables' relations, which hold what the mapping declares. A name that tables of two
    sources share is left out: a query does not say which it means. With a ``dialect`` only what
    stands in sources that speak it: one query means two things in two dialects.
    """
    labels = _labels(account.facts.filter(namespace="data", kind="properties"), dialect)
    tables = Table.objects.filter(account=account, gone_at=None).only("label", "structure")
    layouts = [Layout.of_plain(table.structure) for table in tables if table.structure]
    return {"labels": labels, "hops": list(_hops(layouts, labels))}


def trimmed(document: Document, labels: Collection[str]) -> Document:
    """What of a schema a judgement about ``labels`` needs: they, and what lies between them.

    Every shortest way between two of them stays, so that the one way there is in the part is the
    one way there is in the whole.
    """
    schema = Schema.from_document(document)
    there = [label for label in labels if label in schema.tables]
    far = {label: _distances(schema, label) for label in there}
    kept = set(there)
    for start in there:
        for end in there:
            if end in far[start]:
                whole = far[start][end]
                kept |= {
                    label
                    for label, steps in far[start].items()
                    if label in far[end] and steps + far[end][label] == whole
                }
    return {
        "labels": {label: told for label, told in document["labels"].items() if label in kept},
        "hops": [hop for hop in document["hops"] if {hop["from"], hop["to"]} <= kept],
    }


def _distances(schema: Schema, start: str) -> dict[str, int]:
    """How many hops each label in reach is away."""
    found, front, steps = {start: 0}, [start], 0
    while front:
        steps += 1
        front = [
            other
            for label in front
            for _, _, other in schema.neighbours[label]
            if found.setdefault(other, steps) == steps
        ]
        front = list(dict.fromkeys(front))
    return found


def _labels(facts: Iterable[Fact], dialect: str | None) -> dict[str, Any]:
    told = {
        fact.ref.parts[0]: fact.value
        for fact in facts
        if isinstance(fact.value, dict) and "columns" in fact.value
    }
    spelled = Counter(_spelled(value) for value in told.values())
    return {
        label: {
            "table": _spelled(value),
            "pk": value["key"],
            "columns": {
                column["property"]: [name, column["type"]]
                for name, column in value["columns"].items()
            },
        }
        for label, value in told.items()
        if spelled[_spelled(value)] == 1 and dialect in (None, _dialect(value))
    }


def _dialect(value: Mapping[str, Any]) -> str:
    return DIALECTS.get(value["dialect"], str(value["dialect"]))


def _spelled(value: Mapping[str, Any]) -> str:
    is_default = value["schema"] in DEFAULT_SCHEMAS
    return str(value["table"]) if is_default else f"{value['schema']}.{value['table']}"


def _hops(layouts: list[Layout], labels: Collection[str]) -> Iterator[dict[str, Any]]:
    by_label = {layout.label: layout for layout in layouts}
    for layout in layouts:
        for relation in layout.relations:
            if layout.label in labels and relation.label in labels and relation.label in by_label:
                yield {
                    "from": layout.label,
                    "verb": relation.verb,
                    "to": relation.label,
                    "on": [list(relation.columns), list(relation.key)],
                    "many": _many(layout, relation, by_label[relation.label]),
                }


def _many(layout: Layout, relation: Relation, target: Layout) -> str:
    """On which side several records may meet one of the other."""
    froms = not _is_unique(layout, relation.columns)
    tos = not _is_unique(target, relation.key)
    if froms and tos:
        return "both"
    return "from" if froms else "to" if tos else "none"


def _is_unique(layout: Layout, columns: Collection[str]) -> bool:
    """Whether no two records agree in all of ``columns``."""
    keys = [layout.key, *layout.unique] if layout.key else layout.unique
    return any(key and set(key) <= set(columns) for key in keys)
