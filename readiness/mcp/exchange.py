"""One message to the SDK and its answer back, without a session and without a stream."""

from collections.abc import MutableMapping
from typing import Any

import anyio
from django.http import HttpResponse
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from rest_framework.request import Request

from readiness.mcp.reach import Reach
from readiness.mcp.server import SERVER


async def exchange(request: Request, body: bytes, reach: Reach) -> HttpResponse:
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
