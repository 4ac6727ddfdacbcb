"""What is wrong with Ken's own database, in one line that quotes nothing of a row."""

import psycopg
from django.db import DatabaseError, NotSupportedError, OperationalError, ProgrammingError

_NOT_MIGRATED = ("42P01", "42703")  # undefined table, undefined column


def told(fault: DatabaseError) -> str | None:
    """The line for whoever runs Ken; None where the fault is the code's and not the database's."""
    cause = fault.__cause__
    code = cause.sqlstate if isinstance(cause, psycopg.Error) else None
    if isinstance(fault, NotSupportedError) and cause is None:
        return str(fault)  # Django's own, of a server that is too old
    if isinstance(fault, OperationalError):
        if cause is None:
            return str(fault)  # the embedded server's own line
        return (
            f"Ken's database is in trouble ({code or 'no connection'}): "
            "is it running, and DATABASE_URL right?"
        )
    if isinstance(fault, ProgrammingError) and code in _NOT_MIGRATED:
        return "Ken's database is not of this version: `start` or `migrate` brings it up to date"
    return None
