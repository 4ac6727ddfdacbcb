"""Checks, only ever read here: what is due when, why, and which facts it settles."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from facts.admin.shared import NOTHING, ReadOnlyAdmin, badge, link, list_link, moment
from facts.models import Check, Fact
from facts.wording import counted

BECAUSE = {
    Check.Reason.NEW: "it is new",
    Check.Reason.WORTH: "worth its cost",
    Check.Reason.FLOOR: "the longest wait",
    Check.Reason.LAPSE: "trust lapses",
    Check.Reason.ASKED: "asked for",
    Check.Reason.RETRY: "it failed",
}


class TroubleFilter(admin.SimpleListFilter):
    """Checks that failed when they were last made, that are overdue, or that are under way."""

    title = "state"
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [("failing", "failing"), ("due", "due"), ("leased", "under way")]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Check]) -> QuerySet[Check]:
        now = timezone.now()
        wanted = {
            "failing": Q(failures__gt=0),
            "due": Q(due_at__lte=now),
            "leased": Q(lease_until__gt=now),
        }
        return queryset.filter(wanted.get(self.value() or "", Q()))


@admin.register(Check)
class CheckAdmin(ReadOnlyAdmin):
    """Every unit of work. The scheduler decides when one is due; nobody else does."""

    list_display = ["what", "account", "due", "because", "checked", "trouble"]
    list_filter = ["kind", TroubleFilter, "due_because"]
    list_select_related = ["account", "source__account", "table"]
    search_fields = ["table__label", "derivation", "target", "=account__external_id"]
    ordering = ["due_at"]
    fieldsets = [
        (None, {"fields": ["what", "account_link", "source_link", "facts_link"]}),
        ("When", {"fields": ["due", "because", "checked", "leased", "trouble"]}),
        ("Why", {"fields": ["weight_shown", "cost_shown", "rate"]}),
    ]

    @admin.display(description="check")
    def what(self, check: Check) -> str:
        return str(check)

    @admin.display(description="account")
    def account_link(self, check: Check) -> str:
        return link(check.account)

    @admin.display(description="source")
    def source_link(self, check: Check) -> str:
        return link(check.source)

    @admin.display(description="settles")
    def facts_link(self, check: Check) -> str:
        count = check.facts.count()
        return list_link(Fact, f"{count} fact{'' if count == 1 else 's'}", settled_by=check.pk)

    @admin.display(description="due", ordering="due_at")
    def due(self, check: Check) -> str:
        return moment(check.due_at)

    @admin.display(description="because", ordering="due_because")
    def because(self, check: Check) -> str:
        return NOTHING if check.source_id is None else BECAUSE[Check.Reason(check.due_because)]

    @admin.display(description="last checked", ordering="last_checked")
    def checked(self, check: Check) -> str:
        return moment(check.last_checked)

    @admin.display(description="under way until")
    def leased(self, check: Check) -> str:
        return moment(check.lease_until)

    @admin.display(description="failures", ordering="failures")
    def trouble(self, check: Check) -> str:
        if not check.failures:
            return NOTHING
        return badge(f"failed {check.failures} time{'' if check.failures == 1 else 's'}", "failing")

    @admin.display(description="weight", ordering="weight")
    def weight_shown(self, check: Check) -> str:
        return (
            f"{check.weight:.2f}: {counted(check.askers, 'waiting asker')}, "
            f"{check.use:.2f} uses a day, {check.demand:.2f} of what is built on it"
        )

    @admin.display(description="cost", ordering="cost")
    def cost_shown(self, check: Check) -> str:
        return f"{check.cost:.2f} s"

    @admin.display(description="changes")
    def rate(self, check: Check) -> str:
        return f"about {check.a / check.b:.2f} times a day"
