"""A column's type in one word, the same on every kind of database."""

from sqlalchemy import types
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeEngine

# In order: the first that a type is an instance of says what it is.
_WORDS: tuple[tuple[type, str], ...] = (
    (types.Enum, "enum"),
    (types.Boolean, "boolean"),
    (types.Uuid, "uuid"),
    (types.JSON, "json"),
    (types._Binary, "binary"),
    (types.ARRAY, "array"),
    (types.DateTime, "timestamp"),
    (types.Date, "date"),
    (types.Time, "time"),
    (types.Integer, "integer"),
    (postgresql.OID, "integer"),
    (types.Numeric, "number"),
    (types.Float, "number"),
    (types.String, "text"),
)


def word_of(type_: TypeEngine[object], *, backend: str) -> str:
    """The word for ``type_``: one of the guard's TYPES, ``other`` where it is none we know.

    SQLite lets a column have no type at all; anything may stand in it, as text does.
    """
    base = base_of(type_)
    for known, word in _WORDS:
        if isinstance(base, known):
            return word
    return "text" if backend == "sqlite" and isinstance(base, types.NullType) else "other"


def base_of(type_: TypeEngine[object]) -> TypeEngine[object]:
    """The type itself, or the one beneath a domain."""
    while isinstance(type_, postgresql.DOMAIN):
        type_ = type_.data_type
    return type_


def is_plain_text(type_: TypeEngine[object]) -> bool:
    """Whether texts of this type compare byte by byte, and need no cast for it."""
    return type(base_of(type_)) in (types.TEXT, types.VARCHAR, types.CHAR)


def item_word(type_: TypeEngine[object], *, backend: str) -> str:
    """The word for what an array holds, or nothing for what is none."""
    base = base_of(type_)
    if isinstance(base, types.ARRAY) and (base.dimensions or 1) == 1:
        return word_of(base.item_type, backend=backend)
    return ""
