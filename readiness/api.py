"""The reads of the assistant's planner: one stored row each, or one cold read."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from facts.api.scoped import ScopedView
from facts.tokens import Scope
from readiness import knowledge, reading

HEADER = "Works on: Refund handling.\nReady: Late orders.\nKnowledge: ready, 92%."
READINESS = {
    "level": "almost-ready",
    "coverage": 73.4012,
    "shown": 73,
    "gap": "Still learning Shipment.",
    "vetoes": ["Shipment"],
    "items": [
        {
            "label": "Shipment",
            "count": 2310,
            "weight": 0.2659,
            "data": 7745,
            "use": 12,
            "trust": "believed",
            "failing": True,
            "can_veto": True,
        }
    ],
    "measured_at": "2026-03-02T09:03:00Z",
    "trust": "believed",
}
KNOWLEDGE = {
    "about": "data",
    "as_of": "2026-03-02T09:03:00Z",
    "types": [{"type": "Order", "count": 830, "trust": "believed", "age": "2 hours"}],
}


class MayReadAll(BasePermission):
    """A reader, which an observer is not: it reads what it writes and no more."""

    message = "this credential reads what its observer writes and no more"

    def has_permission(self, request: Request, _view: Any) -> bool:
        return isinstance(request.auth, Scope) and not request.auth.observer


class HeaderSerializer(serializers.Serializer[Any]):
    """The header of a turn."""

    text = serializers.CharField(help_text="At most three lines and 1,000 characters.")


def _answer(serializer: Any, description: str, value: Any) -> OpenApiResponse:
    return OpenApiResponse(
        serializer, description, examples=[OpenApiExample("example", value, response_only=True)]
    )


class HeaderView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Read the header",
        description="What rides every turn: stored, and of the person in view if there is one.",
        responses={200: _answer(HeaderSerializer, "The header.", {"text": HEADER})},
    )
    def get(self, _request: Request, **_path: Any) -> Response:
        return Response({"text": reading.header_of(self.scope.account, self.person, now=self.now)})


class ReadinessView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Read the readiness",
        description="The level of the account's knowledge and what it follows from, as stored.",
        responses={200: _answer({"type": "object"}, "The readiness.", READINESS)},
    )
    def get(self, _request: Request, **_path: Any) -> Response:
        return Response(reading.readiness_of(self.scope.account, now=self.now))


class KnowledgeView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Get knowledge",
        description=(
            "What is known about the data, the account or the user, each part with its trust and "
            "age. A list that was cut ends 'and N more'. What is stale is asked for."
        ),
        responses={200: _answer({"type": "object"}, "What is known.", KNOWLEDGE)},
    )
    def get(self, _request: Request, about: str, **_path: Any) -> Response:
        return Response(
            knowledge.get_knowledge(self.scope.account, about, now=self.now, person=self.person)
        )
