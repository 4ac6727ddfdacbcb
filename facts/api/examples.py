"""Short ways to give an operation's OpenAPI description its examples."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse


def sent(value: object) -> OpenApiExample:
    """An example of what an operation takes."""
    return OpenApiExample("example", value, request_only=True)


def answer(serializer: Any, description: str, value: object) -> OpenApiResponse:
    """What an operation answers, with an example."""
    example = OpenApiExample("example", value, response_only=True)
    return OpenApiResponse(serializer, description, examples=[example])
