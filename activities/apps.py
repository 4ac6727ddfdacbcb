from django.apps import AppConfig

from facts import owners


class ActivitiesConfig(AppConfig):
    name = "activities"

    def ready(self) -> None:
        from activities.derivation import ACTIVITIES, OBSERVER  # noqa: PLC0415  needs models
        from facts import derivations  # noqa: PLC0415

        owners.register("user", "activity", observer=OBSERVER)
        derivations.register(ACTIVITIES)
