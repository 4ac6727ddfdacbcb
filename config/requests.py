"""What is told of each request: one line, by its route, and never what was asked or answered."""

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from config import metrics, tracing
from config.routes import STATIC, method_of, route_of

logger = logging.getLogger(__name__)

_QUIET = {STATIC, "healthz", "readyz", "metrics"}  # asked every few seconds, or many a page


def told(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., object]:
    """Middleware, the outermost: an id for the request, and once it is answered a line and a count.

    The line is written and the time taken when the answer begins.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        with tracing.traced(request.headers.get(tracing.HEADER)) as trace:
            started = time.perf_counter()
            response = get_response(request)
            seconds = time.perf_counter() - started
            response[tracing.HEADER] = trace
            _tell(request, response, seconds)
        return response

    return answer


def _tell(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    route, status = route_of(request), response.status_code
    metrics.count(method=method_of(request), route=route, status=status, seconds=seconds)
    scope = getattr(request, "auth", None)  # the credential's, where there was one
    logger.log(
        logging.DEBUG if route in _QUIET else logging.INFO,
        "answered",
        extra={
            "request": request,
            "status_code": status,
            "milliseconds": round(seconds * 1000, 1),
            "account": scope.account.pk if scope is not None else None,
        },
    )
