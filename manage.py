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
PYTHON = VENV / "bin/python"
OLDEST = (3, 11)

# This file runs on whatever Python there is, so it imports the rest where it is needed.
# ruff: noqa: PLC0415


def ensure_environment() -> None:
    """Install the packages pyproject.toml names, the tests' included, into ``.venv``.

    Of two commands at once the second waits for the first. What was built counts for as long as
    its interpreter is the same: a system's new Python does not find the old one's packages.
    """
    import fcntl
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    installed = VENV / "installed"  # written last, so a broken-off installation starts again
    VENV.mkdir(exist_ok=True)
    with open(VENV / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if PYTHON.exists() and installed.exists() and _lines(installed) == _built(wanted):
            return
        sys.stderr.write(f"Installing {len(wanted)} packages into {VENV} (once) ...\n")
        installed.unlink(missing_ok=True)
        _install(wanted)
        installed.write_text("\n".join(_built(wanted)), encoding="utf-8")


def _install(wanted: "list[str]") -> None:
    from importlib.util import find_spec

    if not (find_spec("venv") and find_spec("ensurepip")):
        sys.exit("Python has no venv module here: install it (python3-venv on Debian and Ubuntu)")
    for path in (PYTHON, PYTHON.with_name("python3")):
        if path.is_symlink() and not path.exists():  # its interpreter is gone
            path.unlink()
    _run(sys.executable, "-m", "venv", str(VENV))
    _run(str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *wanted)


def _run(*command: str) -> None:
    """Run a step of the installation; where it fails its last error is the line that is told."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        said = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        faults = [line for line in said if line.startswith("ERROR")] or said or ["no word of why"]
        sys.exit(
            f"the packages could not be installed into {VENV}: {faults[-1]} "
            "(is there a package index that pip reaches?)"
        )


def _built(wanted: "list[str]") -> "list[str]":
    return [str(PYTHON.resolve()), *wanted]


def _lines(path: Path) -> "list[str]":
    return path.read_text(encoding="utf-8").splitlines()


def main() -> None:
    if sys.version_info < OLDEST:
        sys.exit("Ken needs Python 3.11 or later; this is " + sys.version.split()[0])
    if sys.prefix == sys.base_prefix:
        try:
            ensure_environment()
        except OSError as fault:
            sys.exit(f"{VENV} can't be written: {fault.strerror}; make the folder yours")
        except KeyboardInterrupt:
            sys.exit(130)
        os.execv(PYTHON, [str(PYTHON), __file__, *sys.argv[1:]])  # noqa: S606 - ourselves again
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config import commandline

    commandline.main(sys.argv)


if __name__ == "__main__":
    main()
