"""Writes: an observer's measurements, and everybody else's requests."""

from typing import Any

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from facts import guard, owners, store
from facts.api import describing, serializers
from facts.api.etags import version_named
from facts.api.fields import StrictSerializer
from facts.api.idempotency import once_per_key
from facts.api.permissions import MayObserve, MayRequest
from facts.api.reading import ReadingOfOne
from facts.api.scoped import ScopedView, pointing_into
from facts.errors import BadRef, KenError
from facts.giving_way import once_more
from facts.models import Fact
from facts.refs import Ref
from facts.store import Measurement, Observed


class FactView(ReadingOfOne):
    """One fact: anybody in reach reads it, its owner observes it."""

    permissions = {"PUT": MayObserve}

    @describing.OBSERVE
    def put(self, request: Request, ref: str, **_path: Any) -> Response:
        at, version = Ref.parse(ref), version_named(request)
        told = serializers.ObservationSerializer(data=request.data)
        told.is_valid(raise_exception=True)
        measured_from = told.validated_data.pop("measured_from")
        fact = store.observe(
            self.scope.account,
            Measurement(ref=at, version=version, person=self.person_of(at), **told.validated_data),
            by=self.scope.observer,
            measured_from=measured_from,
            now=self.now,
        )
        shown = serializers.StandingSerializer(fact, context={"now": self.now})
        status = 201 if fact.version == 1 else 200
        return Response(shown.data, status=status, headers={"ETag": f'"{fact.version}"'})


class ObservationsView(ScopedView):
    permissions = {"POST": MayObserve}

    @describing.OBSERVE_MANY
    def post(self, request: Request, **_path: Any) -> Response:
        run = serializers.RunSerializer(data=request.data)
        run.is_valid(raise_exception=True)
        lines = [
            Measurement(person=self.person_of(line["ref"]), **line)
            for line in run.validated_data["measurements"]
        ]
        with pointing_into("measurements"):
            observed = store.observe_many(
                self.scope.account,
                lines,
                by=self.scope.observer,
                measured_from=run.validated_data["measured_from"],
                now=self.now,
            )
        return Response(_outcomes(lines, observed), status=207 if observed.conflicts else 200)


def _outcomes(lines: list[Measurement], observed: Observed) -> dict[str, Any]:
    """What became of each line, in the order of the body."""
    made = {fact.ref: fact.version for fact in observed.written}
    lost = {conflict.ref: conflict.version for conflict in observed.conflicts}
    told: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        ref = str(line.ref)
        if line.ref in made:
            told.append({"line": number, "ref": ref, "status": 200, "version": made[line.ref]})
        else:
            outcome = {"line": number, "ref": ref, "status": 409, "version": lost[ref]}
            told.append({**outcome, "type": "/problems/conflict"})
    return {"written": len(made), "conflicts": len(lost), "lines": told}


class RequestsView(ScopedView):
    permissions = {"POST": MayRequest}

    @describing.REQUEST_MANY
    @once_per_key
    def post(self, request: Request, **_path: Any) -> Response:
        wish = serializers.WishSerializer(data=request.data)
        wish.is_valid(raise_exception=True)
        with pointing_into("refs"):
            facts = _requested(self, wish.validated_data["refs"])
        shown = serializers.RequestedSerializer({"requested": facts}, context={"now": self.now})
        return Response(shown.data, status=202)


class RequestView(ScopedView):
    permissions = {"POST": MayRequest}

    @describing.REQUEST
    @once_per_key
    def post(self, request: Request, ref: str, **_path: Any) -> Response:
        StrictSerializer(data=request.data).is_valid(raise_exception=True)
        [fact] = _requested(self, [Ref.parse(ref)])
        shown = serializers.StandingSerializer(fact, context={"now": self.now})
        return Response(shown.data, status=202)


@once_more
def _requested(view: ScopedView, refs: list[Ref]) -> list[Fact]:
    """File requests for refs of the account and of the person in view, all or none."""
    for line, ref in enumerate(refs):
        _demand_wishable(ref, line)
    facts: list[Fact] = []
    with transaction.atomic():
        for is_user in (False, True):
            facts += store.request_many(
                view.scope.account,
                [ref for ref in refs if (ref.namespace == "user") == is_user],
                by=view.scope.asker,
                now=view.now,
                person=view.person if is_user else None,
            )
    for fact in facts:
        fact.person = view.person_of(fact.ref)
    return facts


def _demand_wishable(ref: Ref, line: int) -> None:
    """Raise for a ref that nobody could observe, or whose names must not be kept.

    A request makes a row, so its ref is guarded as a value is: somebody may have put one there.
    """
    try:
        owners.owner_of(ref)
        for part in ref.parts:
            if reason := guard.text_reason(part):
                raise BadRef(f"a ref names types; a name in this one looks like: {reason}")
    except KenError as fault:
        fault.line = line
        raise
