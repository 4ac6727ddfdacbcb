"""Events over HTTP: the same door as ``load_events``, for a token of this app's observer."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from activities import events, rules, votes
from activities.derivation import OBSERVER
from facts.api.fields import StrictSerializer
from facts.api.permissions import only
from facts.api.scoped import ScopedView
from facts.api.serializers import RefusedLineSerializer

EVENTS = 10_000  # of one body

PUSHED = {
    "events": [
        {"person": "alice", "action": "Refund paid", "at": "2026-03-02T09:00:00Z"},
        {"person": "bob", "action": "Refund paid", "at": "2026-03-02T09:00:00"},
    ]
}
OUTCOME = {
    "accepted": 1,
    "folded": 0,
    "unmapped": 0,
    "on_behalf": 0,
    "refused": [{"line": 1, "reason": "at has no offset from UTC, so it is no instant"}],
}


class EventsSerializer(StrictSerializer):
    """Events as they happened; each is taken or refused by itself."""

    events = serializers.ListField(
        child=serializers.JSONField(),
        max_length=EVENTS,
        help_text="Objects of person, action, at, and on_behalf_of for an act in another's name.",
    )


class TakenSerializer(serializers.Serializer[Any]):
    """What became of the events: each is counted once."""

    accepted = serializers.IntegerField(help_text="Made a vote.")
    folded = serializers.IntegerField(help_text="Fell into a minute that had its vote.")
    unmapped = serializers.IntegerField(help_text="Named an action the registry doesn't have.")
    on_behalf = serializers.IntegerField(help_text="Made on behalf of somebody: they don't count.")
    refused = RefusedLineSerializer(many=True)


class EventsView(ScopedView):
    permissions = {"POST": only(OBSERVER)}

    @extend_schema(
        summary="Push events",
        description=(
            f"At most {EVENTS:,} acts of people, in any order, late or twice: pushing the same "
            "again changes nothing. A refused event is told by its place and stops no other."
        ),
        request=EventsSerializer,
        responses={
            200: OpenApiResponse(
                TakenSerializer,
                "What became of them.",
                examples=[OpenApiExample("example", OUTCOME, response_only=True)],
            )
        },
        examples=[OpenApiExample("example", PUSHED, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        body = EventsSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        found = events.read_pushed(
            body.validated_data["events"],
            account=self.scope.account.external_id,
            person=self.scope.person.external_id if self.scope.person else None,
            latest=rules.microseconds(self.now + rules.CLOCK_SKEW),
        )
        taken = votes.take(found.events, now=self.now)
        told = {
            "accepted": taken.accepted,
            "folded": taken.folded,
            "unmapped": taken.unmapped,
            "on_behalf": found.on_behalf,
            "refused": [{"line": line, "reason": reason} for line, reason in found.refused],
        }
        return Response(TakenSerializer(told).data)
