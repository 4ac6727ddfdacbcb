"""Commands of Ken's in processes of their own, on the database of the tests."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import connection

ROOT = Path(__file__).resolve().parents[1]


def environment() -> dict[str, str]:
    """The environment in which a process uses the tests' database, embedded or not."""
    settings = connection.settings_dict
    who = ":".join(quote(settings[part]) for part in ("USER", "PASSWORD") if settings[part])
    where = ":".join(
        quote(str(settings[part]), safe="") for part in ("HOST", "PORT") if settings[part]
    )
    url = f"postgres://{who}@{where}/{settings['NAME']}"
    return {**os.environ, "DATABASE_URL": url, "SECRET_KEY": "a key for tests"}


def without_database(code: str) -> subprocess.CompletedProcess[str]:
    """Run code of Python with a ``client`` of a site whose database does not answer."""
    begin = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "client = Client(headers={'host': 'localhost'})\n"
    )
    return subprocess.run(
        [sys.executable, "-c", begin + code],
        cwd=ROOT,
        env={
            **environment(),
            "DATABASE_URL": "postgres://u:hidden@127.0.0.1:1/ken",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        },
        capture_output=True,
        text=True,
        check=True,
    )


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """A command of ``manage.py``; its output can be read."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
