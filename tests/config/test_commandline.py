"""Django's own commands, where the ground is missing: one line, and no traceback."""

import os
import subprocess
import sys

import pytest

from tests.processes import ROOT, environment

TOO_OLD = """import os
from config import commandline
from config.postgresql.base import DatabaseFeatures
DatabaseFeatures.minimum_database_version = (99,)
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
commandline.main(["manage.py", "{}"])
"""


def refused(command, **variables):
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT, env={**os.environ, **variables},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1
    return done.stderr.splitlines()


def test_a_database_that_does_not_answer_is_told():
    assert refused(
        ["manage.py", "migrate"],
        DATABASE_URL="postgres://u:hidden@127.0.0.1:1/ken",
        SECRET_KEY="x" * 50,
    ) == ["Ken's database is in trouble (no connection): is it running, and DATABASE_URL right?"]


def test_settings_that_do_not_read_are_told():
    assert refused(["manage.py", "migrate"], READY_AT="much") == [
        "READY_AT is not what it should be: see the README's table of settings"
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(("command", "prefix"), [("migrate", ""), ("start", "CommandError: ")])
def test_a_server_that_is_too_old_is_told(command, prefix, tmp_path):
    (line,) = refused(
        ["-c", TOO_OLD.format(command)],
        **{**environment(), "DATA_DIR": str(tmp_path)},
    )

    assert line.startswith(f"{prefix}PostgreSQL 99 or later is required (found ")
