"""What the product tells of an account over HTTP: use, integrations and its plan.

Each door takes a token of the one observer that writes there, and tells all there is, so that
telling it again changes nothing.
"""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from facts import intake
from facts.api.fields import InstantField, StrictSerializer
from facts.api.permissions import only
from facts.api.scoped import ScopedView
from facts.usage import taking
from facts.usage.queries import BadUsage, read

QUERIES = 1_000  # of one body
NAMES = 1_000  # integrations or features of one body


class UsageSerializer(StrictSerializer):
    """Queries as they were run."""

    queries = serializers.ListField(
        child=serializers.JSONField(),
        max_length=QUERIES,
        help_text="Objects of query, dialect, and optionally person and ok.",
    )


class RefusedQuerySerializer(serializers.Serializer[Any]):
    """A line that says no query."""

    line = serializers.IntegerField(help_text="Its place in the body, from 0.")
    reason = serializers.CharField()


class UsageTakenSerializer(serializers.Serializer[Any]):
    """What became of the queries: each is counted once."""

    accepted = serializers.IntegerField(help_text="Their shapes and labels are kept.")
    dropped = serializers.IntegerField(help_text="They could not be parsed.")
    refused = RefusedQuerySerializer(many=True)


class UsageView(ScopedView):
    permissions = {"POST": only(taking.OBSERVER)}

    @extend_schema(
        summary="Push queries",
        description=(
            f"At most {QUERIES:,} queries as people or programs ran them, failed ones too. Only "
            "the shape of each and the labels it touches are kept; literals, comments and names "
            "that are not the account's own are not."
        ),
        request=UsageSerializer,
        responses={
            200: OpenApiResponse(
                UsageTakenSerializer,
                "What became of them.",
                examples=[
                    OpenApiExample(
                        "example",
                        {"accepted": 1, "dropped": 0, "refused": []},
                        response_only=True,
                    )
                ],
            )
        },
        examples=[
            OpenApiExample(
                "example",
                {
                    "queries": [
                        {
                            "person": "alice",
                            "query": "SELECT id FROM orders WHERE status = 'late'",
                            "dialect": "postgres",
                            "ok": True,
                        }
                    ]
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        body = UsageSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        account, runs, refused = self.scope.account, [], []
        for line, said in enumerate(body.validated_data["queries"]):
            try:
                if isinstance(said, dict) and "account" in said:
                    raise BadUsage("the credential says which account; a line does not")
                told = {**said, "account": account.external_id} if isinstance(said, dict) else said
                runs.append(read(told))
            except BadUsage as fault:
                refused.append({"line": line, "reason": str(fault)})
        taken = taking.take(account, runs, now=self.now)
        told = {"accepted": taken.accepted, "dropped": taken.dropped, "refused": refused}
        return Response(UsageTakenSerializer(told).data)


class IntegrationSerializer(StrictSerializer):
    """How one integration is doing."""

    name = serializers.CharField(max_length=intake.LONGEST_NAME)
    category = serializers.CharField(max_length=intake.LONGEST_NAME)
    healthy = serializers.BooleanField()
    last_succeeded = InstantField(required=False, allow_null=True)


class IntegrationsSerializer(StrictSerializer):
    """All integrations of the account."""

    integrations = serializers.ListField(child=IntegrationSerializer(), max_length=NAMES)


class WrittenSerializer(serializers.Serializer[Any]):
    """How many facts were written."""

    written = serializers.IntegerField()


def _written(number: int) -> OpenApiResponse:
    return OpenApiResponse(
        WrittenSerializer,
        "The facts that were written.",
        examples=[OpenApiExample("example", {"written": number}, response_only=True)],
    )


class IntegrationsView(ScopedView):
    permissions = {"PUT": only(intake.INTEGRATIONS)}

    @extend_schema(
        summary="Tell the integrations",
        description=(
            "All integrations of the account; one left out is gone. When one last succeeded moves "
            "all the time and rebuilds nothing."
        ),
        request=IntegrationsSerializer,
        responses={200: _written(2)},
        examples=[
            OpenApiExample(
                "example",
                {
                    "integrations": [
                        {
                            "name": "dhl",
                            "category": "shipping",
                            "healthy": True,
                            "last_succeeded": "2026-03-02T09:00:00Z",
                        }
                    ]
                },
                request_only=True,
            )
        ],
    )
    def put(self, request: Request) -> Response:
        body = IntegrationsSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        states = [
            intake.IntegrationState(**{"last_succeeded": None, **said})
            for said in body.validated_data["integrations"]
        ]
        facts = intake.set_integrations(self.scope.account, states, now=self.now)
        return Response({"written": len(facts)})


class PlanSerializer(StrictSerializer):
    """All features of the account's plan."""

    features = serializers.ListField(
        child=serializers.CharField(max_length=intake.LONGEST_NAME), max_length=NAMES
    )


class PlanView(ScopedView):
    permissions = {"PUT": only(intake.PLAN)}

    @extend_schema(
        summary="Tell the plan",
        description="All features of the account's plan; one left out is in it no more.",
        request=PlanSerializer,
        responses={200: _written(1)},
        examples=[
            OpenApiExample("example", {"features": ["late-orders", "refunds"]}, request_only=True)
        ],
    )
    def put(self, request: Request) -> Response:
        body = PlanSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        facts = intake.set_plan(self.scope.account, body.validated_data["features"], now=self.now)
        return Response({"written": len(facts)})
