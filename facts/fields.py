"""Model fields that keep a law by themselves, whichever path a value takes."""

from typing import Any

from django.db import models

from facts import guard


class GuardedJSONField(models.JSONField):
    """JSON that passes the guard when it is written and again when it is loaded.

    The guard sits in the field so that no path (the admin, ``bulk_create``, a row that raw SQL
    wrote before a rule existed) gets round it.
    """

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if not hasattr(value, "as_sql"):
            value = guard.clean(value)
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return guard.clean(super().from_db_value(value, expression, connection))
