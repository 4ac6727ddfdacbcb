"""Django's PostgreSQL backend, with the embedded server started at the first connection."""

from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        settings.EMBEDDED_SERVER.ensure_running()
        return super().get_new_connection(conn_params)
