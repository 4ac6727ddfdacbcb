"""Ken's PostgreSQL backend, with the embedded server started at the first connection."""

from typing import Any

from django.conf import settings
from django.db import OperationalError

from config.embedded.tools import ServerUnavailable
from config.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; a server that died since the last one is started again."""
        server = settings.EMBEDDED_SERVER
        try:
            if not server.held:
                server.ensure_running()
            try:
                return super().get_new_connection(conn_params)
            except self.Database.OperationalError:
                server.ensure_running()
                return super().get_new_connection(conn_params)
        except ServerUnavailable as fault:
            raise OperationalError(str(fault)) from None
