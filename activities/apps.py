from http import HTTPStatus

from django.apps import AppConfig

from activities.errors import UnknownVerb
from facts import owners


class ActivitiesConfig(AppConfig):
    name = "activities"

    def ready(self) -> None:
        from activities.derivation import ACTIVITIES, OBSERVER  # noqa: PLC0415  needs models
        from facts import derivations, problems  # noqa: PLC0415

        owners.register("user", "activity", observer=OBSERVER)
        derivations.register(ACTIVITIES)
        problems.answers_with(HTTPStatus.NOT_FOUND, UnknownVerb)
