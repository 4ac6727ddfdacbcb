from http import HTTPStatus

from django.apps import AppConfig

from activities.errors import UnknownVerb
from facts import owners, waiting


class ActivitiesConfig(AppConfig):
    name = "activities"

    def ready(self) -> None:
        from activities.derivation import ACTIVITIES, OBSERVER  # noqa: PLC0415  needs models
        from activities.models import UnmappedName  # noqa: PLC0415  needs models
        from facts import derivations, problems  # noqa: PLC0415  needs models

        owners.register("user", "activity", observer=OBSERVER)
        derivations.register(ACTIVITIES)
        waiting.register(
            waiting.Counter(
                permission="activities.change_action",
                count=lambda _now: UnmappedName.objects.count(),
                words=("action to map to a verb", "actions to map to verbs"),
                page="admin:activities_unmappedname_changelist",
            )
        )
        problems.answers_with(HTTPStatus.NOT_FOUND, UnknownVerb)
