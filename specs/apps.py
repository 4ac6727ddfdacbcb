from django.apps import AppConfig

from facts import owners, signals


class SpecsConfig(AppConfig):
    name = "specs"

    def ready(self) -> None:
        from facts import derivations  # noqa: PLC0415 - models can't load before ready
        from specs import fitting  # noqa: PLC0415

        owners.register("account", "feature-fit", observer=fitting.OBSERVER)
        derivations.register(fitting.FEATURE_FIT)
        signals.observed.connect(fitting.ask_for_evidence)
