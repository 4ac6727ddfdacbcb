"""What is told of each request: one line, by its route, and never what was asked or answered."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from config import tracing

logger = logging.getLogger(__name__)

STATIC, NO_ROUTE = "static", "no route"
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_QUIET = {STATIC, "healthz", "readyz", "metrics"}  # asked every few seconds, or many a page


def told(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., object]:
    """Middleware, the outermost: an id for the request, and a line once it is answered."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        with tracing.traced(request.headers.get(tracing.HEADER)) as trace:
            started = time.perf_counter()
            response = get_response(request)
            seconds = time.perf_counter() - started
            response[tracing.HEADER] = trace
            _tell(request, response, seconds)
        return response

    return answer


def method_of(request: HttpRequest) -> str:
    """The request's method, or that it is one of the sender's own making."""
    return request.method if request.method in _METHODS else "OTHER"


def route_of(request: HttpRequest) -> str:
    """The pattern of the URL that was asked for: there are so many, whatever is asked."""
    match = getattr(request, "resolver_match", None)
    if match is not None:
        return str(match.route)
    return STATIC if request.path.startswith(settings.STATIC_URL) else NO_ROUTE


def _tell(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    level = logging.DEBUG if route_of(request) in _QUIET else logging.INFO
    scope = getattr(request, "auth", None)  # the credential's, where there was one
    logger.log(
        level,
        "answered",
        extra={
            "request": request,
            "status_code": response.status_code,
            "milliseconds": round(seconds * 1000, 1),
            "account": scope.account.pk if scope is not None else None,
        },
    )
