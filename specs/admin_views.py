"""The pages of a spec's review: write, compare, try, decide.

Each page asks for the permission of what it does; the rules are ``reviewing``'s. A refusal is told
on the page it came from, and nothing is changed.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from facts.errors import KenError
from specs import reviewing
from specs.diffs import diff
from specs.documents import parse, pretty
from specs.dry_run import dry_run as try_out
from specs.errors import BadSpec, Fault
from specs.models import Spec, SpecVersion
from specs.places import line_of

VIEW, CHANGE, REVIEW = "specs.view_spec", "specs.change_spec", reviewing.REVIEW
MOST_CHANGES = 100  # accounts listed by a dry run
SPARE_LINES = 6  # of the editor, below the text

EXAMPLE = pretty(
    {
        "id": "late-orders",
        "title": "Late orders",
        "needs": [
            {"level": "REQUIRED", "label": "Order", "minCount": 1},
            {
                "level": "REQUIRED",
                "hop": {"from": "Order", "verb": "SHIPPED_BY", "to": "Carrier"},
                "minCoverage": 0.5,
            },
        ],
    }
)
"""What the editor of a new spec starts from."""

Admin: TypeAlias = "admin.ModelAdmin[Spec]"


@require_safe
def overview(request: HttpRequest, *, of: Admin, spec_id: str) -> HttpResponse:
    """What is in force, and every version there was."""
    _demand(request, VIEW, CHANGE, REVIEW)
    spec = _spec(spec_id)
    return _page(request, of, "overview", spec=spec, title=spec.title, active=spec.active)


def edit(request: HttpRequest, *, of: Admin, spec_id: str | None) -> HttpResponse:
    """The editor: the text as it was typed, with every fault beside its line."""
    _demand(request, CHANGE)
    spec = _spec(spec_id) if spec_id is not None else None
    faults: list[Fault] = []
    if request.method == "POST":
        text = request.POST.get("document", "").replace("\r\n", "\n")
        try:
            draft = reviewing.save_draft(
                document=parse(text), author=_user(request), now=timezone.now(), spec_id=spec_id
            )
        except BadSpec as refusal:
            faults = list(refusal.faults)
        else:
            of.log_change(request, draft.spec, f"Wrote version {draft.number}.")
            messages.success(request, f"Version {draft.number} is kept as your draft.")
            return _to_version(draft)
    else:
        text = _text_to_edit(request, spec)
    title = f"Write {spec.title}" if spec else "Write a spec"
    return _page(request, of, "editor", spec=spec, title=title, text=text, **_beside(text, faults))


@require_safe
def version(request: HttpRequest, *, of: Admin, spec_id: str, number: int) -> HttpResponse:
    """One version beside the one in force, or beside another that is asked for."""
    _demand(request, VIEW, CHANGE, REVIEW)
    spec = _spec(spec_id)
    shown = _version(spec, number)
    others = [other for other in spec.versions.all() if other.pk != shown.pk]
    against = _against(request, shown, others)
    return _page(
        request,
        of,
        "version",
        spec=spec,
        title=f"{shown.title}, version {shown.number}",
        version=shown,
        others=others,
        against=against,
        rows=diff(pretty(against.said) if against else "", pretty(shown.said)),
        is_author=shown.author_id == request.user.pk,
    )


@require_safe
def dry_run(request: HttpRequest, *, of: Admin, spec_id: str, number: int) -> HttpResponse:
    """What the version would say of every account, and the decision for those who review."""
    _demand(request, VIEW, CHANGE, REVIEW)
    spec = _spec(spec_id)
    tried = _version(spec, number)
    result = try_out(tried, now=timezone.now())
    user = _user(request)
    return _page(
        request,
        of,
        "dry_run",
        spec=spec,
        title=f"Dry run of {tried.title}, version {tried.number}",
        version=tried,
        active=spec.active,
        result=result,
        changes=result.changes[:MOST_CHANGES],
        more=max(len(result.changes) - MOST_CHANGES, 0),
        is_own=tried.author_id == user.pk and not reviewing.is_only_reviewer(user),
    )


@require_POST
def submit(request: HttpRequest, *, of: Admin, spec_id: str, number: int) -> HttpResponse:
    """Hand a draft in for review."""
    _demand(request, CHANGE)
    draft = _version(_spec(spec_id), number)
    return _step(
        request,
        of,
        lambda: reviewing.submit(draft, now=timezone.now()),
        done=f"Version {number} is in review.",
        otherwise=lambda: _to_version(draft),
    )


@require_POST
def approve(request: HttpRequest, *, of: Admin, spec_id: str, number: int) -> HttpResponse:
    """Put a version in force."""
    _demand(request, REVIEW)
    waiting = _version(_spec(spec_id), number)
    return _step(
        request,
        of,
        lambda: reviewing.approve(waiting, reviewer=_user(request), now=timezone.now()),
        done=f"Version {number} is in force. Every account will be judged by it.",
        otherwise=lambda: _to_version(waiting),
    )


@require_POST
def send_back(request: HttpRequest, *, of: Admin, spec_id: str, number: int) -> HttpResponse:
    """Make a version a draft again, and say why."""
    _demand(request, REVIEW)
    waiting = _version(_spec(spec_id), number)
    remark = request.POST.get("remark", "").strip()
    return _step(
        request,
        of,
        lambda: reviewing.send_back(waiting, reviewer=_user(request), remark=remark),
        done=f"Version {number} went back to its author.",
        otherwise=lambda: _to_version(waiting),
    )


def retire(request: HttpRequest, *, of: Admin, spec_id: str) -> HttpResponse:
    """Say what retiring a spec does, and do it."""
    _demand(request, REVIEW)
    spec = _spec(spec_id)
    if request.method == "POST":
        return _step(
            request,
            of,
            lambda: reviewing.retire(spec_id, now=timezone.now()),
            done=f"{spec.title} is retired. Its verdicts and its demand are withdrawn.",
            otherwise=lambda: redirect("admin:specs_spec_change", spec_id),
        )
    needed_by = [other for other, needs in reviewing.graph().items() if spec_id in needs]
    return _page(
        request,
        of,
        "retire",
        spec=spec,
        title=f"Retire {spec.title}",
        active=spec.active,
        needed_by=needed_by,
    )


def _step(
    request: HttpRequest,
    of: Admin,
    act: Callable[[], SpecVersion],
    *,
    done: str,
    otherwise: Callable[[], HttpResponseRedirect],
) -> HttpResponse:
    """Do one step of a version's life and say what it did, or why not."""
    try:
        moved = act()
    except KenError as refusal:
        for line in str(refusal).splitlines():
            messages.error(request, line)
        return otherwise()
    of.log_change(request, moved.spec, done)
    messages.success(request, done)
    return redirect("admin:specs_spec_change", moved.spec_id)


