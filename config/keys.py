"""Keys that Ken makes for itself on a machine of its own."""

import os
import secrets
from base64 import urlsafe_b64encode
from pathlib import Path


def kept_key(path: Path) -> str:
    """The key in ``path``, made on first use: 32 random bytes as Fernet writes them.

    Only its owner can read the file. Two processes that start at once end with one key.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(urlsafe_b64encode(secrets.token_bytes(32)))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
