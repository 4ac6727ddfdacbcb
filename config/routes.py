"""What a request is called where it is told or counted: of few names, whatever is asked."""

from django.conf import settings
from django.http import HttpRequest

STATIC, NO_ROUTE = "static", "no route"
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def method_of(request: HttpRequest) -> str:
    """The request's method, or that it is one of the sender's own making."""
    return request.method if request.method in _METHODS else "OTHER"


def route_of(request: HttpRequest) -> str:
    """The pattern of the URL that was asked for."""
    match = getattr(request, "resolver_match", None)
    if match is not None:
        return str(match.route)
    return STATIC if request.path.startswith(settings.STATIC_URL) else NO_ROUTE
