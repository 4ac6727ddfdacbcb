from django.apps import AppConfig


class ReadinessConfig(AppConfig):
    name = "readiness"

    def ready(self) -> None:
        from facts import derivations, owners  # noqa: PLC0415 - models can't load before ready
        from facts.scheduling import ticking  # noqa: PLC0415  needs models
        from readiness import overall, turn  # noqa: PLC0415  needs models

        owners.register("account", "readiness", observer=overall.OBSERVER)
        owners.register("account", "header", observer=overall.OBSERVER)
        owners.register("user", "header", observer=overall.OBSERVER)
        derivations.register(overall.READINESS)
        derivations.register(turn.HEADER)
        ticking.also("greeted", turn.greet)
