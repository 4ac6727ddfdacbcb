"""What ``manage.py`` runs: Django's commands, with trouble of the ground told in one line."""

import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

from facts import trouble

INTERRUPTED = 130  # the exit status of what Ctrl-C ended


def main(arguments: list[str]) -> None:
    """Run the command; settings or a database that can't be had end it with status 1."""
    try:
        execute_from_command_line(arguments)
    except ImproperlyConfigured as fault:
        sys.exit(str(fault))
    except DatabaseError as fault:
        if line := trouble.told(fault):
            sys.exit(line)
        raise
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
