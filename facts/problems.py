"""Refusals over HTTP, as problem details (RFC 9457).

``type`` is a path of ours and stays the same for ever: ``/problems/`` and the refusal's code.
``errors`` says where in the request each fault lies: a JSON pointer into the body, or the name of
a parameter or header. A problem repeats nothing that was sent but names of fields, for what was
sent may be a customer's.
"""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response

from facts.errors import (
    BadToken,
    Conflict,
    KenError,
    KeyReused,
    NameTaken,
    NotPermitted,
    NotTheOwner,
    TooManyCalls,
    UnknownAccount,
    UnknownPerson,
    UnknownRef,
)

CONTENT_TYPE = "application/problem+json"
SHOWN = 100  # errors of one answer
LONGEST = 200  # characters of a pointer's part

_STATUSES: dict[type[KenError], HTTPStatus] = {
    KenError: HTTPStatus.BAD_REQUEST,
    BadToken: HTTPStatus.UNAUTHORIZED,
    NotPermitted: HTTPStatus.FORBIDDEN,
    NotTheOwner: HTTPStatus.FORBIDDEN,
    UnknownAccount: HTTPStatus.NOT_FOUND,
    UnknownPerson: HTTPStatus.NOT_FOUND,
    UnknownRef: HTTPStatus.NOT_FOUND,
    NameTaken: HTTPStatus.CONFLICT,
    KeyReused: HTTPStatus.CONFLICT,
    TooManyCalls: HTTPStatus.TOO_MANY_REQUESTS,
    Conflict: HTTPStatus.PRECONDITION_FAILED,
}


class Invalid(KenError):
    """A request holds what it must not, or lacks what it must hold.

    ``where`` is a ``pointer`` into the body, a ``parameter`` or a ``header``.
    """

    code = "invalid"

    def __init__(self, message: str, **where: str) -> None:
        super().__init__(message)
        self.where = where


def answers_with(status: HTTPStatus, *errors: type[KenError]) -> None:
    """Answer refusals of these classes with ``status``. Called from an app's ``ready()``."""
    _STATUSES.update(dict.fromkeys(errors, status))


def status_of(error: KenError) -> HTTPStatus:
    """The status of the nearest class that has one; 400 where none has."""
    return next(_STATUSES[cls] for cls in type(error).__mro__ if cls in _STATUSES)


def problem(
    code: str, status: int, *, errors: list[dict[str, str]] | None = None, **more: Any
) -> dict[str, Any]:
    """The details of a problem. ``more`` are ``detail`` and members of the problem's own."""
    found: dict[str, Any] = {
        "type": f"/problems/{code}",
        "title": code.replace("-", " ").capitalize(),
        "status": int(status),
        **more,
    }
    if errors:
        found["errors"] = errors[:SHOWN]
        if len(errors) > SHOWN:
            found["more"] = len(errors) - SHOWN
    return found


def problem_of(error: KenError) -> dict[str, Any]:
    """The details of a refusal."""
    more = {"version": error.version} if isinstance(error, Conflict) else {}
    errors = [{"pointer": f.pointer, "detail": f.message} for f in getattr(error, "faults", ())]
    if error.where:
        errors = [{**error.where, "detail": str(error)}]
    return problem(error.code, status_of(error), errors=errors, detail=str(error), **more)


def answer(error: Exception, _context: dict[str, Any]) -> Response | None:
    """DRF's exception handler; None leaves what is no refusal to Django's own 500."""
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    headers = {}
    if isinstance(error, KenError):
        details = problem_of(error)
        if isinstance(error, Conflict):
            headers["ETag"] = f'"{error.version}"'
        elif isinstance(error, TooManyCalls):
            headers["Retry-After"] = str(error.wait)
    elif isinstance(error, exceptions.APIException):
        details = _problem_of_framework(error)
        if challenge := getattr(error, "auth_header", None):
            headers["WWW-Authenticate"] = challenge
        if wait := getattr(error, "wait", None):
            headers["Retry-After"] = f"{wait:.0f}"
    else:
        return None
    return Response(details, details["status"], headers=headers, content_type=CONTENT_TYPE)


def _problem_of_framework(error: exceptions.APIException) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        errors = [
            {"pointer": pointer, "detail": detail} for pointer, detail in _faults(error.detail)
        ]
        detail = "the request holds what it must not, or lacks what it must hold"
        return problem("invalid", error.status_code, errors=errors, detail=detail)
    code = str(getattr(error.detail, "code", error.default_code)).replace("_", "-")
    return problem(code, error.status_code, detail=str(error.detail))


def _faults(detail: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every message of a validation error with the JSON pointer it is about."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            at = pointer if name == "non_field_errors" else f"{pointer}/{_escaped(name)}"
            yield from _faults(inner, at)
    elif isinstance(detail, list):
        for place, inner in enumerate(detail):
            nested = isinstance(inner, dict | list)
            yield from _faults(inner, f"{pointer}/{place}" if nested else pointer)
    else:
        yield pointer, str(detail)


def _escaped(name: object) -> str:
    return str(name)[:LONGEST].replace("~", "~0").replace("/", "~1")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """The site's 404: a problem under ``/api/``, a page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.page_not_found(request, exception)
    return JsonResponse(
        problem("not-found", 404, detail="there is nothing at this address"),
        status=404,
        content_type=CONTENT_TYPE,
    )


def server_error(request: HttpRequest) -> HttpResponseBase:
    """The site's 500: a problem under ``/api/``, a page elsewhere; neither says what broke."""
    if not request.path.startswith("/api/"):
        return defaults.server_error(request)
    return JsonResponse(
        problem("server-error", 500, detail="something broke here, and nothing was written"),
        status=500,
        content_type=CONTENT_TYPE,
    )
