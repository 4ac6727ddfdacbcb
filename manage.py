#!/usr/bin/env python3
"""Run a management command, making ``.venv`` from pyproject.toml first.

Inside a virtual environment (``uv run``, your own) the command runs as it is.
Outside one it runs again in ``.venv``, which is built where it is missing and
brought up to date where pyproject.toml asks for other packages.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST = (3, 11)

# This file runs on whatever Python there is, so it imports the rest where it is needed.
# ruff: noqa: PLC0415


def ensure_environment() -> None:
    """Install the packages pyproject.toml names, the tests' included, into ``.venv``.

    Of two commands at once the second waits for the first.
    """
    import fcntl
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    installed = VENV / "installed"  # written last, so a broken-off installation starts again
    VENV.mkdir(exist_ok=True)
    with open(VENV / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if installed.exists() and installed.read_text().splitlines() == wanted:
            return
        sys.stderr.write(f"Installing {len(wanted)} packages into {VENV} (once) ...\n")
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, *wanted], check=True)
        installed.write_text("\n".join(wanted))


def main() -> None:
    if sys.version_info < OLDEST:
        sys.exit("Ken needs Python 3.11 or later; this is " + sys.version.split()[0])
    if sys.prefix == sys.base_prefix:
        try:
            ensure_environment()
        except OSError as fault:
            sys.exit(f"{VENV} can't be written: {fault.strerror}; make the folder yours")
        except subprocess.CalledProcessError:
            sys.exit(
                f"the packages could not be installed into {VENV}: see above; it takes Python's "
                "venv module (python3-venv on Debian) and a package index that pip reaches"
            )
        os.execv(PYTHON, [str(PYTHON), __file__, *sys.argv[1:]])  # noqa: S606 - ourselves again
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
