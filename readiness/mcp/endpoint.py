"""``/mcp``: MCP over streamable HTTP, stateless, with the tokens and refusals of the REST API.

Each message is one POST that is answered whole with one JSON object, so any process answers any
message. A reader of a whole account names the person in the header ``Ken-Person``.
"""

from typing import Any
from urllib.parse import unquote, urlsplit

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpResponse
from django.utils.http import is_same_domain
from rest_framework.request import Request
from rest_framework.response import Response

from facts import problems
from facts.api.authentication import BearerToken
from facts.api.parsing import TooLarge
from facts.api.permissions import MayReadAll
from facts.api.scoped import ScopedView
from facts.errors import NotPermitted
from readiness.mcp.reach import Reach

PERSON_HEADER = "Ken-Person"
INVALID_REQUEST = -32600  # JSON-RPC's
BODY_LIMIT = 64 * 1024  # bytes; a message names a tool and a subject


class Endpoint(ScopedView):
    """One MCP message, from a reader's token. No login is taken, so no browser can be used."""

    http_method_names = ["post"]
    authentication_classes = [BearerToken]
    permissions = {"POST": MayReadAll}
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        _demand_own_origin(request)
        named = request.headers.get(PERSON_HEADER)
        # Percent-encoded as in a path, since a header holds no other letters than ASCII's.
        person = None if named is None else unquote(named)
        super().initial(request, *args, **{**kwargs, "person": person})

    def post(self, request: Request) -> HttpResponse:
        body = request.read(BODY_LIMIT + 1)
        if len(body) > BODY_LIMIT:
            raise TooLarge(f"a message has at most {BODY_LIMIT:,} bytes")
        reach = Reach(account=self.scope.account, person=self.person, now=self.now)
        # The SDK takes a second to load, which no command that loads the URLs should wait for.
        from readiness.mcp.exchange import exchange  # noqa: PLC0415

        return async_to_sync(exchange)(request, body, reach)

    def get_exception_handler(self) -> Any:
        return _refused


def _demand_own_origin(request: Request) -> None:
    """Refuse what another site's page sends, as the protocol has it; others send no Origin.

    The host was held against ALLOWED_HOSTS already, so a name that was rebound to this machine is
    no origin of ours.
    """
    origin = request.headers.get("Origin")
    if origin is None or origin == f"{request.scheme}://{request.get_host()}":
        return
    if not any(_is_within(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS):
        raise NotPermitted("pages of another site may not ask; name it in CSRF_TRUSTED_ORIGINS")


def _is_within(origin: str, trusted: str) -> bool:
    """Whether an origin is the trusted one, which may begin ``https://*.`` as Django has it."""
    try:
        asked, named = urlsplit(origin), urlsplit(trusted)
    except ValueError:  # a sender's half of an IPv6 address
        return False
    domain = named.netloc.lstrip("*")
    return asked.scheme == named.scheme and is_same_domain(asked.netloc, domain)


def _refused(error: Exception, context: dict[str, Any]) -> Response | None:
    """A refusal as the REST API words it, in the JSON-RPC error that clients of MCP read."""
    answer = problems.answer(error, context)
    if answer is not None:
        details = answer.data
        answer.data = {
            "jsonrpc": "2.0",
            "id": None,
            "error": {"code": INVALID_REQUEST, "message": details["detail"], "data": details},
        }
        answer.content_type = "application/json"
    return answer
