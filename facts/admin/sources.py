"""Sources: an account's databases. Their URLs are written here and never shown."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_POST

from facts import scheduling
from facts.admin.shared import KenAdmin, badge, link, list_link, moment
from facts.errors import KenError
from facts.models import Check, Source
from facts.probing import mapping as mappings
from facts.probing.checking import tried
from facts.probing.codes import AT_THE_DOOR, in_words
from facts.probing.keys import encrypted
from facts.probing.urls import EXAMPLES, source_url, spelled


class SourceForm(forms.ModelForm):
    """A source, its URL write-only: what is kept of it is encrypted, and no page shows it."""

    url = forms.CharField(
        label="URL",
        strip=True,
        widget=forms.PasswordInput(attrs={"class": "vTextField", "autocomplete": "off"}),
    )

    class Meta:
        model = Source
        fields = ("account", "name", "mapping", "seconds_per_hour", "concurrency", "row_limit")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "url" in self.fields:
            known = self.instance.pk is not None
            self.fields["url"].required = not known
            self.fields["url"].help_text = (
                "Leave it empty to keep the one there is." if known else f"Such as {EXAMPLES}."
            )

    def clean_url(self) -> str:
        """The URL, encrypted; empty where none was given."""
        try:
            url = self.cleaned_data["url"]
            return encrypted(spelled(source_url(url))) if url else ""
        except KenError as refusal:
            raise ValidationError(str(refusal)) from None

    def clean_mapping(self) -> Any:
        mapping = self.cleaned_data["mapping"]
        mapping = {} if mapping is None else mapping
        try:
            mappings.demand_shape(mapping)
        except KenError as refusal:
            raise ValidationError(str(refusal).splitlines()) from None
        return mapping

    def clean_seconds_per_hour(self) -> float:
        seconds: float = self.cleaned_data["seconds_per_hour"]
        if not seconds > 0:
            raise ValidationError("a budget is a number of seconds above 0")
        return seconds

    def clean_concurrency(self) -> int:
        concurrency: int = self.cleaned_data["concurrency"]
        if concurrency < 1:
            raise ValidationError("at least one check at once reads a source")
        return concurrency


@admin.register(Source)
class SourceAdmin(KenAdmin):
    """Every source, how it does, and what may be spent on it."""

    form = SourceForm
    list_display = ["name", "account_link", "state", "tables_link", "learned", "seconds_per_hour"]
    list_select_related = ["account"]
    search_fields = ["name", "=account__external_id"]
    ordering = ["account__external_id", "name"]
    autocomplete_fields = ["account"]
    change_form_template = "admin/facts/source/change_form.html"
    readonly_fields = ["state", "tables_link", "learned"]
    fieldsets = [
        (None, {"fields": ["account", "name", "url"]}),
        ("Budget", {"fields": ["seconds_per_hour", "concurrency", "row_limit"]}),
        (
            "Names",
            {"fields": ["mapping"], "description": "What its tables and columns are called."},
        ),
    ]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        found = [*super().get_fieldsets(request, obj)]
        if obj is None:
            return found
        if not self.has_change_permission(request, obj):
            found[0] = (None, {"fields": ["account", "name"]})
        return [found[0], ("State", {"fields": self.readonly_fields}), *found[1:]]

    def get_readonly_fields(self, _request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*self.readonly_fields, *(["account", "name"] if obj else [])]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Source]:
        found: QuerySet[Source] = super().get_queryset(request)
        return found.annotate(tables_count=Count("tables", filter=Q(tables__gone_at=None)))

    def save_model(self, request: HttpRequest, obj: Source, form: Any, change: bool) -> None:
        if token := form.cleaned_data["url"]:
            obj.encrypted_url = token
        super().save_model(request, obj, form, change)
        scheduling.set_budget(
            obj, seconds_per_hour=obj.seconds_per_hour, concurrency=obj.concurrency
        )
        if token or "mapping" in form.changed_data:
            _learn(request, obj)

    def get_urls(self) -> list[URLPattern]:
        def at(action: str, view: Callable[..., HttpResponse]) -> URLPattern:
            guarded = self.admin_site.admin_view(require_POST(view))
            return path(f"<int:pk>/{action}/", guarded, name=f"facts_source_{action}")

        return [at("test", self._test), at("learn", self._learn_now), *super().get_urls()]

    def _test(self, request: HttpRequest, pk: int) -> HttpResponse:
        source = self._source(request, pk)
        if code := tried(source):
            messages.error(
                request,
                f"The source {source} can't be read: {AT_THE_DOOR.get(code, in_words(code))}.",
            )
        else:
            messages.success(request, f"The source {source} answers.")
        return redirect("admin:facts_source_change", pk)

    def _learn_now(self, request: HttpRequest, pk: int) -> HttpResponse:
        _learn(request, self._source(request, pk))
        return redirect("admin:facts_source_change", pk)

    def _source(self, request: HttpRequest, pk: int) -> Source:
        if not self.has_change_permission(request):
            raise PermissionDenied
        return get_object_or_404(Source.objects.select_related("account"), pk=pk)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context |= {"may_change": self.has_change_permission(request)}
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description="account", ordering="account__external_id")
    def account_link(self, source: Source) -> str:
        return link(source.account)

    @admin.display(description="state", ordering="failure")
    def state(self, source: Source) -> str:
        if source.failure:
            return badge(AT_THE_DOOR.get(source.failure, in_words(source.failure)), "failing")
        return (
            badge("answers", "proven") if source.reflected_at else badge("not learned yet", "open")
        )

    @admin.display(description="tables")
    def tables_link(self, source: Any) -> str:
        return list_link(Check, source.tables_count, source=source.pk)

    @admin.display(description="learned", ordering="reflected_at")
    def learned(self, source: Source) -> str:
        return moment(source.reflected_at)


def _learn(request: HttpRequest, source: Source) -> None:
    """Have the workers learn the source, and say so."""
    due = scheduling.learn_soon(source, now=timezone.now())
    what = "its catalogue" if due == 1 else f"its catalogue and {due - 1} tables"
    messages.success(
        request, f"The workers read {what} now, as far as the budget of {source} goes."
    )
