"""The shapes of the answers API, and an example of each operation."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers

from facts.answers.asking import LONGEST_NAME, LONGEST_TEXT, MOST_CONSTRAINTS, MOST_THINGS, OPS
from facts.answers.keepable import LONGEST_QUERY
from facts.answers.outcomes import OUTCOMES
from facts.answers.proposing import DIALECT
from facts.answers.serving import REASONS
from facts.api import idempotency
from facts.api.examples import answer, sent
from facts.api.fields import InstantField, OneOfField, StrictSerializer
from facts.api.schema import problem_response
from facts.api.serializers import AnyField
from facts.models import Answer
from facts.problems import CONTENT_TYPE
from facts.trust import Trust

VERDICTS = ("serve", "adds", "refused")
NOT_FITTING = ("contradicts", "leaves-out")
WHY_NOT = ("no-verdict", "reuse", "rejected", "same-day")
STATES = [str(state) for state in Trust]

QUESTION = {
    "text": "Which orders of UPS are late?",
    "things": [{"kind": "Carrier", "identity": "UPS"}],
    "constraints": [
        {"label": "Order", "property": None, "op": "rows", "value": None},
        {"label": "Order", "property": "status", "op": "=", "value": "late"},
        {"label": "Carrier", "property": "name", "op": "=", "value": "UPS"},
    ],
}
QUERY = (
    "SELECT o.id FROM orders o JOIN carriers c ON c.id = o.carrier_id "
    "WHERE o.status = 'late' AND c.name = 'UPS' AND o.deleted_at IS NULL"
)
PROPOSAL = {"question": QUESTION, "query": QUERY, "dialect": DIALECT, "params": {}}
GIVEN = {
    "id": 17,
    "query": QUERY,
    "dialect": DIALECT,
    "params": {},
    "trust": "believed",
    "number": 0.833,
    "verified": False,
    "contested": False,
}
LOOKED = {
    "ref": "answer:question:5f1c2d",
    "verdict": "adds",
    "reason": "",
    "words": "",
    "additions": ["Order.deletedAt"],
    "answer": GIVEN,
}
REFUSED = {
    **LOOKED,
    "verdict": "refused",
    "reason": "stale",
    "words": REASONS["stale"],
    "additions": [],
    "answer": None,
}
STANDING = {
    "id": 17,
    "ref": "answer:question:5f1c2d",
    "state": "proposed",
    "trust": "believed",
    "served": True,
    "withheld_because": "",
    "verified_at": None,
    "contested": False,
}


class ThingSerializer(StrictSerializer):
    """Something the question names."""

    kind = serializers.CharField(max_length=LONGEST_NAME, help_text="Such as Carrier.")
    identity = serializers.CharField(max_length=LONGEST_NAME, help_text="Which one: its name, id.")
    said = serializers.CharField(
        max_length=LONGEST_NAME,
        required=False,
        allow_null=True,
        help_text="How the text spells it, where that is not the identity.",
    )


class ConstraintSerializer(StrictSerializer):
    """One thing that is asked: a value, a related type, or the shape of what comes back."""

    label = serializers.CharField(max_length=LONGEST_NAME)  # type: ignore[assignment]
    property = serializers.CharField(max_length=LONGEST_NAME, required=False, allow_null=True)
    op = OneOfField(sorted(OPS))
    value = AnyField(
        required=False, allow_null=True, help_text='Or {"rel": "-30d"}, {"rel": "0d"}.'
    )


class QuestionSerializer(StrictSerializer):
    """A question as it is asked."""

    text = serializers.CharField(max_length=LONGEST_TEXT)
    things = serializers.ListField(
        child=ThingSerializer(), max_length=MOST_THINGS, required=False, default=list
    )
    constraints = serializers.ListField(
        child=ConstraintSerializer(),
        max_length=MOST_CONSTRAINTS,
        help_text="Exactly one of rows, count or sum says what is wanted back.",
    )


class LookupSerializer(StrictSerializer):
    """What is looked up."""

    question = QuestionSerializer()


class ProposalSerializer(StrictSerializer):
    """A question, and the query that is said to answer it."""

    question = QuestionSerializer()
    query = serializers.CharField(max_length=LONGEST_QUERY, trim_whitespace=False)
    dialect = serializers.CharField(max_length=20, default=DIALECT, help_text="As sqlglot has it.")
    params = serializers.DictField(
        child=AnyField(allow_null=True), default=dict, help_text="Values of the query's parameters."
    )


class ToldOutcomeSerializer(StrictSerializer):
    """What became of an answer. Who says so is the credential's."""

    outcome = OneOfField(
        OUTCOMES, help_text="A run that merely succeeded is measured, and no verdict."
    )
    reused = serializers.BooleanField(
        default=False,
        help_text="Whether the answer came from another program's lookup: it can only lower.",
    )


