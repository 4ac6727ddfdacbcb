"""Facts, only ever read here: their value, trust and history, and the wish for another look."""

import json
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from facts import owners, reads, store, trust
from facts.admin.shared import NO_EVIDENCE, NOTHING, ReadOnlyAdmin, asker_of, badge, link, moment
from facts.errors import KenError
from facts.models import Account, Fact, Observation, Person
from facts.probing.codes import in_words
from facts.refs import NAMESPACES
from facts.trust import Trust

SHOWN = 50  # lines of a history


class KindFilter(admin.SimpleListFilter):
    """Facts by their kind."""

    title = "kind"
    parameter_name = "of"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [(f"{namespace}:{kind}",) * 2 for namespace, kind in owners.kinds()]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Fact]) -> QuerySet[Fact]:
        namespace, _, kind = (self.value() or "").partition(":")
        return queryset.filter(namespace=namespace, kind=kind) if kind else queryset


class TrustFilter(admin.SimpleListFilter):
    """Facts by their trust now."""

    title = "trust"
    parameter_name = "trust"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [(str(state), str(state)) for state in Trust]

    def queryset(self, _request: HttpRequest, queryset: Any) -> QuerySet[Fact]:
        for state in Trust:
            if state == self.value():
                now, cut_offs = timezone.now(), settings.TRUST_CUT_OFFS
                return reads.in_state(queryset, state, now=now, cut_offs=cut_offs)
        return queryset  # type: ignore[no-any-return]


