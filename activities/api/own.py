"""What a person works on over HTTP, and what they say of it: their feedback and preferences.

Whoever reads the account reads the activities. What the person says is written and read by their
own credential alone (``facts.api.permissions.Oneself`` has the reason).
"""

from contextlib import suppress
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from activities import feedback, preferences, reads
from activities.derivation import spelled
from activities.errors import BadPreferences, NothingToTakeBack
from activities.models import Feedback, Preferences
from activities.reads import Activity
from activities.rules import COLLEAGUES_SHOWN_FROM
from facts import store
from facts.api.examples import answer, sent
from facts.api.fields import InstantField, OneOfField, StrictSerializer
from facts.api.permissions import MayReadAll, Oneself
from facts.api.scoped import ScopedView
from facts.derivations.looking_up import is_stale
from facts.models import Fact
from facts.trust import Trust

VERB = OpenApiParameter(
    "verb",
    str,
    OpenApiParameter.PATH,
    description="The verb's name, percent-encoded.",
    examples=[OpenApiExample("a verb", "refunding")],
)
REFUNDING = {
    "verb": "refunding",
    "title": "Refund handling",
    "sessions": 8,
    "days": 5,
    "colleagues": 12,
    "others": 2,
    "lift": "9/2",
    "first": "2026-02-03T08:10:00Z",
    "last": "2026-03-02T08:40:00Z",
    "trust": "believed",
    "measured_at": "2026-03-02T09:03:00Z",
}
SAID = {
    "verb": "refunding",
    "title": "Refund handling",
    "say": "hide",
    "at": "2026-03-02T09:00:00Z",
    "ends_at": "2026-04-01T09:00:00Z",
}
WISHES = {"text": "Amounts in euros, please.", "written_at": "2026-03-02T09:00:00Z"}


class ActivitySerializer(serializers.Serializer[Any]):
    """Something the person works on, and the figures that say so."""

    verb = serializers.CharField()
    title = serializers.CharField()
    sessions = serializers.IntegerField(help_text="Theirs in the window of 30 days.")
    days = serializers.IntegerField(help_text="On which these were.")
    colleagues = serializers.IntegerField()
    others = serializers.IntegerField(
        allow_null=True, help_text=f"Sessions of colleagues, from {COLLEAGUES_SHOWN_FROM} of them."
    )
    lift = serializers.CharField(
        allow_null=True, help_text="How much more than colleagues, an exact fraction; likewise."
    )
    first = serializers.CharField()
    last = serializers.CharField()
    trust = serializers.ChoiceField([str(state) for state in Trust])
    measured_at = InstantField(allow_null=True)


class ActivitiesSerializer(serializers.Serializer[Any]):
    """What the person works on, in the header's order."""

    activities = ActivitySerializer(many=True)


class SaySerializer(StrictSerializer):
    """What a person says of a verb."""

    say = OneOfField(Feedback.Kind.values, help_text="not-mine: for good; hide: for 30 days.")


class SaidSerializer(serializers.Serializer[Feedback]):
    """What a person said of a verb, and until when it is in force."""

    verb = serializers.CharField(source="verb.name")
    title = serializers.CharField(source="verb.title")
    say = serializers.CharField(source="kind")
    at = InstantField()
    ends_at = InstantField(allow_null=True, help_text="null: for good.")


class FeedbackSerializer(serializers.Serializer[Any]):
    """All that the person said and that is in force, newest first."""

    feedback = SaidSerializer(many=True)


class PreferSerializer(StrictSerializer):
    """What a person wants their assistant to know of them, in their own words."""

    text = serializers.CharField(
        allow_blank=True,
        help_text=f"At most {preferences.LONGEST} characters; empty takes it back.",
    )


class PreferencesSerializer(serializers.Serializer[Any]):
    """What the person wrote."""

    text = serializers.CharField()
    written_at = InstantField(allow_null=True, help_text="null: nothing was written.")


