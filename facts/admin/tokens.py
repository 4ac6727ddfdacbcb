"""Tokens: made here and shown once, revoked, and never changed."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_POST

from facts import owners, tokens
from facts.admin.shared import KenAdmin, badge, link, moment
from facts.errors import KenError, NameTaken
from facts.models import Token

WORDS = {"in force": "proven", "expired": "stale", "revoked": "failing"}


class TokenForm(forms.ModelForm):
    """What a new token reaches; refused by the rules of ``tokens``."""

    observer = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        observer = self.fields.get("observer")
        if isinstance(observer, forms.ChoiceField):
            observer.choices = [
                ("", "reads, and requests measurements"),
                *((name, f"observes as {name}") for name in owners.observers()),
            ]
            observer.label = "May"

    def clean(self) -> dict[str, Any]:
        found = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                tokens.demand_sense(**found, now=timezone.now())
            except KenError as refusal:
                raise ValidationError(str(refusal)) from None
        return found


class StateFilter(admin.SimpleListFilter):
    """Tokens by whether they are still good."""

    title = "state"
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [(word, word) for word in WORDS]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Token]) -> QuerySet[Token]:
        now = timezone.now()
        wanted = {
            "in force": Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now)),
            "expired": Q(revoked_at=None, expires_at__lte=now),
            "revoked": Q(revoked_at__isnull=False),
        }
        return queryset.filter(wanted.get(self.value() or "", Q()))


@admin.register(Token)
class TokenAdmin(KenAdmin):
    """Every token there ever was. One that leaked is revoked, and stays to be seen."""

    form = TokenForm
    list_display = ["name", "account_link", "person", "may", "state", "used", "expires"]
    list_filter = [StateFilter, "observer"]
    list_select_related = ["account", "person"]
    search_fields = ["name", "=account__external_id", "=person__external_id", "=handle"]
    ordering = ["account__external_id", "name", "-created_at"]
    autocomplete_fields = ["account", "person"]
    fields = ["account", "person", "name", "observer", "expires_at"]
    readonly_fields = ["may", "state", "used", "expires", "made", "handle"]
    actions = ["revoke"]

    def get_fields(self, _request: HttpRequest, obj: Any = None) -> list[Any]:
        return ["account", "person", "name", *self.readonly_fields] if obj else list(self.fields)

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("facts.change_token"))

    @admin.action(description="Revoke: end the selected tokens for good", permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Token]) -> None:
        in_force = list(queryset.filter(revoked_at=None))
        count = tokens.revoke(in_force, now=timezone.now())
        for token in in_force:
            self.log_change(request, token, "Revoked.")
        messages.success(request, f"Revoked {count} token{'' if count == 1 else 's'}.")

    def save_model(self, _request: HttpRequest, obj: Any, form: Any, _change: bool) -> None:
        made, obj.text = tokens.make(**form.cleaned_data, now=timezone.now())
        obj.pk = made.pk

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        kwargs["extra_context"] = {
            "show_save_and_add_another": False,
            "show_save_and_continue": False,
        }
        try:
            return super().add_view(request, *args, **kwargs)
        except NameTaken as refusal:  # by somebody who was quicker
            messages.error(request, str(refusal))
            return redirect("admin:facts_token_add")

    def response_add(
        self, request: HttpRequest, obj: Any, _post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the token in the answer itself, so that no message, cookie or address holds it."""
        page = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Token {obj.name}",
            "token": obj,
        }
        return TemplateResponse(request, "admin/facts/token/made.html", page)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self._revoke_one))
        return [path("<int:pk>/revoke/", view, name="facts_token_revoke"), *super().get_urls()]

    def _revoke_one(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_revoke_permission(request):
            raise PermissionDenied
        self.revoke(request, Token.objects.filter(pk=pk))
        return redirect("admin:facts_token_change", pk)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        token = context.get("original")
        context |= {
            "may_revoke": token and not token.revoked_at and self.has_revoke_permission(request)
        }
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description="account", ordering="account__external_id")
    def account_link(self, token: Token) -> str:
        return link(token.account)

    @admin.display(description="may")
    def may(self, token: Token) -> str:
        return f"observes as {token.observer}" if token.observer else "reads"

    @admin.display(description="state")
    def state(self, token: Token) -> str:
        word = "in force"
        if token.revoked_at is not None:
            word = "revoked"
        elif token.expires_at is not None and token.expires_at <= timezone.now():
            word = "expired"
        return badge(word, WORDS[word])

    @admin.display(description="last used", ordering="last_used_at")
    def used(self, token: Token) -> str:
        return moment(token.last_used_at)

    @admin.display(description="expires", ordering="expires_at")
    def expires(self, token: Token) -> str:
        return moment(token.expires_at)

    @admin.display(description="made", ordering="created_at")
    def made(self, token: Token) -> str:
        return moment(token.created_at)
