"""What the product tells of an account over HTTP: use, integrations and its plan.

Each door takes a token of the one observer that writes there. Integrations and the plan are told
whole, so that telling them again changes nothing; use is counted, once for each key.
"""

from datetime import datetime
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from facts import intake, store
from facts.api import idempotency
from facts.api.examples import answer, sent
from facts.api.fields import InstantField, StrictSerializer
from facts.api.permissions import only
from facts.api.scoped import ScopedView
from facts.api.serializers import RefusedLineSerializer
from facts.models import Fact
from facts.trust import Trust
from facts.usage import taking
from facts.usage.queries import BadUsage, read

QUERIES = 1_000  # of one body
NAMES = 1_000  # integrations or features of one body

DHL = {
    "name": "dhl",
    "category": "shipping",
    "healthy": True,
    "last_succeeded": "2026-03-02T09:00:00Z",
}
KNOWN = {"trust": "believed", "measured_at": "2026-03-02T09:03:00Z"}


class UsageSerializer(StrictSerializer):
    """Queries as they were run."""

    queries = serializers.ListField(
        child=serializers.JSONField(),
        max_length=QUERIES,
        help_text="Objects of query, dialect, and optionally person and ok.",
    )


class UsageTakenSerializer(serializers.Serializer[Any]):
    """What became of the queries: each is counted once."""

    accepted = serializers.IntegerField(help_text="Their shapes and labels are kept.")
    dropped = serializers.IntegerField(help_text="They could not be parsed.")
    refused = RefusedLineSerializer(many=True)


class UsageView(ScopedView):
    permissions = {"POST": only(taking.OBSERVER)}

    @extend_schema(
        summary="Push queries",
        description=(
            f"At most {QUERIES:,} queries as people or programs ran them, failed ones too. Only "
            "the shape of each and the labels it touches are kept; literals, comments and names "
            "that are not the account's own are not. Each time they are pushed counts as use."
        ),
        parameters=[idempotency.PARAMETER],
        request=UsageSerializer,
        responses={
            200: answer(
                UsageTakenSerializer,
                "What became of them.",
                {"accepted": 1, "dropped": 0, "refused": []},
            ),
            **idempotency.REUSED,
        },
        examples=[
            sent(
                {
                    "queries": [
                        {
                            "person": "alice",
                            "query": "SELECT id FROM orders WHERE status = 'late'",
                            "dialect": "postgres",
                            "ok": True,
                        }
                    ]
                }
            )
        ],
    )
    @idempotency.once_per_key
    def post(self, request: Request, **_path: Any) -> Response:
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


class IntegrationReadSerializer(serializers.Serializer[Any]):
    """An integration of the account."""

    name = serializers.CharField()
    category = serializers.CharField()
    healthy = serializers.BooleanField()
    last_succeeded = InstantField(allow_null=True)
    trust = serializers.ChoiceField([str(state) for state in Trust])
    measured_at = InstantField(allow_null=True)


class IntegrationsReadSerializer(serializers.Serializer[Any]):
    """The integrations of the account, by name."""

    integrations = IntegrationReadSerializer(many=True)


class PlanReadSerializer(serializers.Serializer[Any]):
    """The account's plan."""

    features = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="null: nobody told the plan yet."
    )
    trust = serializers.ChoiceField([str(state) for state in Trust])
    measured_at = InstantField(allow_null=True)


class WrittenSerializer(serializers.Serializer[Any]):
    """How many facts were written."""

    written = serializers.IntegerField()


def _written(number: int) -> OpenApiResponse:
    return answer(WrittenSerializer, "The facts that were written.", {"written": number})


def _part(fact: Fact | None, name: str) -> Any:
    """A part of what was told; None where nobody told it, or told it otherwise as a bare fact."""
    return fact.value.get(name) if fact is not None and isinstance(fact.value, dict) else None


def _known(fact: Fact | None, now: datetime) -> dict[str, Any]:
    if fact is None:
        return {"trust": str(Trust.UNKNOWN), "measured_at": None}
    return {"trust": str(fact.trust(now)), "measured_at": fact.measured_at}


class IntegrationsView(ScopedView):
    permissions = {"PUT": only(intake.INTEGRATIONS)}

    @extend_schema(
        summary="Read the integrations",
        description="The account's integrations as they were told last, with when each succeeded.",
        responses={
            200: answer(
                IntegrationsReadSerializer,
                "The integrations.",
                {"integrations": [{**DHL, **KNOWN}]},
            )
        },
    )
    def get(self, _request: Request) -> Response:
        self.demand_reach("account", "integration")
        told = [
            {
                "name": fact.ref.parts[0],
                **{name: _part(fact, name) for name in ("category", "healthy")},
                "last_succeeded": last_succeeded,
                **_known(fact, self.now),
            }
            for fact, last_succeeded in intake.integrations_of(self.scope.account)
        ]
        return Response(IntegrationsReadSerializer({"integrations": told}).data)

    @extend_schema(
        summary="Tell the integrations",
        description=(
            "All integrations of the account; one left out is gone. When one last succeeded moves "
            "all the time and rebuilds nothing."
        ),
        request=IntegrationsSerializer,
        responses={200: _written(2)},
        examples=[sent({"integrations": [DHL]})],
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
        summary="Read the plan",
        description="The features of the account's plan as they were told last.",
        responses={
            200: answer(PlanReadSerializer, "The plan.", {"features": ["late-orders"], **KNOWN})
        },
    )
    def get(self, _request: Request) -> Response:
        self.demand_reach("account", "plan")
        fact = store.read(self.scope.account, intake.FEATURES)
        features = _part(fact, "features")
        return Response(PlanReadSerializer({"features": features, **_known(fact, self.now)}).data)

    @extend_schema(
        summary="Tell the plan",
        description="All features of the account's plan; one left out is in it no more.",
        request=PlanSerializer,
        responses={200: _written(1)},
        examples=[sent({"features": ["late-orders", "refunds"]})],
    )
    def put(self, request: Request) -> Response:
        body = PlanSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        facts = intake.set_plan(self.scope.account, body.validated_data["features"], now=self.now)
        return Response({"written": len(facts)})
