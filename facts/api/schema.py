"""The OpenAPI document: what every operation has in common."""

import re
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from facts.api.authentication import ACCOUNT_HEADER
from facts.api.fields import StrictSerializer
from facts.api.serializers import ProblemSerializer
from facts.problems import CONTENT_TYPE, problem

_COMMON = {
    "400": ("The request holds what it must not, or lacks what it must hold.", "invalid"),
    "401": ("No credential, or none that is good.", "not-authenticated"),
    "403": ("The credential does not reach that far.", "not-permitted"),
    "404": ("Nothing is there, or nothing in reach.", "not-found"),
    "406": ("Answers are JSON.", "not-acceptable"),
    "429": ("The token made its calls of this minute.", "too-many-calls"),
}
_WITH_BODY = {
    "413": ("The body is too long.", "too-large"),
    "415": ("Bodies are JSON.", "unsupported-media-type"),
}

_OF_READS = [
    OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="A known tag."),
    OpenApiParameter(
        "ETag", str, OpenApiParameter.HEADER, response=[200, 304], description="This answer's tag."
    ),
]
_KNOWN = OpenApiResponse(description="The client has it already.")


def problem_response(description: str, code: str, status: int) -> OpenApiResponse:
    """A response with problem details, and an example of it."""
    example = OpenApiExample(
        code,
        problem(code, status, detail=description),
        response_only=True,
        status_codes=[str(status)],
        media_type=CONTENT_TYPE,
    )
    return OpenApiResponse(ProblemSerializer, description, examples=[example])


class KenSchema(AutoSchema):
    """Adds to each operation the header staff name an account in, and the common refusals."""

    def get_operation_id(self) -> str:
        """The method and the view's name: ``put_fact``, ``get_facts_of_person``."""
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(self.view).__name__.removesuffix("View"))
        whose = "_of_person" if "{person}" in self.path else ""
        return f"{self.method.lower()}_{name.lower()}{whose}"

    def get_override_parameters(self) -> list[Any]:
        if not self.view.permission_classes and not getattr(self.view, "permissions", None):
            return []
        return [
            OpenApiParameter(
                ACCOUNT_HEADER,
                str,
                OpenApiParameter.HEADER,
                description="The account a login asks about. A token says it by itself.",
            ),
            OpenApiParameter(
                "Retry-After",
                int,
                OpenApiParameter.HEADER,
                response=[429],
                description="Seconds until calls are allowed again.",
            ),
            *(_OF_READS if self.method == "GET" else []),
        ]

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        found: dict[str, Any] = super()._map_basic_serializer(  # type: ignore[no-untyped-call]
            serializer, direction
        )
        if isinstance(serializer, StrictSerializer):
            found["additionalProperties"] = False
        return found

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        found = super()._get_response_bodies(direction)
        if self.method == "GET" and "200" in found:
            found["304"] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                _KNOWN, "304", None, direction
            )
        common = _COMMON if self.method == "GET" else {**_COMMON, **_WITH_BODY}
        for status, (description, code) in common.items():
            if status not in found:
                response = problem_response(description, code, int(status))
                found[status] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                    response, status, [CONTENT_TYPE], direction
                )
        return found
