"""The guard of versions: code that builds can't change under the version it had."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from facts import derivations
from facts.derivations import fingerprints
from facts.derivations.catalogue import CATALOGUE
from facts.derivations.code import Code
from facts.errors import SameVersion

OURS = Code(Path(settings.BASE_DIR))


def test_no_build_changed_under_its_version():
    """Fails where a derivation's code changed: raise its version, run ``manage.py fingerprint``."""
    current = fingerprints.fingerprints_of(derivations.registered(), OURS)
    committed = fingerprints.read()
    fingerprints.demand_versions(committed, current)
    assert committed == current, "run `manage.py fingerprint` and commit what it wrote"


def test_code_that_changed_under_its_version_is_refused(tmp_path):
    path = tmp_path / "fingerprints.json"
    before = {"total": {"version": "1", "code": "aa"}, "other": {"version": "3", "code": "bb"}}
    fingerprints.write(before, path)

    with pytest.raises(SameVersion) as refusal:
        fingerprints.write({**before, "total": {"version": "1", "code": "cc"}}, path)

    assert str(refusal.value).startswith("the code of total changed: raise the version")
    assert fingerprints.read(path) == before


def test_code_that_changed_with_its_version_is_noted(tmp_path):
    path = tmp_path / "fingerprints.json"
    fingerprints.write({"total": {"version": "1", "code": "aa"}}, path)
    after = {"total": {"version": "2", "code": "cc"}, "new": {"version": "1", "code": "dd"}}
    fingerprints.write(after, path)
    assert fingerprints.read(path) == after


def test_the_command_writes_what_the_code_is(tmp_path, monkeypatch, capsys):
    path = tmp_path / "fingerprints.json"
    monkeypatch.setattr(fingerprints, "COMMITTED", path)
    call_command("fingerprint")
    noted = json.loads(path.read_text())
    assert noted["catalogue"] == {"version": "1", "code": OURS.digest_of(CATALOGUE.build)}
    assert capsys.readouterr().out == f"{len(derivations.registered())} derivations are noted.\n"


def test_the_command_refuses_what_changed_under_its_version(tmp_path, monkeypatch):
    path = tmp_path / "fingerprints.json"
    path.write_text(json.dumps({"catalogue": {"version": "1", "code": "aa"}}))
    monkeypatch.setattr(fingerprints, "COMMITTED", path)
    with pytest.raises(CommandError, match="the code of catalogue changed"):
        call_command("fingerprint")
    assert fingerprints.read(path)["catalogue"]["code"] == "aa"
