"""The reads of the assistant's planner: one stored row each, or one cold read."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from facts.api.etags import answered, weak_etag_of
from facts.api.examples import answer
from facts.api.fields import InstantField
from facts.api.permissions import MayReadAll
from facts.api.scoped import ScopedView
from facts.trust import Trust
from readiness import knowledge, reading
from readiness.rollup import Level

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
KNOWN = {
    "type": "object",
    "properties": {
        "about": {"type": "string", "enum": list(knowledge.ABOUT)},
        "as_of": {"type": "string", "format": "date-time"},
    },
    "required": ["about", "as_of"],
    "additionalProperties": True,
    "description": "What is known, in parts that depend on what it is about.",
}
KNOWLEDGE = {
    "about": "data",
    "as_of": "2026-03-02T09:03:00Z",
    "types": [{"type": "Order", "count": 830, "trust": "believed", "age": "2 hours"}],
}


class HeaderSerializer(serializers.Serializer[Any]):
    """The header of a turn."""

    text = serializers.CharField(help_text="At most three lines and 1,000 characters.")


class ItemSerializer(serializers.Serializer[Any]):
    """A type of record, and what it weighs in the whole."""

    label = serializers.CharField()  # type: ignore[assignment]
    count = serializers.IntegerField(allow_null=True)
    weight = serializers.FloatField(help_text="Its share; all of them together are 1.")
    data = serializers.IntegerField(  # type: ignore[assignment]
        help_text="The measure of its data."
    )
    use = serializers.IntegerField(help_text="Its share of use, in percent.")
    trust = serializers.ChoiceField([str(state) for state in Trust])
    failing = serializers.BooleanField()
    can_veto = serializers.BooleanField(help_text="Among the heaviest: failing, it blocks ready.")


class ReadinessSerializer(serializers.Serializer[Any]):
    """How ready the account is, and why."""

    level = serializers.ChoiceField([str(level) for level in Level])
    coverage = serializers.FloatField(help_text="Percent.")
    shown = serializers.IntegerField(allow_null=True, help_text="The one number to show, if any.")
    gap = serializers.CharField(allow_null=True, help_text="What is still being learned.")
    vetoes = serializers.ListField(child=serializers.CharField())
    items = ItemSerializer(many=True)
    measured_at = InstantField(allow_null=True, help_text="null: never rolled up.")
    trust = serializers.ChoiceField([str(state) for state in Trust])


class HeaderView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Read the header",
        description="What rides every turn: stored, and of the person in view if there is one.",
        responses={200: answer(HeaderSerializer, "The header.", {"text": HEADER})},
    )
    def get(self, _request: Request, **_path: Any) -> Response:
        return Response({"text": reading.header_of(self.scope.account, self.person, now=self.now)})


class ReadinessView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Read the readiness",
        description="The level of the account's knowledge and what it follows from, as stored.",
        responses={200: answer(ReadinessSerializer, "The readiness.", READINESS)},
    )
    def get(self, _request: Request, **_path: Any) -> Response:
        return Response(reading.readiness_of(self.scope.account, now=self.now))


class KnowledgeView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Get knowledge",
        description=(
            "What is known about the data, the account or the user, each part with its trust and "
            "age. A list that was cut ends 'and N more'. What is stale is asked for. For what is "
            "about the user a person is in view: the token's, or the one in the path."
        ),
        parameters=[
            OpenApiParameter("about", str, OpenApiParameter.PATH, enum=list(knowledge.ABOUT))
        ],
        responses={200: answer(KNOWN, "What is known.", KNOWLEDGE)},
    )
    def get(self, request: Request, about: str, **_path: Any) -> Response:
        account, person = self.scope.account, self.person
        known = knowledge.get_knowledge(account, about, now=self.now, person=person)
        said = {name: part for name, part in known.items() if name != "as_of"}
        return answered(request, known, weak_etag_of(said))
