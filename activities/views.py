"""The person's page: what Ken thinks they work on, and their say in it."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from activities import feedback, preferences, reads
from activities.models import Feedback
from activities.wording import reason
from facts.errors import KenError
from facts.models import Person


@login_required
@require_GET
def what_i_work_on(request: HttpRequest) -> HttpResponse:
    """The activities of the person this login is tied to, and what they said about them."""
    person = _person(request)
    if person is None:
        return render(request, "activities/nobody.html", status=404)
    return _page(request, person)


def _page(
    request: HttpRequest, person: Person, *, typed: str = "", refusal: str = ""
) -> HttpResponse:
    """The page; with a ``refusal`` of what was ``typed`` for the assistant both stand in its form.

    What was refused is in this answer and nowhere else.
    """
    now = timezone.now()
    said = person.feedback.in_force(now).select_related("verb").order_by("-at")
    return render(
        request,
        "activities/what_i_work_on.html",
        {
            "activities": [
                {
                    "verb": each.verb,
                    "title": each.title,
                    "reason": reason(
                        sessions=each.sessions,
                        days=each.days,
                        others=each.others,
                        colleagues=each.colleagues,
                        lift=each.lift,
                    ),
                }
                for each in reads.activities_of(person.account, person)
            ],
            "rejected": [each for each in said if each.kind == Feedback.Kind.NOT_MINE],
            "hidden": [each for each in said if each.kind == Feedback.Kind.HIDE],
            "preferences": typed if refusal else preferences.text_of(person),
            "refusal": refusal,
            "longest": preferences.LONGEST,
            "header": reads.header_of(person, now=now),
            "here": "me",
        },
        status=400 if refusal else 200,
    )


@login_required
@require_POST
def say(request: HttpRequest) -> HttpResponse:
    """One act of the person: reject, hide or take back the verb that the form names."""
    person = _person(request)
    if person is None:
        return render(request, "activities/nobody.html", status=404)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        return HttpResponse("an act is not-mine, hide or take-back", status=400)
    try:
        messages.success(request, act(person, request.POST.get("verb", "")))
    except KenError as refusal:
        messages.error(request, str(refusal))
    return redirect("what-i-work-on")


@login_required
@sensitive_post_parameters("text")
@require_http_methods(["GET", "HEAD", "POST"])
def prefer(request: HttpRequest) -> HttpResponse:
    """Keep what the person wrote for their assistant; a refusal stands in the form beside it."""
    if request.method != "POST":  # the address of a refusal, opened again
        return redirect("what-i-work-on")
    person = _person(request)
    if person is None:
        return render(request, "activities/nobody.html", status=404)
    typed = request.POST.get("text", "")
    try:
        preferences.write(person, typed, now=timezone.now())
    except KenError as refusal:
        return _page(request, person, typed=typed, refusal=str(refusal))
    messages.success(request, "Noted: your assistant reads this as your own words.")
    return redirect("what-i-work-on")


def _person(request: HttpRequest) -> Person | None:
    assert isinstance(request.user, User)
    return Person.objects.select_related("account").filter(user=request.user).first()


def _not_mine(person: Person, verb: str) -> str:
    said = feedback.reject(person, verb, now=timezone.now())
    return f"Noted: “{said.verb}” is not yours. It will not come back unless you take this back."


def _hide(person: Person, verb: str) -> str:
    said = feedback.hide(person, verb, now=timezone.now())
    assert said.ends_at is not None
    until = date_format(timezone.localtime(said.ends_at), "j F Y, H:i")
    return f"“{said.verb}” is hidden until {until}."


def _take_back(person: Person, verb: str) -> str:
    said = feedback.take_back(person, verb, now=timezone.now())
    return (
        f"Taken back: “{said[0].verb}” shows again as soon as it counts as one of your activities."
    )


_ACTS: dict[str, Callable[[Person, str], str]] = {
    "not-mine": _not_mine,
    "hide": _hide,
    "take-back": _take_back,
}
