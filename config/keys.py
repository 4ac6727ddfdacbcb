"""Keys that Ken makes for itself on a machine of its own."""

import os
from collections.abc import Callable
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def kept_key(path: Path, make: Callable[[], str]) -> str:
    """The key in ``path``, made on first use.

    Only its owner can read the file. Two processes that start at once end with one key.
    Raises ImproperlyConfigured where the file can't be written or read.
    """
    try:
        return _read_or_make(path, make)
    except OSError as fault:
        raise ImproperlyConfigured(
            f"Ken can't keep its keys in {path.parent}: {fault.strerror}; "
            "set DATA_DIR to a folder it can write"
        ) from None


def _read_or_make(path: Path, make: Callable[[], str]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(make())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
