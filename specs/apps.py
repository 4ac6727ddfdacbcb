from http import HTTPStatus

from django.apps import AppConfig

from facts import owners, signals, waiting
from specs.errors import UnknownSpec


class SpecsConfig(AppConfig):
    name = "specs"

    def ready(self) -> None:
        from facts import derivations, problems  # noqa: PLC0415 - models can't load before ready
        from specs import fitting, reviewing  # noqa: PLC0415

        owners.register("account", "feature-fit", observer=fitting.OBSERVER)
        derivations.register(fitting.FEATURE_FIT)
        problems.answers_with(HTTPStatus.NOT_FOUND, UnknownSpec)
        waiting.register(
            waiting.Counter(
                permission="specs.review_spec",
                count=reviewing.in_review,
                words=("spec in review", "specs in review"),
                page="admin:specs_spec_changelist",
                query="state=in-review",
            )
        )
        signals.observed.connect(fitting.ask_for_evidence)
