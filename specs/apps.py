from http import HTTPStatus

from django.apps import AppConfig

from facts import owners, signals
from specs.errors import UnknownSpec


class SpecsConfig(AppConfig):
    name = "specs"

    def ready(self) -> None:
        from facts import derivations, problems  # noqa: PLC0415 - models can't load before ready
        from specs import fitting  # noqa: PLC0415

        owners.register("account", "feature-fit", observer=fitting.OBSERVER)
        derivations.register(fitting.FEATURE_FIT)
        problems.answers_with(HTTPStatus.NOT_FOUND, UnknownSpec)
        signals.observed.connect(fitting.ask_for_evidence)
