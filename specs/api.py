"""Specs in force, and what they say of the account: read only, as stored."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from facts import store
from facts.api.examples import answer
from facts.api.fields import InstantField, OneOfField
from facts.api.pages import FactPages, TextPages
from facts.api.permissions import MayReadAll
from facts.api.scoped import ScopedView
from facts.api.serializers import PageQuerySerializer
from facts.derivations.looking_up import is_stale
from facts.models import ABSENT, Fact
from facts.trust import Trust
from specs.errors import UnknownSpec
from specs.fitting import NAME
from specs.judging import Verdict
from specs.models import SpecVersion
from specs.needs import fit_of
from specs.reviewing import in_force as version_in_force

VERDICTS = [str(verdict.value) for verdict in Verdict]
TOLD = ("title", "verdict", "usable", "needs", "lacks", "wants")  # of the stored value
SPEC = OpenApiParameter(
    "spec",
    str,
    OpenApiParameter.PATH,
    description="The spec's id.",
    examples=[OpenApiExample("a spec", "late-orders")],
)
DOCUMENT = {
    "id": "late-orders",
    "title": "Late orders",
    "needs": [{"level": "REQUIRED", "label": "Order", "minCount": 1}],
}
IN_FORCE = {
    "id": "late-orders",
    "title": "Late orders",
    "version": 3,
    "active_from": "2026-03-02T09:00:00Z",
    "document": DOCUMENT,
}
JUDGED = {
    "spec": "late-orders",
    "title": "Late orders",
    "verdict": "ready",
    "usable": True,
    "needs": [
        {
            "level": "REQUIRED",
            "need": {"label": "Order", "minCount": 1},
            "state": "met",
            "figure": "count 830, at least 1",
            "refs": ["data:label:Order"],
        }
    ],
    "lacks": [],
    "wants": [],
    "trust": "believed",
    "measured_at": "2026-03-02T09:03:00Z",
}


class InForceSerializer(serializers.Serializer[Any]):
    """The version of a spec that is in force."""

    id = serializers.CharField(source="spec_id")
    title = serializers.CharField()
    version = serializers.IntegerField(source="number")
    active_from = InstantField()
    document = serializers.JSONField(source="said", help_text="As /specs/schema.json describes it.")


class SpecsPageSerializer(serializers.Serializer[Any]):
    """A page of specs."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = InForceSerializer(many=True)


class JudgedNeedSerializer(serializers.Serializer[Any]):
    """A need, and how the account stands to it."""

    level = serializers.CharField()
    need = serializers.DictField()
    state = serializers.ChoiceField(["met", "unmet", "unknown"])
    figure = serializers.CharField(help_text="What was found of what is needed, in words.")
    refs = serializers.ListField(child=serializers.CharField())


class VerdictSerializer(serializers.Serializer[Any]):
    """What a spec says of the account, as it is stored."""

    spec = serializers.CharField()
    title = serializers.CharField()
    verdict = serializers.ChoiceField(VERDICTS)
    usable = serializers.BooleanField(help_text="Every REQUIRED need is met: gate on this.")
    needs = JudgedNeedSerializer(many=True)
    lacks = serializers.ListField(
        child=serializers.CharField(), help_text="What the account lacks, in words."
    )
    wants = serializers.ListField(
        child=serializers.CharField(), help_text="Refs that would settle what is unknown."
    )
    trust = serializers.ChoiceField([str(state) for state in Trust])
    measured_at = InstantField(allow_null=True, help_text="null: not judged yet.")


