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
        from facts.answers import renewing, schema_watch  # noqa: PLC0415  needs models
        from facts.answers.errors import (  # noqa: PLC0415  needs models
            AnswerEnded,
            AnswerStands,
            UnknownAnswer,
        )
        from facts.scheduling import ticking  # noqa: PLC0415  needs models

        chores.register()
        derivations.connect()
        scheduling.connect()
        schema_watch.connect()
        ticking.also("reread", lambda _now: renewing.read_older())
        problems.answers_with(HTTPStatus.NOT_FOUND, UnknownAnswer)
        problems.answers_with(HTTPStatus.CONFLICT, AnswerEnded, AnswerStands)
