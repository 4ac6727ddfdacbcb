"""Specs in the admin: their list, their versions, and the pages of their review."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from specs import admin_views
from specs.models import Spec, SpecVersion

State = SpecVersion.State


class StateFilter(admin.SimpleListFilter):
    """Specs by where their versions are."""

    title = "state"
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [*State.choices]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Spec]) -> QuerySet[Spec]:
        if not self.value():
            return queryset
        if self.value() == State.RETIRED:  # the spec, and not merely a version before
            return (
                queryset.filter(versions__state=State.RETIRED)
                .exclude(versions__state=State.ACTIVE)
                .distinct()
            )
        return queryset.filter(versions__state=self.value()).distinct()


@admin.register(Spec)
class SpecAdmin(admin.ModelAdmin):
    """Every spec. What is in force, what waits for a reviewer, and the way to both."""

    list_display = ["title", "id", "in_force", "waiting"]
    list_filter = [StateFilter]
    search_fields = ["id", "versions__document__title"]
    ordering = ["id"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Spec]:
        return super().get_queryset(request).prefetch_related("versions", "versions__author")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request)

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False  # every version is kept; a spec is retired

    @admin.display(description="feature")
    def title(self, spec: Spec) -> str:
        return spec.title

    @admin.display(description="in force")
    def in_force(self, spec: Spec) -> str:
        active = spec.active
        return f"version {active.number}" if active else "not in force"

    @admin.display(description="waiting")
    def waiting(self, spec: Spec) -> str:
        return ", ".join(
            f"version {version.number} {version.get_state_display()} ({version.author})"
            for version in spec.versions.all()
            if version.state in (State.DRAFT, State.IN_REVIEW)
        )

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
            shown = self.admin_site.admin_view(partial(view, of=self))
            return path(route, shown, name=f"specs_spec_{name}")

        return [
            at("<slug:spec_id>/edit/", admin_views.edit, "edit"),
            at("<slug:spec_id>/retire/", admin_views.retire, "retire"),
            at("<slug:spec_id>/versions/<int:number>/", admin_views.version, "version"),
            at("<slug:spec_id>/versions/<int:number>/dry-run/", admin_views.dry_run, "dry_run"),
            at("<slug:spec_id>/versions/<int:number>/submit/", admin_views.submit, "submit"),
            at("<slug:spec_id>/versions/<int:number>/approve/", admin_views.approve, "approve"),
            at(
                "<slug:spec_id>/versions/<int:number>/send-back/",
                admin_views.send_back,
                "send_back",
            ),
            *super().get_urls(),
        ]

    def add_view(self, request: HttpRequest, *_arguments: Any, **_more: Any) -> HttpResponse:
        return admin_views.edit(request, of=self, spec_id=None)

    def change_view(
        self, request: HttpRequest, object_id: str, *_arguments: Any, **_more: Any
    ) -> HttpResponse:
        return admin_views.overview(request, of=self, spec_id=object_id)


@admin.register(SpecVersion)
class SpecVersionAdmin(admin.ModelAdmin):
    """The versions of all specs, to be searched; each leads to its page."""

    list_display = ["page", "title", "state", "author", "reviewer", "created_at"]
    list_filter = ["state", "created_at"]
    list_select_related = ["spec", "author", "reviewer"]
    list_display_links = None
    search_fields = ["spec__id", "author__username", "reviewer__username"]
    ordering = ["-created_at"]

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    @admin.display(description="version", ordering="spec")
    def page(self, version: SpecVersion) -> str:
        where = reverse("admin:specs_spec_version", args=[version.spec_id, version.number])
        return format_html('<a href="{}">{}</a>', where, version)
