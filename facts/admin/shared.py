"""What the pages share: links, badges, moments, and models that are only read here."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.timesince import timesince

NOTHING = "–"
NO_EVIDENCE = "no evidence yet"  # the trust of the prior alone is no figure to show
JUST_NOW = timedelta(minutes=1)


class KenAdmin(admin.ModelAdmin):
    """An admin of the store: long tables are not counted twice."""

    show_full_result_count = False
    list_per_page = 50
    empty_value_display = NOTHING

    class Media:
        css = {"all": ["facts/admin.css"]}


class ReadOnlyAdmin(KenAdmin):
    """What is written elsewhere and only looked at here."""

    actions_on_top = True

    def has_add_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


def asker_of(request: HttpRequest) -> str:
    """The name under which a member of staff stands in histories."""
    return f"staff:{request.user.get_username()}"


def link(to: Model | None, text: object = None) -> str:
    """A link to the page of a row."""
    if to is None:
        return NOTHING
    where = reverse(f"admin:{to._meta.app_label}_{to._meta.model_name}_change", args=[to.pk])
    return format_html('<a href="{}">{}</a>', where, to if text is None else text)


def list_link(model: type[Model], text: object, **filters: int | str) -> str:
    """A link to the list of a model's rows, filtered."""
    where = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return format_html('<a href="{}?{}">{}</a>', where, urlencode(filters), text)


def badge(word: str, kind: str = "") -> str:
    """A word in a frame; its colour only repeats what the word says."""
    return format_html('<span class="badge badge-{}">{}</span>', kind or word, word)


def moment(at: datetime | None, *, now: datetime | None = None) -> str:
    """How long ago, with the exact instant on hover."""
    if at is None:
        return NOTHING
    now = now or timezone.now()
    if abs(at - now) < JUST_NOW:
        words = "just now"
    else:
        past = at <= now
        span = timesince(at, now, depth=1) if past else timesince(now, at, depth=1)
        words = f"{span} ago" if past else f"in {span}"
    instant = timezone.localtime(at)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        instant.isoformat(),
        f"{instant:%Y-%m-%d %H:%M:%S %Z}",
        words,
    )