class StandingFilter(admin.SimpleListFilter):
    """Facts that fail, and facts that somebody waits for."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [("failing", "failing"), ("open", "asked for"), ("never", "never measured")]

    def queryset(self, _request: HttpRequest, queryset: Any) -> QuerySet[Fact]:
        match self.value():
            case "failing":
                return queryset.failing()  # type: ignore[no-any-return]
            case "open":
                return queryset.open()  # type: ignore[no-any-return]
            case "never":
                return queryset.filter(version=0)  # type: ignore[no-any-return]
        return queryset  # type: ignore[no-any-return]


@admin.register(Fact)
class FactAdmin(ReadOnlyAdmin):
    """Every fact, and for those who may, a request for another look at it."""

    list_display = ["address", "whose", "state_and_standing", "age"]
    list_filter = [KindFilter, TrustFilter, StandingFilter]
    list_select_related = ["account", "person"]
    search_fields = ["key", "=account__external_id", "=person__external_id"]
    search_help_text = "An account, a person, part of a name, or the start of a ref: data:hop:Order"
    ordering = ["-pk"]
    actions = ["check_again"]
    change_form_template = "admin/facts/fact/change_form.html"
    fieldsets = [
        (None, {"fields": ["address", "account_link", "person_link", "written_by", "value_shown"]}),
        (
            "Trust",
            {"fields": ["state", "standing", "evidence_shown", "counted", "verified", "lapses"]},
        ),
        (
            "Measurement",
            {"fields": ["version", "age", "started", "asked_for", "check_link", "digest"]},
        ),
    ]

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[QuerySet[Fact], bool]:
        if search_term.partition(":")[0] in NAMESPACES and ":" in search_term:
            try:
                return reads.under(queryset, search_term), False
            except KenError as refusal:
                messages.warning(request, str(refusal))
                return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)

    def has_request_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("facts.request_fact"))

    @admin.action(description="Check again: ask for a new measurement", permissions=["request"])
    def check_again(self, request: HttpRequest, queryset: QuerySet[Fact]) -> None:
        count = request_again(queryset, by=asker_of(request))
        messages.success(request, f"Asked for {count} fact{'' if count == 1 else 's'} to be read.")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self._check_one_again))
        return [path("<int:pk>/check-again/", view, name="facts_fact_again"), *super().get_urls()]

    def _check_one_again(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_request_permission(request):
            raise PermissionDenied
        fact = get_object_or_404(Fact, pk=pk)
        request_again(Fact.objects.filter(pk=pk), by=asker_of(request))
        messages.success(request, f"Asked for {fact.ref} to be read.")
        return redirect("admin:facts_fact_change", pk)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        fact = context["original"]
        lines = list(fact.history.order_by("-last_at", "-pk")[: SHOWN + 1])
        context |= {
            "lines": [line_shown(line) for line in lines[:SHOWN]],
            "more": fact.history.count() - SHOWN if len(lines) > SHOWN else 0,
            "may_request": self.has_request_permission(request),
            "title": str(fact.ref),
            "subtitle": None,
        }
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description="ref", ordering="key")
    def address(self, fact: Fact) -> str:
        return str(fact.ref)

    @admin.display(description="account", ordering="account__external_id")
    def whose(self, fact: Fact) -> str:
        return f"{fact.account}, {fact.person}" if fact.person else str(fact.account)

    @admin.display(description="account")
    def account_link(self, fact: Fact) -> str:
        return link(fact.account)

    @admin.display(description="person")
    def person_link(self, fact: Fact) -> str:
        return link(fact.person)

    @admin.display(description="written by")
    def written_by(self, fact: Fact) -> str:
        try:
            return owners.owner_of(fact.ref)
        except KenError:
            return "nobody any more"

    @admin.display(description="value")
    def value_shown(self, fact: Fact) -> str:
        if fact.value is None:
            return "never measured"
        text = json.dumps(fact.value, indent=2, ensure_ascii=False)
        return format_html('<pre class="value" tabindex="0">{}</pre>', text)

    @admin.display(description="trust")
    def state(self, fact: Fact) -> str:
        return badge(str(fact.trust(timezone.now())))

    @admin.display(description="trust")
    def state_and_standing(self, fact: Fact) -> str:
        standing = self.standing(fact)
        return format_html("{}{}", self.state(fact), "" if standing == NOTHING else standing)

    @admin.display(description="standing")
    def standing(self, fact: Fact) -> str:
        found = []
        if fact.failure:
            found.append(badge(f"failing: {in_words(fact.failure)}", "failing"))
        if fact.refuted:
            found.append(badge("refuted", "failing"))
        if fact.is_open:
            found.append(badge("asked for", "open"))
        return format_html("{}" * len(found), *found) if found else NOTHING

    @admin.display(description="evidence")
    def evidence_shown(self, fact: Fact) -> str:
        now = timezone.now()
        support, refute = trust.sums(fact.evidence, now)
        if not (support or refute):
            return NO_EVIDENCE
        return (
            f"trust {trust.number(fact.evidence, now):.3f}, lower bound "
            f"{trust.lower_bound(fact.evidence, now):.3f}: {support:.2f} for, {refute:.2f} against"
        )

    @admin.display(description="last counted")
    def counted(self, fact: Fact) -> str:
        return format_html(
            "confirmed {}, refuted {}", moment(fact.confirmed_at), moment(fact.refuted_at)
        )

    @admin.display(description="verified")
    def verified(self, fact: Fact) -> str:
        if fact.verified_at is None:
            return NOTHING
        return format_html("by {}, {}", fact.verified_by or "somebody", moment(fact.verified_at))

    @admin.display(description="trust changes by itself")
    def lapses(self, fact: Fact) -> str:
        return moment(fact.trust_lapses_at)

    @admin.display(description="measured", ordering="measured_at")
    def age(self, fact: Fact) -> str:
        return moment(fact.measured_at)

    @admin.display(description="the measurement started")
    def started(self, fact: Fact) -> str:
        return moment(fact.measured_from)

    @admin.display(description="last asked for")
    def asked_for(self, fact: Fact) -> str:
        return moment(fact.requested_at)

    @admin.display(description="check")
    def check_link(self, fact: Fact) -> str:
        return link(fact.settled_by)


def request_again(facts: QuerySet[Fact], *, by: str) -> int:
    """File a request for each of ``facts``, and return how many: a call an account and person."""
    wanted: dict[tuple[Account, Person | None], list[Fact]] = {}
    for fact in facts.select_related("account", "person"):
        wanted.setdefault((fact.account, fact.person), []).append(fact)
    now = timezone.now()
    return sum(
        len(store.request_many(account, [f.ref for f in found], by=by, now=now, person=person))
        for (account, person), found in wanted.items()
    )


def line_shown(line: Observation) -> dict[str, Any]:
    """What a history shows of one line."""
    times = moment(line.last_at)
    if line.count > 1:
        times = format_html("{}, since {}", times, moment(line.first_at))
    return {
        "by": line.by,
        "outcome": badge(line.outcome, "failing" if line.outcome in BAD else line.outcome),
        "count": line.count,
        "when": times,
        "counted": "yes" if line.counted else "",
        "failure": in_words(line.failure),
        "figures": json.dumps(line.figures) if line.figures is not None else "",
        "digest": line.digest[:10],
    }


BAD = (Observation.Outcome.REFUTED, Observation.Outcome.FAILED)
