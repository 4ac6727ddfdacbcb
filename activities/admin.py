"""Staff's view of activities: the registry, what is not mapped yet, and what people say.

Feedback is read here and given by nobody but the person. The registry is changed through
``verbs``, which shows beforehand whose activities would change.
"""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Count, F, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode

from activities import admin_views, derivation, people, verbs
from activities.errors import BadRegistry
from activities.models import (
    AccountSettings,
    Action,
    Feedback,
    PersonSettings,
    UnmappedName,
    Verb,
)


class VerbForm(ModelForm):
    """A verb's title, or a new verb; refused as the registry's file would be."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        name, title = cleaned.get("name", self.instance.name), cleaned.get("title", "")
        registry = verbs.current()
        try:
            known = self.instance.pk is not None
            self.registry = (registry.with_title if known else registry.with_verb)(name, title)
        except BadRegistry as fault:
            raise ValidationError(str(fault)) from None
        return cleaned


@admin.register(Verb)
class VerbAdmin(admin.ModelAdmin):
    """Verbs by rank. Titles and new verbs are written here, ranks by ``load_verbs``."""

    form = VerbForm
    list_display = ["title", "name", "rank", "actions_count"]
    search_fields = ["name", "title"]
    fields = ["name", "title", "rank"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Verb]:
        found: QuerySet[Verb] = super().get_queryset(request)
        found = found.annotate(actions_count=Count("actions"))
        return found.order_by(F("rank").asc(nulls_last=True), "name")

    @admin.display(description="actions", ordering="actions_count")
    def actions_count(self, verb: Verb) -> int:
        return verb.actions_count  # type: ignore[attr-defined,no-any-return]

    def get_readonly_fields(self, request: HttpRequest, obj: Verb | None = None) -> list[str]:
        return ["rank"] if obj is None else ["name", "rank"]

    def save_model(self, request: HttpRequest, obj: Verb, form: Any, change: bool) -> None:
        verbs.replace(form.registry, now=timezone.now())
        obj.pk = Verb.objects.get(name=obj.name).pk

    def has_delete_permission(self, request: HttpRequest, obj: Verb | None = None) -> bool:
        return False


class Mapped(admin.ModelAdmin):
    """Something with an action's name, which is changed by mapping it, and only so."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="")
    def map_link(self, named: Action | UnmappedName) -> str:
        return format_html('<a href="{}">Map</a>', _map_url(named.name))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        named = self.get_object(request, object_id)
        if named is None:
            return super().change_view(request, object_id, form_url, extra_context)
        return redirect(_map_url(named.name))


@admin.register(Action)
class ActionAdmin(Mapped):
    """The actions of the registry, and those that left it."""

    list_display = ["name", "verb", "known", "map_link"]
    list_filter = ["known", "verb"]
    list_select_related = ["verb"]
    search_fields = ["name", "verb__name", "verb__title"]
    ordering = ["name"]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(admin_views.map_action)
        return [path("map/", view, name="activities_action_map"), *super().get_urls()]


@admin.register(UnmappedName)
class UnmappedNameAdmin(Mapped):
    """What events named and the registry doesn't have, the commonest first."""

    list_display = ["name", "times", "people", "accounts", "last_at", "map_link"]
    search_fields = ["name"]
    ordering = ["-times", "name"]
    show_full_result_count = False


@admin.register(Feedback)
class FeedbackAdmin(admin.ModelAdmin):
    """What people say of their activities: read only, for it is theirs."""

    list_display = ["verb", "kind", "account", "person", "at", "withdrawn_at"]
    list_filter = ["kind", "verb", ("withdrawn_at", admin.EmptyFieldListFilter)]
    list_select_related = ["account", "person", "verb"]
    search_fields = ["account__external_id", "person__external_id", "verb__name", "verb__title"]
    date_hierarchy = "at"
    ordering = ["-at"]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(admin_views.rejections)
        return [path("by-verb/", view, name="activities_feedback_by_verb"), *super().get_urls()]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Feedback | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Feedback | None = None) -> bool:
        return False


class ZoneForm(ModelForm):
    """Settings whose zone the database must know, for it reckons with it."""

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"]
        if zone and zone not in people.known_zones([zone]):
            raise ValidationError("There is no such zone; zones are called like Europe/Amsterdam.")
        return zone


class Settings(admin.ModelAdmin):
    """Settings that move activities: the account's are rebuilt after a change."""

    form = ZoneForm

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        derivation.wake([obj.account_id], now=timezone.now())

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(AccountSettings)
class AccountSettingsAdmin(Settings):
    """Where accounts are at home."""

    list_display = ["account", "zone"]
    list_select_related = ["account"]
    search_fields = ["account__external_id", "zone"]
    fields = ["account", "zone"]
    raw_id_fields = ["account"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [] if obj is None else ["account"]


@admin.register(PersonSettings)
class PersonSettingsAdmin(Settings):
    """People elsewhere, and machines."""

    list_display = ["person", "account", "zone", "service"]
    list_filter = ["service"]
    list_select_related = ["account", "person"]
    search_fields = ["account__external_id", "person__external_id", "zone"]
    fields = ["person", "zone", "service"]
    raw_id_fields = ["person"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [] if obj is None else ["person"]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.account_id = obj.person.account_id
        super().save_model(request, obj, form, change)


def _map_url(name: str) -> str:
    return f"{reverse('admin:activities_action_map')}?{urlencode({'name': name})}"
