"""The committed fingerprint of each derivation: its version, and the digest of its build's code.

A test compares; ``manage.py fingerprint`` writes, and only where the version rose with the code. So
a changed build can't go out under the old version, which would leave old rows looking valid.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from facts.derivations.code import Code
from facts.derivations.declaring import Derivation
from facts.errors import SameVersion

Fingerprints = dict[str, dict[str, str]]

COMMITTED = Path(__file__).with_name("fingerprints.json")


def fingerprints_of(derivations: Iterable[Derivation], code: Code) -> Fingerprints:
    """The fingerprints of the code as it is. Raises ImpureBuild."""
    return {
        each.name: {"version": each.version, "code": code.digest_of(each.build)}
        for each in derivations
    }


def read(path: Path | None = None) -> Fingerprints:
    """The committed fingerprints."""
    path = path or COMMITTED
    return dict(json.loads(path.read_text())) if path.exists() else {}


def demand_versions(committed: Fingerprints, current: Fingerprints) -> None:
    """Raise SameVersion where code is another under the version it had."""
    same = [
        name
        for name, now in current.items()
        if name in committed
        and committed[name]["code"] != now["code"]
        and committed[name]["version"] == now["version"]
    ]
    if same:
        raise SameVersion(
            f"the code of {', '.join(same)} changed: raise the version of the derivation, then "
            "run `manage.py fingerprint` and commit what it wrote"
        )


def write(current: Fingerprints, path: Path | None = None) -> None:
    """Write what is to be committed. Raises SameVersion, and writes nothing then."""
    path = path or COMMITTED
    demand_versions(read(path), current)
    path.write_text(json.dumps(current, indent=2, sort_keys=True) + "\n")
