"""Writing down what a source's catalogue says: tables, their names, their checks, properties."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import CharField, F, Value
from django.db.models.functions import Concat

from facts import store
from facts.errors import Conflict
from facts.models import Account, Check, Source, Table
from facts.probing import mapping, values
from facts.probing.absence import absent, properties_ref
from facts.probing.layout import Layout
from facts.probing.naming import Known, named
from facts.probing.reflection import Catalogue
from facts.probing.standing import OBSERVER, Standing
from facts.store import Measurement


@dataclass(frozen=True, slots=True)
class Registered:
    """What a reflection came to: whether it said anything new, and which facts moved meanwhile."""

    layouts: list[Layout]
    changed: bool
    conflicts: list[Conflict]


@transaction.atomic
def register_catalogue(
    source: Source,
    catalogue: Catalogue,
    *,
    backend: str,
    standing: Standing,
    measured_from: datetime,
    now: datetime,
) -> Registered:
    """Make the source's tables, checks and properties what a complete reflection says.

    ``standing`` was read before the reflection started, ``measured_from`` is when it did. The
    account is locked, because labels are unique in it. Raises BadMapping.
    """
    account = Account.objects.select_for_update(no_key=True).get(pk=source.account_id)
    tables = {(table.schema, table.name): table for table in source.tables.all()}
    layouts = _named(source, catalogue, tables)
    _write_tables(source, layouts, tables, now=now)
    source.reflected_at, source.failure = now, ""
    source.save(update_fields=["reflected_at", "failure"])
    observed = store.observe_many(
        account,
        [*_properties(source, layouts, backend, standing), *absent(account, standing)],
        by=OBSERVER,
        measured_from=measured_from,
        now=now,
        check=catalogue_check(source),
    )
    return Registered(layouts, standing.is_changed(observed.written), observed.conflicts)


def _named(
    source: Source, catalogue: Catalogue, tables: Mapping[tuple[str, str], Table]
) -> list[Layout]:
    others = Table.objects.filter(account=source.account_id).exclude(source=source)
    return named(
        mapping.applied(source.mapping, catalogue.layouts, catalogue.default_schema),
        everything=catalogue.layouts,
        known={
            place: Known(table.label, table.properties, table.verbs)
            for place, table in tables.items()
        },
        taken=set(others.values_list("label", flat=True)),
        source=source.name,
        default_schema=catalogue.default_schema,
    )


def _properties(
    source: Source, layouts: Sequence[Layout], backend: str, standing: Standing
) -> list[Measurement]:
    return [
        Measurement(
            ref=(ref := properties_ref(layout)),
            version=standing[ref].version,
            value=values.properties(layout, source=source.name, backend=backend),
        )
        for layout in layouts
    ]


def catalogue_check(source: Source) -> Check:
    """The check that reads the source's catalogue."""
    check, _ = Check.objects.get_or_create(
        source=source, kind=Check.Kind.CATALOGUE, defaults={"account_id": source.account_id}
    )
    return check


def _write_tables(
    source: Source,
    layouts: Sequence[Layout],
    tables: Mapping[tuple[str, str], Table],
    *,
    now: datetime,
) -> None:
    """Write the tables there are, note which are gone, and give each that is there its check."""
    _free_labels(layouts, tables)
    written = Table.objects.bulk_create(
        [
            _table(source, layout, tables.get(layout.place, Table(verbs={}, properties={})))
            for layout in layouts
        ],
        update_conflicts=True,
        unique_fields=["source", "schema", "name"],
        update_fields=["label", "properties", "verbs", "structure", "row_estimate", "gone_at"],
    )
    there = {layout.place for layout in layouts}
    gone = [table.pk for place, table in tables.items() if place not in there]
    Table.objects.filter(pk__in=gone, gone_at=None).update(gone_at=now)
    Check.objects.filter(table__in=gone).delete()
    # Only where there is none: to insert one that exists, and ignore it, is a deadlock with whoever
    # is writing that row.
    known = set(Check.objects.filter(table__in=written).values_list("table", flat=True))
    Check.objects.bulk_create(
        Check(account_id=source.account_id, kind=Check.Kind.TABLE, source=source, table=table)
        for table in written
        if table.pk not in known
    )


def _table(source: Source, layout: Layout, before: Table) -> Table:
    return Table(
        account_id=source.account_id,
        source=source,
        schema=layout.schema,
        name=layout.name,
        label=layout.label,
        properties=before.properties | {one.name: one.property for one in layout.columns},
        verbs=before.verbs | {one.place: one.verb for one in layout.relations},
        structure=layout.as_plain(),
        row_estimate=layout.rows,
    )


def _free_labels(layouts: Sequence[Layout], tables: Mapping[tuple[str, str], Table]) -> None:
    """Let go of labels that the mapping gives to another table now.

    A table that is gone and whose label somebody else gets is forgotten; one that is renamed steps
    aside first, so that two can change places.
    """
    labels = {layout.label: layout.place for layout in layouts}
    there = set(labels.values())
    moved = [table for place, table in tables.items() if labels.get(table.label) != place]
    forgotten = [
        table.pk
        for table in moved
        if table.label in labels and (table.schema, table.name) not in there
    ]
    if forgotten:
        Table.objects.filter(pk__in=forgotten).delete()
    renamed = [table.pk for table in moved if (table.schema, table.name) in there]
    if renamed:
        Table.objects.filter(pk__in=renamed).update(
            label=Concat(Value("\x1f"), F("pk"), output_field=CharField())
        )
