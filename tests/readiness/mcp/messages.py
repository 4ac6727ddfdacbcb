"""Messages of MCP as a client without the SDK would send them."""

from typing import Any

from tests.facts.program import Program

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def send(
    program: Program,
    method: str,
    params: dict[str, Any] | None = None,
    *,
    version: str = LEGACY,
    **headers: str,
) -> Any:
    """The HTTP answer to one message."""
    params = dict(params or {})
    headers["MCP-Protocol-Version"] = version
    if version == MODERN:
        headers["Mcp-Method"] = method
        if name := params.get("name") or params.get("uri"):
            headers["Mcp-Name"] = name
        params["_meta"] = ENVELOPE
    return program.client.post(
        "/mcp",
        {"jsonrpc": "2.0", "id": 7, "method": method, "params": params},
        content_type="application/json",
        headers={
            "Accept": "application/json, text/event-stream",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
    )


def call(program: Program, about: object, **more: str) -> Any:
    """The result of ``get-knowledge``."""
    answer = send(
        program, "tools/call", {"name": "get-knowledge", "arguments": {"about": about}}, **more
    )
    assert answer.status_code == 200, answer.content
    return answer.json()["result"]


def header(program: Program, **more: str) -> str:
    """The text of the header."""
    answer = send(program, "resources/read", {"uri": "ken://header"}, **more)
    [contents] = answer.json()["result"]["contents"]
    return str(contents["text"])