class ActivitiesView(ScopedView):
    permissions = {"GET": MayReadAll}

    @extend_schema(
        summary="Read a person's activities",
        description=(
            "What the person works on, as inferred and stored. A reader of the whole account names "
            "the person in the path. What is stale is asked for."
        ),
        responses={
            200: answer(ActivitiesSerializer, "The activities.", {"activities": [REFUNDING]})
        },
    )
    def get(self, _request: Request, **_path: Any) -> Response:
        account, person = self.scope.account, self.named_person()
        found = reads.stored(account, person)
        stale = [fact.ref for _, fact in found if is_stale(fact, now=self.now)]
        if stale and self.scope.requests:
            store.request_many(account, stale, by=self.scope.asker, now=self.now, person=person)
        return Response({"activities": [self._told(*each) for each in found]})

    def _told(self, activity: Activity, fact: Fact) -> dict[str, Any]:
        """Colleagues are told of only where there are enough of them to hide behind."""
        shown = activity.colleagues >= COLLEAGUES_SHOWN_FROM
        told = {
            name: getattr(activity, name)
            for name in ("verb", "title", "sessions", "days", "colleagues", "first", "last")
        }
        return {
            **told,
            "others": activity.others if shown else None,
            "lift": spelled(activity.lift) if shown else None,
            "trust": str(fact.trust(self.now)),
            "measured_at": fact.measured_at and InstantField().to_representation(fact.measured_at),
        }


class FeedbackView(ScopedView):
    permissions = {"GET": Oneself}

    @extend_schema(
        summary="Read one's own feedback",
        description=(
            "What the person said of activities and did not take back. By their own token or "
            "login only."
        ),
        responses={200: answer(FeedbackSerializer, "The feedback.", {"feedback": [SAID]})},
    )
    def get(self, _request: Request, **_path: Any) -> Response:
        said = self.named_person().feedback.in_force(self.now).select_related("verb")
        return Response(FeedbackSerializer({"feedback": said.order_by("-at", "-pk")}).data)


class FeedbackOnVerbView(ScopedView):
    permissions = {"PUT": Oneself, "DELETE": Oneself}

    @extend_schema(
        summary="Say that an activity is not mine, or hide it",
        description=(
            "By the person's own token or login only. The activities are rebuilt before the "
            "answer comes. Saying it again changes nothing: a hide that is on keeps its end."
        ),
        parameters=[VERB],
        request=SaySerializer,
        responses={200: answer(SaidSerializer, "What is in force.", SAID)},
        examples=[sent({"say": "hide"})],
    )
    def put(self, request: Request, verb: str, **_path: Any) -> Response:
        body = SaySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        act = {"not-mine": feedback.reject, "hide": feedback.hide}[body.validated_data["say"]]
        return Response(SaidSerializer(act(self.named_person(), verb, now=self.now)).data)

    @extend_schema(
        summary="Take back what one said of an activity",
        description=(
            "By the person's own token or login only. All they said of the verb is taken back; "
            "where nothing is in force nothing changes."
        ),
        parameters=[VERB],
        responses={204: OpenApiResponse(description="Nothing they said of it is in force.")},
    )
    def delete(self, _request: Request, verb: str, **_path: Any) -> Response:
        with suppress(NothingToTakeBack):
            feedback.take_back(self.named_person(), verb, now=self.now)
        return Response(status=204)


class PreferencesView(ScopedView):
    permissions = {"GET": Oneself, "PUT": Oneself}

    @extend_schema(
        summary="Read one's own preferences",
        description=(
            "What the person wrote for their assistant. By their own token or login only; others "
            "read it quoted, in the knowledge about the user."
        ),
        responses={200: answer(PreferencesSerializer, "The preferences.", WISHES)},
    )
    def get(self, _request: Request, **_path: Any) -> Response:
        person = self.named_person()
        text = preferences.text_of(person)
        written = Preferences.objects.filter(person=person).first()
        return Response(_shown(text, written))

    @extend_schema(
        summary="Write one's own preferences",
        description=(
            "By the person's own token or login only. Replaces what they wrote before. A text with "
            "something in it that may not be kept is refused with the reason, and what stood stays."
        ),
        request=PreferSerializer,
        responses={200: answer(PreferencesSerializer, "The preferences.", WISHES)},
        examples=[sent({"text": WISHES["text"]})],
    )
    def put(self, request: Request, **_path: Any) -> Response:
        body = PreferSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        try:
            text = body.validated_data["text"]
            written = preferences.write(self.named_person(), text, now=self.now)
        except BadPreferences as refusal:
            refusal.where = {"pointer": "/text"}
            raise
        return Response(_shown(written.text, written))


def _shown(text: str, written: Preferences | None) -> dict[str, Any]:
    at = written.written_at if written is not None else None
    return dict(PreferencesSerializer({"text": text, "written_at": at}).data)
