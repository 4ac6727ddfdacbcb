#!/usr/bin/env python3
"""Run a management command, making ``.venv`` from pyproject.toml first.

Inside a virtual environment (``uv run``, your own) the command runs as it is.
Outside one it runs again in ``.venv``, which is built where it is missing and
brought up to date where pyproject.toml asks for other packages.
"""

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ensure_environment() -> None:
    """Install the packages pyproject.toml names, the tests' included, into ``.venv``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    installed = VENV / "installed"  # written last, so a broken-off installation starts again
    if installed.exists() and installed.read_text().splitlines() == wanted:
        return
    sys.stderr.write(f"Installing {len(wanted)} packages into {VENV} (once) ...\n")
    venv.create(VENV, with_pip=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *wanted], check=True)
    installed.write_text("\n".join(wanted))


def main() -> None:
    if sys.prefix == sys.base_prefix:
        ensure_environment()
        os.execv(PYTHON, [str(PYTHON), __file__, *sys.argv[1:]])  # noqa: S606 - ourselves again
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Only the environment has Django, so this can't stand at the top.
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
