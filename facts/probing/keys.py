"""The keys that sources' URLs are kept under: ``SOURCE_KEYS``, the newest first.

A URL holds a password, so it is stored encrypted or not at all. To rotate, put a new key in front
and keep the old one behind it: every source is encrypted anew the next time it is reflected, and
the old key can go.
"""

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from facts.probing.errors import SourceRefused


def encrypted(url: str) -> str:
    """``url`` under the newest key. Raises SourceRefused where there is no key."""
    return MultiFernet(_keys()).encrypt(url.encode()).decode()


def decrypted(token: str) -> str:
    """The URL in ``token``. Raises SourceRefused where none of the keys opens it."""
    try:
        return MultiFernet(_keys()).decrypt(token.encode()).decode()
    except InvalidToken:
        raise SourceRefused(
            "none of SOURCE_KEYS opens the source's URL; put the key it was registered under back, "
            "or connect the source again"
        ) from None


def rotated(token: str) -> str:
    """``token`` under the newest key: itself where it is already."""
    newest, *older = _keys()
    try:
        newest.decrypt(token.encode())
    except InvalidToken:
        return MultiFernet([newest, *older]).rotate(token.encode()).decode()
    return token


def _keys() -> list[Fernet]:
    if not settings.SOURCE_KEYS:
        raise SourceRefused(
            "SOURCE_KEYS is not set, and a source's password is stored encrypted or not at all; "
            "set it to a Fernet key"
        )
    keys = []
    for place, key in enumerate(settings.SOURCE_KEYS, start=1):
        try:
            keys.append(Fernet(key.strip()))
        except ValueError:
            raise SourceRefused(
                f"key {place} of SOURCE_KEYS is no Fernet key: 32 bytes in URL-safe base64"
            ) from None
    return keys