class GivenSerializer(serializers.Serializer[Any]):
    """An answer as it is given."""

    id = serializers.IntegerField()
    query = serializers.CharField()
    dialect = serializers.CharField()
    params = serializers.DictField(child=AnyField())
    trust = serializers.ChoiceField(STATES)
    number = serializers.FloatField(help_text="Of trust, from 0 to 1.")
    verified = serializers.BooleanField(help_text="By a person.")
    contested = serializers.BooleanField(help_text="A machine refuted what a person verified.")


class LookedSerializer(serializers.Serializer[Any]):
    """What a lookup came to."""

    ref = serializers.CharField()
    verdict = serializers.ChoiceField(VERDICTS)
    reason = serializers.ChoiceField([*REASONS, *NOT_FITTING], allow_blank=True)
    words = serializers.CharField(help_text="The reason, by names and never by values.")
    additions = serializers.ListField(
        child=serializers.CharField(), help_text="What it also restricts: say it with the answer."
    )
    answer = GivenSerializer(allow_null=True)


class AnswerStandingSerializer(serializers.Serializer[Any]):
    """Where an answer stands."""

    id = serializers.IntegerField()
    ref = serializers.CharField()
    state = serializers.ChoiceField(Answer.State.choices)
    trust = serializers.ChoiceField(STATES)
    served = serializers.BooleanField(help_text="Whether a lookup that it fits is given it.")
    withheld_because = serializers.ChoiceField([*REASONS, "ended"], allow_blank=True)
    verified_at = InstantField(allow_null=True)
    contested = serializers.BooleanField()


class AnswerOutcomeSerializer(AnswerStandingSerializer):
    """What an outcome came to."""

    counted = serializers.BooleanField(help_text="Whether it is evidence.")
    why = serializers.ChoiceField(WHY_NOT, allow_blank=True, help_text="Why it is none.")


ANSWER = OpenApiParameter(
    "answer",
    {"type": "integer", "minimum": 1},
    OpenApiParameter.PATH,
    description="The answer's id, as a lookup and a proposal tell it.",
    examples=[OpenApiExample("an answer", 17)],
)
CONFLICTS = {
    (409, CONTENT_TYPE): problem_response(
        "The answer ended, or one stands that this may not replace.", "answer-stands", 409
    )
}

LOOK_UP = extend_schema(
    summary="Look an answer up",
    description=(
        "The answer that was proven for this very question, about these things: a query that "
        "enforces every constraint exactly. What it restricts besides is stated. Else a refusal "
        "with its reason, and never a near miss."
    ),
    request=LookupSerializer,
    responses={200: answer(LookedSerializer, "What there is.", LOOKED)},
    examples=[sent({"question": QUESTION})],
)
PROPOSE = extend_schema(
    summary="Propose an answer",
    description=(
        "Keep a query as the answer to a question. It is served once somebody confirmed it. A "
        "person's proposal is a correction: it replaces what was there. A program replaces only "
        "what is not served, and nothing that a person gave or verified."
    ),
    request=ProposalSerializer,
    responses={
        200: answer(AnswerStandingSerializer, "It stands already.", STANDING),
        201: answer(
            AnswerStandingSerializer,
            "Kept.",
            {**STANDING, "trust": "unknown", "served": False, "withheld_because": "unproven"},
        ),
        **CONFLICTS,
    },
    examples=[sent(PROPOSAL)],
)
TELL = extend_schema(
    summary="Tell an outcome",
    description=(
        "What became of an answer. A program that was served it confirms by reuse, which counts "
        "for nothing; its refutation counts. One confirmation a day and credential adds."
    ),
    parameters=[ANSWER, idempotency.PARAMETER],
    request=ToldOutcomeSerializer,
    responses={
        200: answer(AnswerOutcomeSerializer, "Taken.", {**STANDING, "counted": True, "why": ""}),
        **CONFLICTS,
    },
    examples=[sent({"outcome": "confirmed"})],
)
VERIFY = extend_schema(
    summary="Verify an answer",
    description="Vouch for it as a person who may: it is proven, and no machine demotes it.",
    parameters=[ANSWER],
    request=None,
    responses={
        200: answer(
            AnswerStandingSerializer,
            "Verified.",
            {**STANDING, "trust": "proven", "verified_at": "2026-03-02T09:03:00Z"},
        ),
        **CONFLICTS,
    },
)
WITHDRAW = extend_schema(
    summary="Withdraw a verification",
    description="Take it back: the evidence alone says what the answer is worth.",
    parameters=[ANSWER],
    request=None,
    responses={200: answer(AnswerStandingSerializer, "Withdrawn.", STANDING), **CONFLICTS},
)
