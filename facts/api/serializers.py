"""The shapes of the facts API: what comes in, line by line, and what goes out."""

from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from facts.api.fields import InstantField, OneOfField, RefField, StrictSerializer
from facts.models import Fact, Observation
from facts.trust import Trust

OUTCOMES = ("confirmed", "refuted", "failed")
OBSERVATIONS = 5_000  # lines of one body
REQUESTS = 1_000  # refs of one body
LONGEST_AGE = 100 * 365 * 86_400  # seconds
PAGE, PAGE_LIMIT = 100, 1_000
GREATEST_VERSION = 2**63 - 1

ANY = {"type": ["object", "array", "string", "number", "boolean"]}  # and null where allowed


@extend_schema_field(ANY)
class AnyField(serializers.JSONField):
    """Any JSON value."""


class FoundSerializer(StrictSerializer):
    """What an observer found, whichever way it is told."""

    outcome = OneOfField(OUTCOMES, default="confirmed", help_text="What became of the reading.")
    value = AnyField(default=None, allow_null=True, help_text="What was found, where confirmed.")
    failure = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=40,
        help_text="Why it could not be read, where failed: a code such as an SQLSTATE.",
    )
    figures = AnyField(default=None, allow_null=True, help_text="Small numbers for trends.")


class ObservationSerializer(FoundSerializer):
    """One measurement; the version it started from stands in If-Match."""

    measured_from = InstantField(help_text="When it started: it answers the requests before.")


class LineSerializer(FoundSerializer):
    """One line of a run."""

    ref = RefField()
    version = serializers.IntegerField(
        min_value=0,
        max_value=GREATEST_VERSION,
        help_text="The version the measurement started from; 0 where there was none.",
    )


class RunSerializer(StrictSerializer):
    """The measurements of one run."""

    measured_from = InstantField(help_text="When the run started.")
    measurements = serializers.ListField(
        child=LineSerializer(), min_length=1, max_length=OBSERVATIONS
    )


class WishSerializer(StrictSerializer):
    """Refs that somebody wishes to be measured."""

    refs = serializers.ListField(child=RefField(), min_length=1, max_length=REQUESTS)


class PageQuerySerializer(StrictSerializer):
    """Which part of a list a page shows."""

    cursor = serializers.CharField(
        required=False, max_length=500, help_text="As the links of a page have it."
    )
    page_size = serializers.IntegerField(
        required=False, min_value=1, max_value=PAGE_LIMIT, help_text=f"{PAGE} without."
    )


class FactsQuerySerializer(PageQuerySerializer):
    """Which facts a list shows."""

    prefix = serializers.CharField(
        required=False, max_length=1000, help_text="How the ref starts, such as data:hop:Order|"
    )
    kind = serializers.CharField(required=False, max_length=40, help_text="Such as label or hop.")
    trust = OneOfField([str(state) for state in Trust], required=False)
    failing = serializers.BooleanField(required=False)
    open = serializers.BooleanField(required=False, help_text="Asked for, and not measured yet.")
    older_than = serializers.IntegerField(
        required=False, min_value=0, max_value=LONGEST_AGE, help_text="Seconds since measured."
    )
    newer_than = serializers.IntegerField(
        required=False, min_value=0, max_value=LONGEST_AGE, help_text="Seconds since measured."
    )


class StandingSerializer(serializers.Serializer[Fact]):
    """Where a fact stands, without its value. The context holds ``now``."""

    ref = RefField(read_only=True)
    person = serializers.CharField(
        source="person.external_id", read_only=True, default=None, allow_null=True
    )
    version = serializers.IntegerField(read_only=True)
    trust = serializers.SerializerMethodField()
    failing = serializers.BooleanField(read_only=True)
    failure = serializers.CharField(
        read_only=True, help_text="A code; empty where the last reading succeeded."
    )
    measured_at = InstantField(read_only=True, allow_null=True)
    requested_at = InstantField(read_only=True, allow_null=True)
    open = serializers.BooleanField(
        source="is_open", read_only=True, help_text="Asked for, and not measured since."
    )

    @extend_schema_field({"type": "string", "enum": [str(state) for state in Trust]})
    def get_trust(self, fact: Fact) -> str:
        return str(fact.trust(self.context["now"]))


class FactSerializer(StandingSerializer):
    """A fact. Its value is null where it was never measured."""

    value = AnyField(read_only=True, allow_null=True)


class HistorySerializer(serializers.ModelSerializer[Observation]):
    """A line of a fact's history."""

    first_at = InstantField(read_only=True)
    last_at = InstantField(read_only=True)
    figures = AnyField(read_only=True, allow_null=True)

    class Meta:
        model = Observation
        fields = (
            *("by", "outcome", "counted", "count", "first_at", "last_at", "failure", "digest"),
            "figures",
        )
        read_only_fields = fields


class LineOutcomeSerializer(serializers.Serializer[dict[str, Any]]):
    """What became of a line: 200 with the version it made, or a conflict with the current one."""

    line = serializers.IntegerField(help_text="Counted from 0.")
    ref = serializers.CharField()
    status = serializers.ChoiceField([200, 409])
    version = serializers.IntegerField()
    type = serializers.CharField(required=False, help_text="/problems/conflict")


class RunOutcomeSerializer(serializers.Serializer[dict[str, Any]]):
    """What became of each line of a run."""

    written = serializers.IntegerField()
    conflicts = serializers.IntegerField()
    lines = LineOutcomeSerializer(many=True)


class FactsPageSerializer(serializers.Serializer[dict[str, Any]]):
    """A page of facts."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = FactSerializer(many=True)


class HistoryPageSerializer(serializers.Serializer[dict[str, Any]]):
    """A page of a fact's history."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = HistorySerializer(many=True)


class RequestedSerializer(serializers.Serializer[dict[str, Any]]):
    """The facts that were asked for, as they stand."""

    requested = StandingSerializer(many=True)


class ProblemErrorSerializer(serializers.Serializer[dict[str, Any]]):
    """A fault: where it lies, and what would be right."""

    pointer = serializers.CharField(required=False, help_text="JSON pointer into the body.")
    parameter = serializers.CharField(required=False)
    header = serializers.CharField(required=False)
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[dict[str, Any]]):
    """Problem details, RFC 9457."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    version = serializers.IntegerField(required=False, help_text="The fact's current one.")
    errors = ProblemErrorSerializer(many=True, required=False)  # type: ignore[assignment]
    more = serializers.IntegerField(required=False, help_text="Errors that are not shown.")


def context(now: datetime) -> dict[str, datetime]:
    """What the serializers of facts need besides them."""
    return {"now": now}


class RefusedLineSerializer(serializers.Serializer[Any]):
    """A line of a batch that was refused; the others are not."""

    line = serializers.IntegerField(help_text="Its place in the body, from 0.")
    reason = serializers.CharField()
