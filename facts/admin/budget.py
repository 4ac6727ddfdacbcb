"""The budget: what was spent, what is next, what is abandoned, what fails, and the heartbeat."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from facts.admin.checks import BECAUSE
from facts.admin.shared import ReadOnlyAdmin, link, moment
from facts.ledgers import Ledger, Spending
from facts.models import Check
from facts.scheduling import overview
from facts.scheduling.overview import SourceSpending


@admin.register(Ledger)
class LedgerAdmin(ReadOnlyAdmin):
    """One page in place of the list; a source's budget is set where the source is."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        now = timezone.now()
        heart = overview.heart(now=now)
        spent, more = overview.spending(now=now)
        context = {
            **self.admin_site.each_context(request),
            "title": "The budget",
            "opts": self.opts,
            "media": self.media,
            "heart": heart,
            "beat": moment(heart.beaten_at),
            "spent": [_spent(each) for each in spent],
            "more": more,
            "next": [_check(check) for check in overview.most_worth_checking()],
            "abandoned": _abandoned(overview.abandoned()),
            "failures": overview.failures(),
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/facts/ledger/change_list.html", context)


@admin.register(Spending)
class SpendingAdmin(ReadOnlyAdmin):
    """What each hour's checks took of each source."""

    list_display = ["hour", "account", "source_link", "seconds_shown", "checks", "failures"]
    list_select_related = ["account", "source__account"]
    search_fields = ["source__name", "=account__external_id"]
    date_hierarchy = "hour"
    ordering = ["-hour", "source"]

    @admin.display(description="source", ordering="source__name")
    def source_link(self, spending: Spending) -> str:
        return link(spending.source)

    @admin.display(description="seconds", ordering="seconds")
    def seconds_shown(self, spending: Spending) -> str:
        return f"{spending.seconds:.2f}"


def _spent(spent: SourceSpending) -> dict[str, Any]:
    return {
        "source": link(spent.source),
        "budget": spent.source.seconds_per_hour,
        "left": spent.left,
        "this_hour": spent.this_hour,
        "total": spent.total,
        "checks": spent.checks,
        "failures": spent.failures,
        "threshold": spent.ledger.threshold,
        "retry": moment(spent.ledger.retry_at) if spent.ledger.failures else "",
        "bars": _bars(spent.hours),
    }


def _bars(hours: Sequence[tuple[datetime, float]]) -> list[dict[str, Any]]:
    """The hours as bars of at most 20 by 3 units, 4 apart."""
    most = max(seconds for _, seconds in hours) or 1.0
    return [
        {
            "x": 4 * place,
            "y": round(20 - 20 * seconds / most, 1),
            "height": round(20 * seconds / most, 1),
            "said": f"{timezone.localtime(hour):%H:00}: {seconds:.1f} s",
        }
        for place, (hour, seconds) in enumerate(hours)
    ]


def _check(check: Check) -> dict[str, Any]:
    return {
        "check": link(check),
        "source": link(check.source),
        "due": moment(check.due_at),
        "because": BECAUSE[Check.Reason(check.due_because)],
        "weight": check.weight,
        "cost": check.cost,
    }


def _abandoned(left: overview.Abandoned) -> dict[str, Any]:
    return {
        "count": left.count,
        "by_source": [
            {"source": link(source), "count": count, "next": moment(due_at)}
            for source, count, due_at in left.by_source
        ],
        "heaviest": [_check(check) for check in left.heaviest],
    }
