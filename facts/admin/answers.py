"""Answers in the admin: what is served and why, side by side for review, and the people's part."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import F, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator
from django.views.decorators.http import require_POST

from facts import trust
from facts.admin.charts import evidence_chart
from facts.admin.facts import line_shown
from facts.admin.shared import NO_EVIDENCE, NOTHING, ReadOnlyAdmin, badge, link, moment
from facts.answers import reviewing
from facts.answers.history import Counted, course
from facts.answers.locking import standing_of
from facts.answers.reading_queries import additions_of
from facts.answers.serving import REASONS, withheld_because
from facts.errors import KenError
from facts.models import Answer, Observation

SPAN = timedelta(days=90)  # of the chart
SHOWN = 50  # lines of a history
Act = Callable[..., Answer]
ACTS: dict[str, tuple[Act, str, str]] = {
    "verify": (reviewing.verify, reviewing.VERIFY, "Verified."),
    "withdraw": (reviewing.withdraw, reviewing.VERIFY, "The verification is withdrawn."),
    "retire": (reviewing.retire, reviewing.RETIRE, "Retired: the question has no answer now."),
}


class WaitingFilter(admin.SimpleListFilter):
    """Answers that somebody should look at, by why."""

    title = "what needs a look"
    parameter_name = "look"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [(word, word.replace("-", " ")) for word in WAITING]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Answer]) -> QuerySet[Answer]:
        wanted = WAITING.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(wanted, state="proposed")


WAITING = {
    "contested": Q(fact__verified_at__isnull=False, fact__refuted=True),
    "schema-changed": Q(schema_changed_at__isnull=False),
    "refuted": Q(fact__verified_at=None) & (Q(fact__refuted=True) | Q(rejected_at__isnull=False)),
    "unproven": ~Q(fact__digest=F("value_digest")),
    "asked-for": Q(fact__requested_at__isnull=False)
    & (Q(fact__measured_from=None) | Q(fact__requested_at__gte=F("fact__measured_from"))),
}


@admin.register(Answer)
class AnswerAdmin(ReadOnlyAdmin):
    """Every answer. Who may verifies, takes that back, and retires; each leaves a line."""

    list_display = ["question", "account_link", "standing", "uses", "evidence", "proposed"]
    list_filter = ["state", WaitingFilter]
    list_select_related = ["account", "fact"]
    search_fields = ["text", "=account__external_id"]
    search_help_text = "Words of a question, or an account"
    ordering = ["-pk"]
    actions = ["verify_selected", "withdraw_selected", "retire_selected"]
    change_form_template = "admin/facts/answer/change_form.html"
    fieldsets = [
        (
            "Standing",
            {"fields": ["standing", "why_withheld", "evidence_in_figures", "verified", "uses"]},
        ),
        (
            "Origin",
            {"fields": ["account_link", "fact_link", "proposed", "ended", "looked_at", "others"]},
        ),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Answer]:
        counted = Observation.objects.filter(
            counted=True, last_at__gte=timezone.now() - 2 * SPAN
        ).order_by("last_at")
        used = (
            Observation.objects.filter(fact=OuterRef("fact"), outcome=Observation.Outcome.USED)
            .order_by()
            .values("fact")
            .annotate(times=Sum("count"))
            .values("times")
        )
        answers: QuerySet[Answer] = super().get_queryset(request)
        return answers.annotate(times_used=Subquery(used)).prefetch_related(
            Prefetch("fact__history", counted, to_attr="counted_lines")
        )

    def has_verify_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(reviewing.VERIFY))

    def has_retire_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(reviewing.RETIRE))

    @admin.action(description="Verify the selected answers", permissions=["verify"])
    def verify_selected(self, request: HttpRequest, queryset: QuerySet[Answer]) -> None:
        _act(request, "verify", queryset)

    @admin.action(description="Withdraw the verification", permissions=["verify"])
    def withdraw_selected(self, request: HttpRequest, queryset: QuerySet[Answer]) -> None:
        _act(request, "withdraw", queryset)

    @admin.action(description="Retire the selected answers", permissions=["retire"])
    def retire_selected(self, request: HttpRequest, queryset: QuerySet[Answer]) -> None:
        _act(request, "retire", queryset)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(_act_on_one))
        return [
            *(
                path(f"<int:pk>/{word}/", view, {"word": word}, name=f"facts_answer_{word}")
                for word in ACTS
            ),
            *super().get_urls(),
        ]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        answer = context["original"]
        lines = list(answer.fact.history.order_by("-last_at", "-pk")[: SHOWN + 1])
        context |= {
            "lines": [line_shown(line) for line in lines[:SHOWN]],
            "more": answer.fact.history.count() - SHOWN if len(lines) > SHOWN else 0,
            "params": json.dumps(answer.params, indent=2, ensure_ascii=False),
            "asked": [_asked(one) for one in answer.constraints],
            "additions": additions_of(answer),
            "chart": _chart(answer),
            "may": self._possible(request, answer),
            "title": Truncator(answer.text).chars(80),
            "subtitle": None,
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def _possible(self, request: HttpRequest, answer: Answer) -> list[str]:
        """What the user may do with it now; a verified one is looked at again if need be."""
        if answer.state != Answer.State.PROPOSED:
            return []
        standing = standing_of(answer)
        is_settled = standing.verified and not (standing.contested or standing.schema_changed)
        possible = {
            "verify": self.has_verify_permission(request) and not is_settled,
            "withdraw": self.has_verify_permission(request) and standing.verified,
            "retire": self.has_retire_permission(request),
        }
        return [word for word, is_possible in possible.items() if is_possible]

    @admin.display(description="question", ordering="text")
    def question(self, answer: Answer) -> str:
        return Truncator(answer.text).chars(80)

    @admin.display(description="account", ordering="account__external_id")
    def account_link(self, answer: Answer) -> str:
        return link(answer.account)

    @admin.display(description="trust's fact")
    def fact_link(self, answer: Answer) -> str:
        return link(answer.fact)

    @admin.display(description="standing")
    def standing(self, answer: Answer) -> str:
        found = badges(answer, now=timezone.now())
        return format_html("{}" * len(found), *found)

    @admin.display(description="not served because")
    def why_withheld(self, answer: Answer) -> str:
        because = _because(answer, timezone.now())
        return REASONS[because] if because else NOTHING

    @admin.display(description="uses", ordering="times_used")
    def uses(self, answer: Answer) -> int:
        return answer.times_used or 0  # type: ignore[attr-defined]  # get_queryset adds it

    @admin.display(description="evidence in 90 days")
    def evidence(self, answer: Answer) -> str:
        return _chart(answer)

    @admin.display(description="evidence")
    def evidence_in_figures(self, answer: Answer) -> str:
        now, evidence = timezone.now(), standing_of(answer).evidence
        support, refute = trust.sums(evidence, now)
        if not (support or refute):
            return NO_EVIDENCE
        return (
            f"trust {trust.number(evidence, now):.3f}, lower bound "
            f"{trust.lower_bound(evidence, now):.3f}: {support:.2f} for, {refute:.2f} against"
        )

    @admin.display(description="verified")
    def verified(self, answer: Answer) -> str:
        fact = answer.fact
        if fact.verified_at is None or answer.state != Answer.State.PROPOSED:
            return NOTHING
        return format_html("by {}, {}", fact.verified_by or "somebody", moment(fact.verified_at))

    @admin.display(description="proposed", ordering="proposed_at")
    def proposed(self, answer: Answer) -> str:
        return format_html("{}, by {}", moment(answer.proposed_at), answer.proposed_by)

    @admin.display(description="ended")
    def ended(self, answer: Answer) -> str:
        return moment(answer.ended_at)

    @admin.display(description="a column it reads changed")
    def looked_at(self, answer: Answer) -> str:
        return moment(answer.schema_changed_at)

    @admin.display(description="other answers to it")
    def others(self, answer: Answer) -> str:
        others = Answer.objects.filter(fact=answer.fact).exclude(pk=answer.pk).order_by("-pk")
        found = [link(other, f"{other.state} {other.pk}") for other in others[:10]]
        return format_html(", ".join(["{}"] * len(found)), *found) if found else NOTHING


def badges(answer: Answer, *, now: datetime) -> list[str]:
    """What there is to see of an answer at one look."""
    if answer.state != Answer.State.PROPOSED:
        return [badge(answer.state, "plain")]
    standing, because = standing_of(answer), _because(answer, now)
    found = [badge(str(standing.trust(now, settings.TRUST_CUT_OFFS)))]
    if standing.verified:
        found.append(badge("verified", "proven"))
    if standing.contested:
        found.append(badge("contested", "failing"))
    if because in ("refuted", "schema-changed"):
        found.append(badge(because.replace("-", " "), "failing"))
    found.append(badge("not served", "stale") if because else badge("served", "proven"))
    return found


def _because(answer: Answer, now: datetime) -> str:
    if answer.state != Answer.State.PROPOSED:
        return ""
    return withheld_because(standing_of(answer), now=now, cut_offs=settings.TRUST_CUT_OFFS)


def _asked(constraint: dict[str, Any]) -> tuple[str, ...]:
    """A row of what is asked: texts as they are, and other values as JSON has them."""
    value = constraint["value"]
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (
        constraint["label"],
        constraint["property"] or "",
        constraint["op"],
        "" if value is None else shown,
    )


def _chart(answer: Answer) -> str:
    now = timezone.now()
    lines: Iterable[Observation] = answer.fact.counted_lines  # type: ignore[attr-defined]  # prefetched
    counted = [Counted(line.last_at, line.outcome, line.digest) for line in lines]
    return evidence_chart(
        course(counted, start=now - SPAN, end=now), believed=settings.TRUST_CUT_OFFS.believed
    )


def _act_on_one(request: HttpRequest, pk: int, word: str) -> HttpResponse:
    answer = get_object_or_404(Answer, pk=pk)
    _act(request, word, Answer.objects.filter(pk=answer.pk))
    return redirect("admin:facts_answer_change", pk)


def _act(request: HttpRequest, word: str, answers: QuerySet[Answer]) -> None:
    """Do to each of ``answers`` what ``word`` says; a refusal is told and stops no other."""
    act, permission, done = ACTS[word]
    if not request.user.has_perm(permission):
        raise PermissionDenied
    count = 0
    for answer in answers.select_related("account"):
        try:
            act(answer.account, answer.pk, user=request.user, now=timezone.now())
            count += 1
        except KenError as refusal:
            messages.error(request, f"{Truncator(answer.text).chars(60)}: {refusal}")
    if count:
        messages.success(request, done if count == 1 else f"{done} {count} answers.")
