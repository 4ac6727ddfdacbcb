from http import HTTPStatus

from django.apps import AppConfig

from facts import owners


class FactsConfig(AppConfig):
    name = "facts"

    def ready(self) -> None:
        owners.register("data", "shape", observer="usage")
        for kind in ("label", "properties", "fill", "hop", "vocabulary"):
            owners.register("data", kind, observer="probe")
        for kind in ("integration", "signal"):
            owners.register("account", kind, observer="integrations")
        owners.register("account", "plan", observer="plan")
        owners.register("answer", "question", observer="answers")
        from facts import chores, derivations, problems, scheduling  # noqa: PLC0415  models first
        from facts.answers import schema_watch  # noqa: PLC0415
        from facts.answers.errors import (  # noqa: PLC0415
            AnswerEnded,
            AnswerStands,
            UnknownAnswer,
        )

        chores.register()
        derivations.connect()
        scheduling.connect()
        schema_watch.connect()
        problems.answers_with(HTTPStatus.NOT_FOUND, UnknownAnswer)
        problems.answers_with(HTTPStatus.CONFLICT, AnswerEnded, AnswerStands)
