"""The admin's own pages of activities: mapping an action, and verbs by rejections."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from activities import rules, verbs
from activities.documents import Registry
from activities.errors import BadRegistry
from activities.models import Action, UnmappedName
from activities.statements import statement
from activities.verbs import Change

NAVIGATION = ""  # the choice of an action that is no verb
MOST_ROWS = 200  # of a table on a page; what is cut ends in "and N more"


class MapForm(forms.Form):
    """An action's name and the verb it is to vote for."""

    name = forms.CharField(max_length=200, widget=forms.HiddenInput, strip=False)
    verb = forms.ChoiceField(required=False, label="It is")

    def __init__(self, registry: Registry, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.registry = registry
        verb = self.fields["verb"]
        assert isinstance(verb, forms.ChoiceField)
        verb.choices = [
            (NAVIGATION, "navigation, which never counts"),
            *((name, registry.titles[name]) for name in registry.verbs),
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.mapped = self.registry.with_action(cleaned["name"], cleaned["verb"] or None)
            except BadRegistry as fault:
                raise ValidationError(str(fault)) from None
        return cleaned


def map_action(request: HttpRequest) -> HttpResponse:
    """Map an action in place: choose, see whose activities would change, and put it in force.

    Only what was shown is put in force: another choice is shown first.
    """
    if not request.user.has_perm("activities.change_action"):
        raise PermissionDenied
    registry = verbs.current()
    name = request.POST.get("name") or request.GET.get("name", "")
    if request.method == "POST":
        form = MapForm(registry, request.POST)
    else:
        now_verb = registry.actions.get(name) or NAVIGATION
        form = MapForm(registry, initial={"name": name, "verb": now_verb})
    context = {**admin.site.each_context(request), **_about(name), "form": form}
    if form.is_valid():
        verb = form.cleaned_data["verb"]
        chosen = f"“{registry.titles[verb]}”" if verb else "navigation"
        if request.POST.get("shown") == verb:
            verbs.replace(form.mapped, now=timezone.now())
            _log(request, name, verb)
            messages.success(request, f"Mapped: “{name}” is {chosen} from now on.")
            return redirect("admin:activities_action_changelist")
        changes = _changes(form.mapped)
        more = len(changes[MOST_ROWS:])
        context |= {"chosen": chosen, "changes": changes[:MOST_ROWS], "more": more}
    return render(request, "admin/activities/map_action.html", context)


def _about(name: str) -> dict[str, Any]:
    """What the page says of an action before anything is chosen."""
    return {
        "title": "Map an action",
        "name": name,
        "known": Action.objects.filter(name=name, known=True).first(),
        "unmapped": UnmappedName.objects.filter(name=name).first(),
    }


@dataclass(frozen=True, slots=True)
class Rejections:
    """How many of the people a verb was inferred for reject it, in one account."""

    account: str
    verb_pk: int
    verb: str
    people: int
    rejecting: int
    hiding: int

    @property
    def percent(self) -> int:
        """The share that says "not mine", rounded half up."""
        return (200 * self.rejecting + self.people) // (2 * self.people)


def rejections(request: HttpRequest) -> HttpResponse:
    """Verbs by the share of people who reject them: a high one shows a wrong mapping."""
    if not request.user.has_perm("activities.view_feedback"):
        raise PermissionDenied
    with connection.cursor() as cursor:
        cursor.execute(
            statement("rejections"),
            {"hidden_since": timezone.now() - rules.HIDDEN_FOR, "limit": MOST_ROWS},
        )
        rows = [Rejections(*row) for row in cursor.fetchall()]
    context = {**admin.site.each_context(request), "title": "Verbs by rejections", "rows": rows}
    return render(request, "admin/activities/rejections.html", context)


def _changes(registry: Registry) -> list[Change]:
    now = timezone.now()
    return [
        change
        for account in verbs.accounts_moved_by(registry)
        for change in verbs.preview(registry, account, now=now)
    ]


def _log(request: HttpRequest, name: str, verb: str) -> None:
    assert request.user.pk is not None
    LogEntry.objects.log_actions(
        request.user.pk,
        Action.objects.filter(name=name),
        CHANGE,
        change_message=f"Mapped to {verb or 'navigation'}.",
    )
