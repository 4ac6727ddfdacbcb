"""The staff's pages: how ready each account is, and why."""

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from functools import wraps
from itertools import islice
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from facts.errors import KenError, UnknownRef
from facts.models import Account, Person
from facts.refs import Ref
from readiness import account_page, exporting, listing
from readiness.charts import chart
from readiness.explaining import add_keys, explain
from readiness.rollup import Level
from readiness.trend import levels_of

PAGE = 50  # accounts
MOST_PARTS = 30  # types shown before somebody asks for all
TREND, HISTORY = 30, 90  # days
BATCH = 500  # lines of an export sent at once

View = Callable[..., HttpResponseBase]


def for_staff(view: View) -> View:
    """A page of those staff who may look at facts; others are sent to log in, or refused."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not (request.user.is_staff and request.user.has_perm("facts.view_fact")):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return login_required(guarded)


@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Where somebody starts: staff with the accounts, a person with what they work on."""
    if request.user.is_staff:
        may_look = request.user.has_perm("facts.view_fact")
        return redirect("readiness-list" if may_look else "admin:index")
    return redirect("what-i-work-on")


@for_staff
@require_GET
def accounts(request: HttpRequest) -> HttpResponse:
    """The accounts with their level, gap, vetoes, trend and last probe."""
    asked = _asked(request)
    today = timezone.now().date()
    page = Paginator(listing.accounts(**asked), PAGE).get_page(request.GET.get("page"))
    rows, since = listing.rows(list(page.object_list)), today - timedelta(days=TREND - 1)
    levels = levels_of([row.account for row in rows], since)
    counts = listing.counts(search=asked["search"])
    context = {
        "here": "readiness",
        **asked,
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
        "rows": [
            {
                "row": row,
                "trend": chart(levels[row.account], since=since, until=today, width=96, height=24),
            }
            for row in rows
        ],
        "counts": [(str(level), counts[level]) for level in reversed(Level)],
        "total": sum(counts.values()),
    }
    return render(request, "readiness/accounts.html", context)


@for_staff
@require_GET
def export(request: HttpRequest) -> StreamingHttpResponse:
    """The same accounts in the same order as a file, sent as it is read."""
    batches = _batched(exporting.lines(listing.all_rows(listing.accounts(**_asked(request)))))
    streamed = _streamed(batches) if isinstance(request, ASGIRequest) else batches
    return StreamingHttpResponse(
        streamed,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="readiness.csv"'},
    )


@for_staff
@require_GET
def account(request: HttpRequest, pk: int) -> HttpResponse:
    """Why an account is at its level, down to the facts that say so."""
    now = timezone.now()
    found = get_object_or_404(Account, pk=pk)
    rollup = account_page.rollup_of(found)
    parts = account_page.parts_of(found, rollup)
    all_parts = request.GET.get("types") == "all"
    since, today = now.date() - timedelta(days=HISTORY - 1), now.date()
    days = levels_of([found], since)[found]
    context = {
        "here": "readiness",
        "account": found,
        "rollup": rollup,
        "parts": parts if all_parts else parts[:MOST_PARTS],
        "more_parts": 0 if all_parts else len(parts[MOST_PARTS:]),
        "vetoing": sum(part.can_veto for part in parts),
        "features": account_page.features_of(found),
        "integrations": account_page.integrations_of(found),
        "budgets": account_page.budgets_of(found, now=now),
        "checks": account_page.next_checks(found),
        "progress": account_page.progress_of(found, parts, now=now),
        "history": chart(days, since=since, until=today, width=640, height=96),
        "since": since,
        "days": days[::-1],
        "may_ask": request.user.has_perm("facts.request_fact"),
    }
    return render(request, "readiness/account.html", context)


@for_staff
@require_POST
def check_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the facts that the form names, and say what that did."""
    if not request.user.has_perm("facts.request_fact"):
        raise PermissionDenied
    found = get_object_or_404(Account, pk=pk)
    try:
        refs = [Ref.parse(text) for text in request.POST.getlist("ref")]
        if "all" in request.POST:
            parts = account_page.parts_of(found, account_page.rollup_of(found))
            refs = [Ref.parse(part.ref) for part in parts]
        if not refs:
            raise KenError("there is nothing to check again yet")
        by = f"staff:{request.user.get_username()}"
        said = account_page.check_again(found, refs, by=by, now=timezone.now())
        messages.success(request, said)
    except KenError as refusal:
        messages.error(request, str(refusal))
    return redirect("readiness-account", pk)


@for_staff
@require_GET
def explained(request: HttpRequest, pk: int) -> HttpResponse:
    """A fact, what it rests on, and when that is measured again."""
    found = get_object_or_404(Account, pk=pk)
    person = None
    if name := request.GET.get("person", "").replace("\0", ""):
        person = get_object_or_404(Person, account=found, external_id=name)
    try:
        ref = Ref.parse(request.GET.get("ref", ""))
        told = explain(found, ref, now=timezone.now(), person=person)
        add_keys(found, told)
    except UnknownRef as refusal:
        raise Http404(str(refusal)) from None
    except KenError as refusal:
        return HttpResponse(str(refusal), status=400, content_type="text/plain")
    context = {"here": "readiness", "account": found, "told": told}
    return render(request, "readiness/explained.html", context)


def _asked(request: HttpRequest) -> dict[str, Any]:
    """What the address asks for; a word that means nothing here asks for nothing."""
    level, order = request.GET.get("level"), request.GET.get("order", "")
    return {
        "search": request.GET.get("search", "").strip().replace("\0", ""),
        "level": Level(level) if level in [str(known) for known in Level] else None,
        "order": order if order.removeprefix("-") in [*listing.Order] else str(listing.Order.LEVEL),
    }


def _batched(lines: Iterator[str]) -> Iterator[str]:
    while batch := "".join(islice(lines, BATCH)):
        yield batch


async def _streamed(batches: Iterator[str]) -> AsyncIterator[str]:
    following = sync_to_async(lambda: next(batches, ""))
    while batch := await following():
        yield batch
