"""Refs: the addresses of facts, ``namespace:kind:key``.

The key's parts are joined by ``|``: ``data:hop:Order|SHIPPED_BY|Carrier``. Inside a part ``%``,
``|`` and ``:`` are percent-encoded, so that every ref prints and parses to the same text whatever
somebody named a table.
"""

import re
from dataclasses import dataclass
from typing import Self

from facts.errors import BadRef

NAMESPACES = ("data", "account", "user", "answer")
MAX_LENGTH = 1000  # characters of a whole ref: two long identifiers and a relation, encoded

_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_ENCODED = {"%": "%25", "|": "%7C", ":": "%3A"}
_DECODED = {code: character for character, code in _ENCODED.items()}
_TO_ENCODE = re.compile(r"[%|:]")
_TO_DECODE = re.compile(r"%(?:25|7C|3A)")
_STRAY = re.compile(r"%(?!25|7C|3A)")


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """The address of a fact. ``key`` is the encoded text; ``parts`` are the names in it."""

    namespace: str
    kind: str
    key: str

    @classmethod
    def of(cls, namespace: str, kind: str, *parts: str) -> Self:
        """The ref whose key names ``parts``, encoded.

        Raises BadRef where a part is empty or the whole is no ref.
        """
        return cls.parse(f"{namespace}:{kind}:{'|'.join(map(_encode, parts))}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The ref that ``text`` spells.

        Raises BadRef, with a message that says what a ref looks like.
        """
        namespace, _, rest = text.partition(":")
        kind, _, key = rest.partition(":")
        if namespace not in NAMESPACES:
            raise BadRef(f"a ref starts with one of {', '.join(NAMESPACES)}, then ':kind:key'")
        if not _WORD.fullmatch(kind):
            raise BadRef("a ref is namespace:kind:key, the kind in lower case")
        if len(text) > MAX_LENGTH:
            raise BadRef(f"a ref has at most {MAX_LENGTH} characters")
        if ":" in key or _STRAY.search(key) or not all(key.split("|")):
            raise BadRef("a ref's key is names joined by '|', with %, | and : in them encoded")
        if not key.isprintable():
            raise BadRef("a ref holds printable characters only")
        return cls(namespace, kind, key)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names in the key, decoded."""
        return tuple(_decode(part) for part in self.key.split("|"))

    def __str__(self) -> str:
        return f"{self.namespace}:{self.kind}:{self.key}"


def demand_prefix(prefix: str) -> None:
    """Raise BadRef unless ``prefix`` is a namespace, a kind and whole names of the key.

    One that ends within a name would start other names' refs too.
    """
    if not prefix.endswith((":", "|")):
        raise BadRef("a prefix is namespace:kind: and whole names of the key, each with its '|'")
    Ref.parse(f"{prefix}-")


def prefixes(ref: Ref) -> list[str]:
    """Every prefix that ``ref`` is under: ``data:fill:`` and ``data:fill:Order|`` for a fill."""
    names = ref.key.split("|")
    kind = f"{ref.namespace}:{ref.kind}:"
    return [kind, *(f"{kind}{'|'.join(names[:end])}|" for end in range(1, len(names)))]


def _encode(part: str) -> str:
    return _TO_ENCODE.sub(lambda match: _ENCODED[match[0]], part)


def _decode(part: str) -> str:
    return _TO_DECODE.sub(lambda match: _DECODED[match[0]], part)
