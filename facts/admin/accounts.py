"""Accounts and their people. They go only by being forgotten, on a page that says what goes."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from facts.admin.forgetting import forget
from facts.admin.plans import SET_PLAN, features_of, plan, plan_of
from facts.admin.shared import KenAdmin, link, list_link, moment
from facts.models import Account, Fact, Integration, Person, Source, Token

FORGET = "facts.forget_account"


class ForgettableAdmin(KenAdmin):
    """A model whose rows are forgotten whole, and never merely deleted."""

    change_form_template = "admin/facts/forgettable/change_form.html"

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*super().get_readonly_fields(request, obj), *(self.fixed if obj else [])]

    fixed: list[str] = []  # fields that stay as they were first given

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(partial(forget, of=self))
        name = f"facts_{self.model._meta.model_name}_forget"
        return [path("<int:pk>/forget/", view, name=name), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context |= {"may_forget": request.user.has_perm(FORGET)}
        return super().render_change_form(request, context, *args, **kwargs)


@admin.register(Account)
class AccountAdmin(ForgettableAdmin):
    """Every account, and the ways to what is known of it."""

    list_display = [
        "external_id",
        "people_link",
        "sources_link",
        "integrations_link",
        "tokens_link",
        "facts_link",
        "age",
    ]
    search_fields = ["external_id"]
    ordering = ["external_id"]
    fixed = ["external_id"]
    fields = ["external_id"]
    readonly_fields = [
        *("people_link", "sources_link", "integrations_link", "plan_shown"),
        *("tokens_link", "facts_link", "age"),
    ]
    change_form_template = "admin/facts/account/change_form.html"

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False  # an id is for ever

    def get_fields(self, _request: HttpRequest, obj: Any = None) -> list[Any]:
        return ["external_id", *self.readonly_fields] if obj else ["external_id"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        found: QuerySet[Account] = super().get_queryset(request)
        return found.annotate(
            people_count=_count(Person),
            sources_count=_count(Source),
            integrations_count=_count(Integration),
            tokens_count=_count(Token),
            facts_count=_count(Fact),
        )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(partial(plan, of=self))
        return [path("<int:pk>/plan/", view, name="facts_account_plan"), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context |= {"may_set_plan": request.user.has_perm(SET_PLAN)}
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description="people")
    def people_link(self, account: Any) -> str:
        return list_link(Person, account.people_count, account=account.pk)

    @admin.display(description="sources")
    def sources_link(self, account: Any) -> str:
        return list_link(Source, account.sources_count, account=account.pk)

    @admin.display(description="integrations")
    def integrations_link(self, account: Any) -> str:
        return list_link(Integration, account.integrations_count, account=account.pk)

    @admin.display(description="plan")
    def plan_shown(self, account: Any) -> str:
        standing = plan_of(account)
        if standing is None:
            return "nobody has told it"
        return link(standing, ", ".join(features_of(standing)) or "no features")

    @admin.display(description="tokens")
    def tokens_link(self, account: Any) -> str:
        return list_link(Token, account.tokens_count, account=account.pk)

    @admin.display(description="facts")
    def facts_link(self, account: Any) -> str:
        return list_link(Fact, account.facts_count, account=account.pk)

    @admin.display(description="known since", ordering="created_at")
    def age(self, account: Account) -> str:
        return moment(account.created_at)


@admin.register(Person)
class PersonAdmin(ForgettableAdmin):
    """People, and the logins that a few of them have."""

    list_display = ["external_id", "account_link", "user", "age"]
    list_select_related = ["account", "user"]
    search_fields = ["external_id", "=account__external_id", "=user__username"]
    ordering = ["account__external_id", "external_id"]
    autocomplete_fields = ["account", "user"]
    fixed = ["account", "external_id"]
    fields = ["account", "external_id", "user"]
    readonly_fields = ["facts_link", "age"]

    def get_fields(self, _request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*self.fields, *self.readonly_fields] if obj else list(self.fields)

    @admin.display(description="account", ordering="account__external_id")
    def account_link(self, person: Person) -> str:
        return link(person.account)

    @admin.display(description="facts")
    def facts_link(self, person: Person) -> str:
        return list_link(Fact, person.facts.count(), person=person.pk)

    @admin.display(description="known since", ordering="created_at")
    def age(self, person: Person) -> str:
        return moment(person.created_at)


def _count(model: type[Model]) -> Coalesce:
    """How many rows of ``model`` an account has, counted for the rows of one page alone."""
    rows = model._base_manager.filter(account=OuterRef("pk")).order_by().values("account")
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n")), 0)
