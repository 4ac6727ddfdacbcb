"""What OpenAPI says of each operation of the facts API, with an example of each."""

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema

from facts.api import idempotency, serializers
from facts.api.examples import answer, sent
from facts.api.schema import problem_response
from facts.problems import CONTENT_TYPE

ORDER = {
    "ref": "data:label:Order",
    "person": None,
    "version": 8,
    "trust": "proven",
    "failing": False,
    "failure": "",
    "measured_at": "2026-03-02T09:03:00Z",
    "requested_at": "2026-03-02T08:59:12Z",
    "open": False,
}
FACT = {**ORDER, "value": {"count": 830}}
LINE = {
    "by": "generation",
    "outcome": "requested",
    "counted": False,
    "count": 12,
    "first_at": "2026-03-02T08:01:40Z",
    "last_at": "2026-03-02T08:59:12Z",
    "failure": "",
    "digest": "",
    "figures": None,
}
OBSERVED = {
    "outcome": "confirmed",
    "value": {"count": 831},
    "measured_from": "2026-03-02T10:00:00Z",
}
RUN = {
    "measured_from": "2026-03-02T10:00:00Z",
    "measurements": [
        {"ref": "data:label:Order", "version": 8, "value": {"count": 831}},
        {"ref": "data:label:Carrier", "version": 3, "outcome": "failed", "failure": "42501"},
    ],
}
OUTCOMES = {
    "written": 1,
    "conflicts": 1,
    "lines": [
        {"line": 0, "ref": "data:label:Order", "status": 200, "version": 9},
        {
            "line": 1,
            "ref": "data:label:Carrier",
            "status": 409,
            "version": 4,
            "type": "/problems/conflict",
        },
    ],
}
WISHES = {"refs": ["data:label:Order", "data:hop:Order|SHIPPED_BY|Carrier"]}

REF = OpenApiParameter(
    "ref",
    str,
    OpenApiParameter.PATH,
    description="The fact's address, percent-encoded: data:hop:Order%7CSHIPPED_BY%7CCarrier",
    examples=[OpenApiExample("a label", "data:label:Order")],
)


def _page(value: object) -> dict[str, object]:
    return {"next": None, "previous": None, "results": [value]}


LIST = extend_schema(
    summary="List facts",
    description="The facts in reach, a page at a time, in the order they were first named.",
    parameters=[serializers.FactsQuerySerializer],
    responses={200: answer(serializers.FactsPageSerializer, "A page of facts.", _page(FACT))},
)
READ = extend_schema(
    summary="Read a fact",
    description=(
        "The stored value with its trust and age; a stale one is also asked for. The entity tag "
        "begins with the version, which If-Match takes."
    ),
    parameters=[REF],
    responses={200: answer(serializers.FactSerializer, "The fact.", FACT)},
)
HISTORY = extend_schema(
    summary="Read a fact's history",
    description="Measurements one by one, requests and uses by day and asker; newest first.",
    parameters=[REF, serializers.PageQuerySerializer],
    responses={200: answer(serializers.HistoryPageSerializer, "A page of lines.", _page(LINE))},
)
OBSERVE = extend_schema(
    summary="Observe a fact",
    description=(
        "Write one measurement as the token's observer, who must own the kind. A fact that moved "
        "since refuses it with 412 and the current version."
    ),
    parameters=[
        REF,
        OpenApiParameter(
            "If-Match",
            {"type": "string", "pattern": '^(W/)?"[0-9]{1,18}(-[0-9a-f]*)?"$'},
            OpenApiParameter.HEADER,
            required=True,
            description=(
                "The version the measurement started from, quoted, or the whole tag of a read; "
                '`"0"` for a new fact.'
            ),
            examples=[OpenApiExample("a version", '"8"')],
        ),
    ],
    request=serializers.ObservationSerializer,
    responses={
        200: answer(serializers.StandingSerializer, "Written.", {**ORDER, "version": 9}),
        201: answer(serializers.StandingSerializer, "Its first.", {**ORDER, "version": 1}),
        (412, CONTENT_TYPE): problem_response(
            "The fact moved; `version` is the current one.", "conflict", 412
        ),
        (428, CONTENT_TYPE): problem_response("If-Match is missing.", "version-not-named", 428),
    },
    examples=[sent(OBSERVED)],
)
OBSERVE_MANY = extend_schema(
    summary="Observe many facts",
    description=(
        f"Write one run, at most {serializers.OBSERVATIONS:,} lines. A fault in a line refuses the "
        "whole and says which; a line whose fact moved is a conflict, and the others are written."
    ),
    request=serializers.RunSerializer,
    responses={
        200: answer(
            serializers.RunOutcomeSerializer,
            "All written.",
            {"written": 1, "conflicts": 0, "lines": OUTCOMES["lines"][:1]},  # type: ignore[index]
        ),
        207: answer(serializers.RunOutcomeSerializer, "Some lines are conflicts.", OUTCOMES),
    },
    examples=[sent(RUN)],
)
REQUEST = extend_schema(
    summary="Request a fact",
    description=(
        "Ask for a fact to be measured; one that nobody named yet is named by it. Requests of one "
        "asker and day are one line of its history."
    ),
    parameters=[REF, idempotency.PARAMETER],
    request=None,
    responses={
        202: answer(serializers.StandingSerializer, "Asked for.", {**ORDER, "open": True}),
        **idempotency.REUSED,
    },
)
REQUEST_MANY = extend_schema(
    summary="Request many facts",
    description=f"Ask for at most {serializers.REQUESTS:,} facts to be measured, all or none.",
    parameters=[idempotency.PARAMETER],
    request=serializers.WishSerializer,
    responses={
        202: answer(
            serializers.RequestedSerializer, "Asked for.", {"requested": [{**ORDER, "open": True}]}
        ),
        **idempotency.REUSED,
    },
    examples=[sent(WISHES)],
)
