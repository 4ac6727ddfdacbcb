"""The page of an account's plan: its features, one a line, written by the plan's one writer."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from facts import intake
from facts.admin.shared import asker_of, moment
from facts.errors import BadIntake, Conflict
from facts.models import Account, Fact

if TYPE_CHECKING:
    from facts.admin.accounts import AccountAdmin

SET_PLAN = "facts.set_plan"


class PlanForm(forms.Form):
    """All features of a plan, and which version of the fact they were read from."""

    features = forms.CharField(
        required=False,
        widget=forms.Textarea(
            attrs={"rows": 12, "class": "vLargeTextField", "spellcheck": "false"}
        ),
        help_text="One a line; their order says nothing. These are all: what is not here, the plan "
        "does not have.",
    )
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def clean_features(self) -> list[str]:
        """The features, without blank lines."""
        lines = self.cleaned_data["features"].splitlines()
        return [line.strip() for line in lines if line.strip()]


def plan_of(account: Account) -> Fact | None:
    """The fact of the plan, None where nobody has told it."""
    return account.facts.at(intake.FEATURES).exclude(value=None).first()


def features_of(plan: Fact | None) -> list[str]:
    """The features that a plan names."""
    return list(plan.value.get("features", [])) if plan is not None else []


def plan(request: HttpRequest, pk: int, *, of: "AccountAdmin") -> HttpResponse:
    """Show the plan's features and take new ones, unless the plan was told anew meanwhile."""
    if not request.user.has_perm(SET_PLAN):
        raise PermissionDenied
    account = get_object_or_404(Account, pk=pk)
    form = PlanForm(request.POST) if request.method == "POST" else _form_of(account)
    if request.method == "POST" and form.is_valid():
        try:
            _set(request, account, form, of)
            return redirect("admin:facts_account_change", pk)
        except BadIntake as refusal:
            form.add_error("features", ValidationError(str(refusal)))
        except Conflict:
            messages.error(
                request,
                "The plan was told anew meanwhile, as it stands here now. Nothing was changed.",
            )
            return redirect(request.path)
    standing = plan_of(account)
    page: dict[str, Any] = {
        **of.admin_site.each_context(request),
        "opts": of.model._meta,
        "row": account,
        "title": f"Plan of {account}",
        "form": form,
        "told": moment(standing.measured_at) if standing else None,
        "fact": standing,
    }
    return TemplateResponse(request, "admin/facts/account/plan.html", page)


def _form_of(account: Account) -> PlanForm:
    standing = plan_of(account)
    version = standing.version if standing else 0
    return PlanForm(initial={"features": "\n".join(features_of(standing)), "version": version})


def _set(request: HttpRequest, account: Account, form: PlanForm, of: "AccountAdmin") -> None:
    features = form.cleaned_data["features"]
    intake.set_plan(
        account,
        features,
        asker=asker_of(request),
        now=timezone.now(),
        version=form.cleaned_data["version"],
    )
    of.log_change(request, account, "Set the features of the plan.")
    count = len(set(features))
    messages.success(request, f"The plan has {count} feature{'' if count == 1 else 's'}.")
