"""``/mcp``: MCP over streamable HTTP, stateless, with the tokens and refusals of the REST API.

Each message is one POST that is answered whole with one JSON object, so any process answers any
message. A reader of a whole account names the person in the header ``Ken-Person``.
"""

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpResponse
from django.utils.http import is_same_domain
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST
from rest_framework.request import Request
from rest_framework.response import Response

from facts import problems
from facts.api.authentication import BearerToken
from facts.api.parsing import TooLarge
from facts.api.permissions import MayReadAll
from facts.api.scoped import ScopedView
from facts.errors import NotPermitted
from readiness.mcp.server import SERVER, Reach

PERSON_HEADER = "Ken-Person"
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
        return async_to_sync(_exchange)(request, body, reach)

    def get_exception_handler(self) -> Any:
        return _refused


async def _exchange(request: Request, body: bytes, reach: Reach) -> HttpResponse:
    """The SDK's answer to one message. A manager serves once, and costs little."""
    manager = StreamableHTTPSessionManager(SERVER, json_response=True, stateless=True)
    answer = HttpResponse()
    unread = [body]

    async def receive() -> MutableMapping[str, Any]:
        if not unread:
            await anyio.sleep_forever()  # until the client is gone, which nobody tells us
        return {"type": "http.request", "body": unread.pop(), "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answer.status_code = message["status"]
            for name, value in message["headers"]:
                answer[name.decode("latin-1")] = value.decode("latin-1")
        else:
            answer.write(message.get("body", b""))

    async with manager.run():
        await manager.handle_request(_scope_of(request, reach), receive, send)
    return answer


def _scope_of(request: Request, reach: Reach) -> MutableMapping[str, Any]:
    """The request as ASGI has it, with whom it reaches as its state."""
    return {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "root_path": "",
        "query_string": b"",
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in request.headers.items()
            if name != "Authorization"  # read, and nobody else's business
        ],
        "client": None,
        "server": None,
        "state": {"reach": reach},
    }


def _demand_own_origin(request: Request) -> None:
    """Refuse what another site's page sends, as the protocol has it; others send no Origin.

    The host was held against ALLOWED_HOSTS already, so a name that was rebound to this machine is
    no origin of ours.
    """
    origin = request.headers.get("Origin")
    if origin is None or origin == f"{request.scheme}://{request.get_host()}":
        return
    asked = urlsplit(origin)
    for trusted in map(urlsplit, settings.CSRF_TRUSTED_ORIGINS):
        if asked.scheme == trusted.scheme and is_same_domain(
            asked.netloc, trusted.netloc.lstrip("*")
        ):
            return
    raise NotPermitted("pages of another site may not ask; name it in CSRF_TRUSTED_ORIGINS")


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