def _text_to_edit(request: HttpRequest, spec: Spec | None) -> str:
    """The user's open draft, else the version asked for, else what is in force or came last."""
    if spec is None:
        return EXAMPLE
    versions = list(spec.versions.all())
    wanted = request.GET.get("from", "")
    chosen = [
        *[each for each in versions if str(each.number) == wanted],
        *[each for each in versions if each.is_draft_of(request.user)],
        *[each for each in versions if each.state == SpecVersion.State.ACTIVE],
        *versions,
    ]
    return pretty(chosen[0].said) if chosen else EXAMPLE


def _against(
    request: HttpRequest, shown: SpecVersion, others: list[SpecVersion]
) -> SpecVersion | None:
    """The version asked for, else the one in force, else the one before."""
    wanted = request.GET.get("against", "")
    before = [other for other in others if other.number < shown.number]
    chosen = [
        *[other for other in others if str(other.number) == wanted],
        *[other for other in others if other.state == SpecVersion.State.ACTIVE and shown.is_open],
        *before,
    ]
    return chosen[0] if chosen else None


def _beside(text: str, faults: list[Fault]) -> dict[str, Any]:
    """The faults by line, and the numbers of the editor's lines."""
    placed = [(line_of(text, fault.pointer), fault) for fault in faults]
    lines = range(1, text.count("\n") + 1 + SPARE_LINES)
    faulty = {line for line, _fault in placed}
    return {
        "faults": placed,
        "lines": [(line, line in faulty) for line in lines],
        "rows": len(lines),
    }


def _page(request: HttpRequest, of: Admin, name: str, **context: Any) -> TemplateResponse:
    template = f"admin/specs/spec/{name}.html"
    may = {
        "may_change": request.user.has_perm(CHANGE),
        "may_review": request.user.has_perm(REVIEW),
    }
    opts = {"opts": of.opts}
    return TemplateResponse(
        request, template, {**of.admin_site.each_context(request), **opts, **may, **context}
    )


def _demand(request: HttpRequest, *permissions: str) -> None:
    """Raise PermissionDenied unless the user has one of ``permissions``."""
    if not any(map(request.user.has_perm, permissions)):
        raise PermissionDenied


def _user(request: HttpRequest) -> User:
    """Who asks; the admin lets nobody in who is nobody."""
    return cast("User", request.user)


def _spec(spec_id: str) -> Spec:
    people = ("versions__author", "versions__reviewer")
    spec = Spec.objects.prefetch_related("versions", *people).filter(pk=spec_id).first()
    if spec is None:
        raise Http404(f"there is no spec {spec_id!r}")
    return spec


def _version(spec: Spec, number: int) -> SpecVersion:
    for version in spec.versions.all():
        if version.number == number:
            return version
    raise Http404(f"{spec} has no version {number}")


def _to_version(version: SpecVersion) -> HttpResponseRedirect:
    return redirect("admin:specs_spec_version", version.spec_id, version.number)
