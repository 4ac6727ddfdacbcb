from django.apps import AppConfig

from facts import owners


class SpecsConfig(AppConfig):
    name = "specs"

    def ready(self) -> None:
        owners.register("account", "feature-fit", observer="specs")
