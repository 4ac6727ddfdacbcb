"""The canonical form of plain data, and the digest of it: equal facts have equal digests.

The form is typed and injective: 1, 1.0, "1" and true differ, and so do null, a missing key, an
empty list and zero. The order of a dict's keys and of a set says nothing; the order of a list does.
An instant is the same instant in every zone.

A document that has been through jsonb keeps its digest. PostgreSQL writes numbers out: ``1e16``
comes back as the integer 10000000000000000 and ``-0.0`` as ``0.0``, so these pairs share a form.
A tuple has the form of a list, because JSON has no other.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from math import isfinite
from typing import Any

from facts.errors import NotPlainData

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SUBCLASSED: tuple[Any, ...] = (int, float, list, tuple, dict, set, frozenset)
_WRITTEN_OUT = 1e16  # from here on JSON writes a float with an exponent, and jsonb without


def digest(value: Any) -> str:
    """The SHA-256 of ``value``'s canonical form, 64 hexadecimal digits. Raises NotPlainData."""
    return sha256(encode(value)).hexdigest()


def encode(value: Any) -> bytes:
    """The canonical form of ``value``.

    Plain data is None, bool, int, float, str, list, tuple, dict with text keys, set and aware
    datetime. Raises NotPlainData for anything else, and for what jsonb can't hold: NaN, infinity,
    a NUL and half a surrogate pair.
    """
    try:
        text = _form(value)
        form = text.encode()
    except RecursionError:
        raise NotPlainData("data nested this deeply can't be stored") from None
    except UnicodeEncodeError:
        raise NotPlainData("text with half a surrogate pair can't be stored") from None
    if "\0" in text:
        raise NotPlainData("text with a NUL character can't be stored")
    return form


def _form(value: Any) -> str:
    """A prefix code: every item says its type first and where it ends, so nothing runs together."""
    return _FORMS.get(type(value), _rarer_form)(value)


def _text(value: str) -> str:
    return f"s{len(value)}:{value}"


def _integer(value: int) -> str:
    try:
        return f"i{value};"
    except ValueError:
        raise NotPlainData("a whole number of this many digits can't be stored") from None


def _float(value: float) -> str:
    if not isfinite(value):
        raise NotPlainData("NaN and infinity can't be stored")
    if abs(value) >= _WRITTEN_OUT:
        return _integer(int(Decimal(repr(value))))
    return f"f{value + 0.0!r};"  # -0.0 + 0.0 is 0.0


def _list(value: list[Any] | tuple[Any, ...]) -> str:
    return "[" + "".join([_form(item) for item in value]) + "]"


def _set(value: set[Any] | frozenset[Any]) -> str:
    return "<" + "".join(sorted(_form(item) for item in value)) + ">"


def _dict(value: dict[Any, Any]) -> str:
    for key in value:
        if not isinstance(key, str):
            raise NotPlainData(f"a key is text, and not a {type(key).__name__}")
    return "{" + "".join([_key(key) + _form(value[key]) for key in sorted(value)]) + "}"


def _key(key: str) -> str:
    return f"{len(key)}:{str.__str__(key)}"


def _instant(value: datetime) -> str:
    if value.utcoffset() is None:
        raise NotPlainData("a time without a zone is no instant; give it one")
    return f"@{(value - _EPOCH) // _MICROSECOND};"


def _rarer_form(value: Any) -> str:
    """The form of a subclass's instance (a member of an enumeration): that of its plain type."""
    if isinstance(value, str):
        return _text(str.__str__(value))
    for plain in _SUBCLASSED:
        if isinstance(value, plain):
            return _FORMS[plain](plain(value))
    if isinstance(value, datetime):
        return _instant(value)
    raise NotPlainData(
        f"a {type(value).__name__} is no plain data; plain are None, bool, int, float, str, list, "
        "dict, set and datetime"
    )


_FORMS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "n",
    bool: lambda value: "T" if value else "F",
    int: _integer,
    float: _float,
    str: _text,
    list: _list,
    tuple: _list,
    dict: _dict,
    set: _set,
    frozenset: _set,
    datetime: _instant,
}
