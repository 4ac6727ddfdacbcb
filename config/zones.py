"""The reader's time zone: every time on a page is told in it."""

from collections.abc import Callable
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

COOKIE = "zone"  # set by facts/zone.js from what the browser says
_KNOWN = available_timezones()


class ReadersZone:
    """Tell times in the zone the browser said it is in, else in the site's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = request.COOKIES.get(COOKIE, "")
        with timezone.override(ZoneInfo(name) if name in _KNOWN else None):
            return self.get_response(request)
