"""``Idempotency-Key``: a program that heard no answer sends the same again, and nothing is doubled.

For the writes that say more each time they are made: requests, use and outcomes. All others change
nothing the second time by themselves.
"""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from facts import replies
from facts.api.schema import problem_response
from facts.api.scoped import ScopedView
from facts.problems import CONTENT_TYPE, Invalid
from facts.replies import Said

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 200  # characters

PARAMETER = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description=(
        "A text of your own, new for each write. The same again within a day gets the first "
        f"answer, with the header {REPLAYED}."
    ),
    examples=[OpenApiExample("a UUID", "0b6fbd5e-3f0a-4d8a-9d53-2f2d6c3d1a55")],
)
REUSED = {
    (409, CONTENT_TYPE): problem_response(
        "The key came before with another request.", "key-reused", 409
    )
}

Method = Callable[..., Response]


def once_per_key(method: Method) -> Method:
    """Make a view's write once for each key its callers name; without a key it is just made."""

    @wraps(method)
    def once(view: ScopedView, request: Request, **path: Any) -> Response:
        key = request.headers.get(HEADER)
        if key is None:
            return method(view, request, **path)
        _demand_sense(key)

        def write() -> Said:
            answer = method(view, request, **path)
            return Said(answer.status_code, JSONRenderer().render(answer.data).decode())

        said = replies.once(
            key,
            [request.method, request.path, request.data],
            scope=view.scope,
            person=view.person,
            now=view.now,
            write=write,
        )
        headers = {REPLAYED: "true"} if said.again else {}
        return Response(json.loads(said.body), said.status, headers=headers)

    return once


def _demand_sense(key: str) -> None:
    if not 0 < len(key) <= LONGEST or not all("!" <= letter <= "~" for letter in key):
        raise Invalid(f"1 to {LONGEST} visible ASCII characters, no spaces", header=HEADER)
