"""An account's integrations, as the product or a member of staff tells them.

A row keeps when the integration last succeeded; what it is and whether it works is a fact. All is
written by the facts' one writer, in ``intake``, which takes a member of staff as the asker.
"""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from facts import intake
from facts.admin.shared import NOTHING, KenAdmin, asker_of, badge, link, moment
from facts.errors import Conflict, KenError
from facts.models import Account, Fact, Integration
from facts.refs import Ref


class IntegrationForm(forms.ModelForm):
    """One integration; refused by the rules of ``intake``."""

    category = forms.CharField(
        max_length=intake.LONGEST_NAME,
        help_text="What it is for, such as shipping: specs ask for its health by this word.",
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    healthy = forms.BooleanField(required=False, label="Works", initial=True)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = Integration
        fields = ("account", "name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is not None and (fact := fact_of(self.instance)):
            self.initial["category"] = _said(fact, "category")
            self.initial["healthy"] = _said(fact, "healthy")
            self.initial["version"] = fact.version

    @property
    def state(self) -> intake.IntegrationState:
        """What is told."""
        return intake.IntegrationState(
            name=self.cleaned_data.get("name", self.instance.name),
            category=self.cleaned_data["category"],
            healthy=self.cleaned_data["healthy"],
        )

    def clean(self) -> dict[str, Any]:
        found = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                intake.demand_sense([self.state])
            except KenError as refusal:
                raise ValidationError(str(refusal)) from None
        return found


class _WithFacts(ChangeList):
    """A page of integrations, their facts read in one query."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = with_facts(self.result_list)


@admin.register(Integration)
class IntegrationAdmin(KenAdmin):
    """Every integration there is, how it does, and when it last worked."""

    form = IntegrationForm
    list_display = ["name", "account_link", "category_shown", "state", "last", "told"]
    list_select_related = ["account"]
    search_fields = ["name", "=account__external_id"]
    ordering = ["account__external_id", "name"]
    autocomplete_fields = ["account"]
    readonly_fields = ["category_shown", "state", "last", "told", "history_link"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        if obj is None:
            return ["account", "name", "category", "healthy"]
        if self.has_change_permission(request, obj):
            shown = ["last", "told", "history_link"]
            return ["account", "name", "category", "healthy", "version", *shown]
        return ["account", "name", *self.readonly_fields]

    def get_readonly_fields(self, _request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*self.readonly_fields, *(["account", "name"] if obj else [])]

    def get_changelist(self, *_args: Any, **_kwargs: Any) -> type[ChangeList]:
        return _WithFacts

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Conflict:
            messages.error(
                request, "It was told anew meanwhile, as it stands here now. Nothing was changed."
            )
            return redirect(request.path)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        kept = intake.set_integration(
            obj.account,
            form.state,
            asker=asker_of(request),
            now=timezone.now(),
            version=form.cleaned_data.get("version") if change else None,
        )
        obj.pk = kept.pk

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self._remove(request, [obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Integration]) -> None:
        self._remove(request, queryset.select_related("account"))

    def _remove(self, request: HttpRequest, rows: Iterable[Integration]) -> None:
        names: dict[Account, set[str]] = {}
        for row in rows:
            names.setdefault(row.account, set()).add(row.name)
        now = timezone.now()
        for account, gone in names.items():
            intake.remove_integrations(account, gone, asker=asker_of(request), now=now)

    @admin.display(description="account", ordering="account__external_id")
    def account_link(self, row: Integration) -> str:
        return link(row.account)

    @admin.display(description="category")
    def category_shown(self, row: Integration) -> str:
        return str(_said(fact_of(row), "category") or NOTHING)

    @admin.display(description="state")
    def state(self, row: Integration) -> str:
        healthy = _said(fact_of(row), "healthy")
        if healthy is None:
            return NOTHING
        return badge("works", "proven") if healthy else badge("does not work", "failing")

    @admin.display(description="last succeeded", ordering="last_succeeded")
    def last(self, row: Integration) -> str:
        return moment(row.last_succeeded)

    @admin.display(description="told")
    def told(self, row: Integration) -> str:
        fact = fact_of(row)
        return moment(fact.measured_at) if fact else NOTHING

    @admin.display(description="history")
    def history_link(self, row: Integration) -> str:
        return link(fact_of(row))


def with_facts(rows: Iterable[Integration]) -> list[Any]:
    """The integrations with the fact of each beside it. One query."""
    found: list[Any] = list(rows)
    refs = {row.pk: Ref.of("account", "integration", row.name) for row in found}
    facts = Fact.objects.at(*refs.values()).filter(account__in={row.account_id for row in found})
    by_place = {(fact.account_id, fact.ref): fact for fact in facts}
    for row in found:
        row.told_fact = by_place.get((row.account_id, refs[row.pk]))
    return found


def fact_of(row: Any) -> Fact | None:
    """The fact of an integration, read once."""
    if not hasattr(row, "told_fact"):
        with_facts([row])
    fact: Fact | None = row.told_fact
    return fact


def _said(fact: Fact | None, part: str) -> Any:
    return fact.value.get(part) if fact is not None and isinstance(fact.value, dict) else None