class VerdictsPageSerializer(serializers.Serializer[Any]):
    """A page of verdicts."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = VerdictSerializer(many=True)


class VerdictsQuerySerializer(PageQuerySerializer):
    """Which verdicts a list shows."""

    verdict = OneOfField(VERDICTS, required=False)
    usable = serializers.BooleanField(required=False)


class SpecsView(ScopedView):
    permissions = {"GET": MayReadAll}
    query = PageQuerySerializer

    @extend_schema(
        summary="List specs",
        description="The specs in force, by id, each with its document. They are every account's.",
        parameters=[PageQuerySerializer],
        responses={
            200: answer(
                SpecsPageSerializer,
                "A page of specs.",
                {"next": None, "previous": None, "results": [IN_FORCE]},
            )
        },
    )
    def get(self, request: Request, **_path: Any) -> Response:
        pages = TextPages("spec_id")
        page = pages.paginate_queryset(SpecVersion.objects.active(), request, view=self) or []
        return pages.get_paginated_response(InForceSerializer(page, many=True).data)


class SpecView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Read a spec",
        description="The version in force; a spec that is retired or only drafted has none.",
        parameters=[SPEC],
        responses={200: answer(InForceSerializer, "The version in force.", IN_FORCE)},
    )
    def get(self, _request: Request, spec: str, **_path: Any) -> Response:
        return Response(InForceSerializer(_in_force(spec)).data)


class VerdictsView(ScopedView):
    permissions = {"GET": MayReadAll}
    query = VerdictsQuerySerializer

    @extend_schema(
        summary="List verdicts",
        description=(
            "What the specs say of the account, as stored. A spec that has not been judged yet is "
            "left out, and so is one that is retired."
        ),
        parameters=[VerdictsQuerySerializer],
        responses={
            200: answer(
                VerdictsPageSerializer,
                "A page of verdicts.",
                {"next": None, "previous": None, "results": [JUDGED]},
            )
        },
    )
    def get(self, request: Request, **_path: Any) -> Response:
        facts = self.scope.account.facts.under(f"account:{NAME}:").filter(value__isnull=False)
        facts = facts.exclude(value__contains=ABSENT)
        for name, wanted in self.asked.items():
            if name in ("verdict", "usable"):
                facts = facts.filter(value__contains={name: wanted})
        pages = FactPages()
        page = pages.paginate_queryset(facts, request, view=self) or []
        return pages.get_paginated_response([_told(fact, self) for fact in page])


class VerdictView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Read a verdict",
        description=(
            "What a spec in force says of the account, as stored; nothing is judged for the read. "
            "One that is not judged yet is unknown and asked for, a stale one is asked for."
        ),
        parameters=[SPEC],
        responses={200: answer(VerdictSerializer, "The verdict.", JUDGED)},
    )
    def get(self, _request: Request, spec: str, **_path: Any) -> Response:
        ref = fit_of(spec)
        fact = store.read(self.scope.account, ref)
        if fact is not None and fact.is_absent:
            raise UnknownSpec("no spec of this id is in force")
        is_judged = fact is not None and fact.value is not None
        told = _told(fact, self) if fact is not None and is_judged else _not_judged(spec)
        if self.scope.requests and (fact is None or is_stale(fact, now=self.now)):
            store.request(self.scope.account, ref, by=self.scope.asker, now=self.now)
        return Response(told)


def _told(fact: Fact, view: ScopedView) -> dict[str, Any]:
    told = {name: fact.value[name] for name in TOLD}
    return {
        "spec": fact.ref.parts[0],
        **told,
        "trust": str(fact.trust(view.now)),
        "measured_at": fact.measured_at and InstantField().to_representation(fact.measured_at),
    }


def _not_judged(spec: str) -> dict[str, Any]:
    """Raises UnknownSpec where none of this id is in force."""
    return {
        "spec": spec,
        "title": _in_force(spec).title,
        "verdict": str(Verdict.UNKNOWN.value),
        "usable": False,
        "needs": [],
        "lacks": [],
        "wants": [],
        "trust": str(Trust.UNKNOWN),
        "measured_at": None,
    }


def _in_force(spec: str) -> SpecVersion:
    try:
        return version_in_force(spec)
    except UnknownSpec:
        raise UnknownSpec("no spec of this id is in force") from None  # repeats nothing sent
