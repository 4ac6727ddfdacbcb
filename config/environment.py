"""Reading the environment, where a value that does not read is refused in one line."""

from typing import Any
from urllib.parse import unquote

import environ
from django.core.exceptions import ImproperlyConfigured


class Environment(environ.Env):  # type: ignore[misc]
    """``environ.Env`` that names a variable it can't read, and never repeats its value."""

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        """The variable's value. Raises ImproperlyConfigured, which does not repeat it."""
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError:
            raise ImproperlyConfigured(
                f"{var} is not what it should be: see the README's table of settings"
            ) from None

    def postgresql(self, var: str) -> dict[str, Any]:
        """The database that the variable's URL names, as an entry of ``DATABASES``.

        Raises ImproperlyConfigured, which does not repeat the URL: it holds a password.
        """
        try:
            database = dict(self.db_url(var))
        except (ValueError, KeyError, ImproperlyConfigured):
            database = {}
        if database.get("ENGINE") != "django.db.backends.postgresql" or not database["NAME"]:
            raise ImproperlyConfigured(
                f"{var} is no PostgreSQL URL: write postgres://user:password@host:5432/name"
            )
        # As libpq has it: a socket's folder is a host, percent-encoded.
        return {**database, "HOST": unquote(database["HOST"]), "ENGINE": "config.postgresql"}
