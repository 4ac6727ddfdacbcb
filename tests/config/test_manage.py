"""manage.py beside a toy project, run by a Python outside any environment, without an index."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = sys._base_executable
PROJECT = """[project]
dependencies = [{dependencies}]
[dependency-groups]
dev = []
"""
COMMANDS = "import sys\n\ndef main(arguments):\n    print(sys.prefix, *arguments[1:])\n"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "a checkout"
    (folder / "config").mkdir(parents=True)
    shutil.copy(ROOT / "manage.py", folder)
    (folder / "pyproject.toml").write_text(PROJECT.format(dependencies='"pip"'))
    (folder / "config" / "commandline.py").write_text(COMMANDS)
    return folder


def begin(folder, *arguments, python=OUTSIDE):
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "VIRTUAL_ENV"))}
    return subprocess.Popen(
        [python, "manage.py", *arguments],
        cwd=folder, env={**plain, "PIP_NO_INDEX": "1"}, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def end(process):
    said, complained = process.communicate(timeout=120)
    return process.returncode, said.strip(), complained.strip().splitlines()


def run(folder, *arguments, **options):
    return end(begin(folder, *arguments, **options))


def test_two_first_commands_build_one_environment_and_a_later_one_builds_none(folder):
    told = f"Installing 1 packages into {folder / '.venv'} (once) ..."

    at_once = [begin(folder, "facts", "acme"), begin(folder, "facts", "acme")]
    ended = [end(process) for process in at_once]

    assert [(status, said) for status, said, _ in ended] == [
        (0, f"{folder / '.venv'} facts acme")
    ] * 2
    assert sorted(complained for _, _, complained in ended) == [[], [told]]
    assert run(folder, "facts", "acme") == (0, f"{folder / '.venv'} facts acme", [])

    (folder / ".venv" / "installed").unlink()  # as an installation that was broken off leaves it
    assert run(folder, "facts", "acme") == (0, f"{folder / '.venv'} facts acme", [told])

    python = folder / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/no/such/python")  # as an upgraded system leaves it
    assert run(folder, "facts", "acme") == (0, f"{folder / '.venv'} facts acme", [told])


def test_inside_an_environment_the_command_runs_as_it_is(folder):
    assert run(folder, "facts", python=sys.executable) == (0, f"{sys.prefix} facts", [])
    assert not (folder / ".venv").exists()


def test_packages_that_cannot_be_had_are_told_in_one_line_and_asked_for_again(folder):
    (folder / "pyproject.toml").write_text(PROJECT.format(dependencies='"ken-has-no-such==1"'))

    line = (
        f"the packages could not be installed into {folder / '.venv'}: "
        "ERROR: No matching distribution found for ken-has-no-such==1 "
        "(is there a package index that pip reaches?)"
    )

    for _ in range(2):
        status, said, complained = run(folder, "facts")

        assert (status, said) == (1, "")
        assert complained[1:] == [line]


def test_a_folder_that_cannot_be_written_is_told(folder):
    (folder / ".venv").write_text("a file stands where the folder should")

    assert run(folder, "facts") == (
        1, "", [f"{folder / '.venv'} can't be written: File exists; make the folder yours"],
    )  # fmt: skip


def test_an_older_python_is_told_what_is_needed(folder):
    (folder / "older.py").write_text(
        "import runpy, sys\nsys.version_info, sys.version = (3, 10, 1), '3.10.1 (main)'\n"
        "runpy.run_path('manage.py', run_name='__main__')\n"
    )
    done = subprocess.run(
        [OUTSIDE, "older.py"], cwd=folder, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (
        1, "Ken needs Python 3.11 or later; this is 3.10.1\n",
    )  # fmt: skip
