"""Log lines as JSON, one a line, that say what happened and never with what value.

An exception is told by its class and the place that raised it: its message may quote a row.
A request is told by its route: its path names people.
"""

import json
import logging
import traceback
from datetime import UTC, datetime


class JsonFormatter(logging.Formatter):
    """A record as an object of at, level, logger, message, and an exception's class and place."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if status := getattr(record, "status_code", None):
            line["status"] = status
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            line["exception"] = kind.__name__
            if frames := traceback.extract_tb(trace):
                line["raised_in"] = f"{frames[-1].name}:{frames[-1].lineno}"
        return json.dumps(line, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    request = getattr(record, "request", None)
    if method := getattr(request, "method", None):
        match = getattr(request, "resolver_match", None)
        return f"{method} {match.route if match else 'no route'}"
    if record.name == "django-q":  # what a task raised stands behind the dash
        return record.getMessage().partition(" - ")[0]
    return record.getMessage()
