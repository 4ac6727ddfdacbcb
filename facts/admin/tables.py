"""Tables as they were reflected, to be searched; only ever read here."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from facts.admin.shared import ReadOnlyAdmin, link, moment
from facts.models import Table


class GoneFilter(admin.SimpleListFilter):
    """Tables that are there, and those that a complete reflection missed."""

    title = "state"
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [("there", "there"), ("gone", "gone")]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        if self.value() in ("there", "gone"):
            return queryset.filter(gone_at__isnull=self.value() == "there")
        return queryset


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """The tables of all sources and the names given to them. A mapping renames, on the source."""

    list_display = ["label", "physical_name", "source_link", "row_estimate", "gone"]
    list_filter = [GoneFilter]
    list_select_related = ["source__account"]
    search_fields = ["label", "name", "=account__external_id"]
    ordering = ["account__external_id", "label"]
    fields = ["label", "physical_name", "source_link", "row_estimate", "gone"]
    readonly_fields = ["physical_name", "source_link", "gone"]

    @admin.display(description="table", ordering="name")
    def physical_name(self, table: Table) -> str:
        return f"{table.schema}.{table.name}" if table.schema else table.name

    @admin.display(description="source")
    def source_link(self, table: Table) -> str:
        return link(table.source)

    @admin.display(description="gone", ordering="gone_at")
    def gone(self, table: Table) -> str:
        return moment(table.gone_at)
