"""The page of forgetting: what will go, one more time to think, and the proof afterwards."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from facts import forgetting
from facts.models import Account

if TYPE_CHECKING:
    from facts.admin.accounts import ForgettableAdmin


def forget(request: HttpRequest, pk: int, *, of: "ForgettableAdmin") -> HttpResponse:
    """Say what goes; once the id is typed in, erase it and show what the search found.

    Nothing of it is logged: a log line would be what is left of them.
    """
    if not request.user.has_perm("facts.forget_account"):
        raise PermissionDenied
    row: Any = get_object_or_404(of.model, pk=pk)
    account, person = (row, None) if isinstance(row, Account) else (row.account, row)
    page = {
        **of.admin_site.each_context(request),
        "opts": of.model._meta,
        "row": row,
        "account": account,
        "person": person,
        "title": f"Forget {of.model._meta.verbose_name} {row}",
    }
    if request.method == "POST":
        if request.POST.get("id") == row.external_id:
            forgotten = forgetting.forget(account, person, now=timezone.now())
            return _gone(request, of, page, forgotten)
        page["fault"] = "That is not the id. Nothing was erased."
    page["going"] = sorted(forgetting.preview(account, person).items())
    return TemplateResponse(request, "admin/facts/forgettable/forget.html", page)


def _gone(
    request: HttpRequest,
    of: "ForgettableAdmin",
    page: dict[str, Any],
    forgotten: forgetting.Forgotten,
) -> HttpResponse:
    """The proof. Where it is clean it fits a message, which names nobody."""
    searched = forgotten.searched
    rows = sum(forgotten.erased.values())
    if searched.is_clean:
        messages.success(
            request,
            f"Erased {rows:,} rows. Searched {searched.columns} columns of {searched.tables} "
            "tables: nothing is left.",
        )
        return redirect(f"admin:facts_{of.model._meta.model_name}_changelist")
    page |= {"left": [left for left in searched.left if left.telling], "rows": rows}
    return TemplateResponse(request, "admin/facts/forgettable/left.html", page)
