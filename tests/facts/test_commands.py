import subprocess
import sys

import pytest

from facts.models import Account
from tests.facts.observing import observe
from tests.processes import ROOT, environment


@pytest.fixture
def run(transactional_db):
    """Runs a command in a process on the tests' database."""

    def run(*arguments, **options):
        return subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=environment(), capture_output=True, text=True, check=False, **options,
        )  # fmt: skip

    return run


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["facts", "nobody"], "no account has the id 'nobody'; `connect` makes one"),
        (["facts", "acme", "--prefix", "weather:"],
         "a ref starts with one of data, account, user, answer"),
        (["header", "acme", "--person", "zoe"], "account acme has no person 'zoe'"),
        (["knowledge", "acme", "--about", "weather"],
         "knowledge is about one of data, account, user"),
        (["load_usage", "missing.jsonl"],
         "missing.jsonl can't be read: No such file or directory"),
    ],
)  # fmt: skip
def test_a_refusal_is_one_line_on_stderr_and_status_1(run, arguments, line):
    Account.objects.create(external_id="acme")
    done = run(*arguments)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"CommandError: {line}\n"


def test_a_misspelt_argument_is_one_line_too(run):
    done = run("facts", "acme", "--jsn")

    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: unrecognized arguments: --jsn; see ")
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_who_has_seen_enough_is_no_fault(transactional_db):
    acme = Account.objects.create(external_id="acme")
    observe(acme)
    done = subprocess.run(
        f"{sys.executable} {ROOT / 'manage.py'} facts acme --json | true; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", env=environment(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
