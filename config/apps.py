"""The site as an app: what has to be set up once in each process."""

from django.apps import AppConfig

from config import tracing


class SiteConfig(AppConfig):
    """Ties the ids of requests to the tasks that follow from them."""

    name = "config"

    def ready(self) -> None:
        from django_q import signals  # noqa: PLC0415  models are not loaded before

        signals.pre_enqueue.connect(tracing.hand_on)
        signals.pre_execute.connect(tracing.take_over)
        signals.post_execute_in_worker.connect(tracing.let_go)
