"""Log lines as JSON, one a line, that say what happened and never with what value.

An exception is told by its class and the place that raised it: its message may quote a row.
A request is told by its route: its path names people. An account is told by its number.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest

from config import tracing
from config.routes import method_of, route_of

# A record's own: the name of its attribute, and of its member of the line.
_MEMBERS = {"status_code": "status", "milliseconds": "ms", "account": "account"}


class JsonFormatter(logging.Formatter):
    """A record as an object: at, level, logger, message and, where there are such, the others.

    They are the id of the request or task, the status and the milliseconds of an answer, the
    account's number, and an exception's class and place.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if trace := tracing.current():
            line["id"] = trace
        for attribute, member in _MEMBERS.items():
            if (said := getattr(record, attribute, None)) is not None:
                line[member] = said
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, at = record.exc_info
            line["exception"] = kind.__name__
            if frames := traceback.extract_tb(at):
                line["raised_in"] = f"{frames[-1].name}:{frames[-1].lineno}"
        return json.dumps(line, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest):
        return f"{method_of(request)} {route_of(request)}"
    if record.name == "django-q":  # what a task raised stands behind the dash
        return record.getMessage().partition(" - ")[0]
    return record.getMessage()
