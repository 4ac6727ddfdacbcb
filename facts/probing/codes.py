"""Drivers' errors as codes: a SQLSTATE where there is one, else a short word of ours.

What a driver says in words is looked at for the code alone and never passed on.
"""

import re

from sqlalchemy.exc import DBAPIError

from facts.probing.errors import SourceTrouble, Unreadable

TIMED_OUT = frozenset({"57014", "timeout"})
MOVED = frozenset({"42P01", "42703", "3F000"})  # a table, a column, a schema that is gone
DENIED = "42501"

# SQLSTATEs of the source rather than of what was read: connection, sign-in, database, transaction
# rollback (a standby's conflict), resources, an operator's hand.
_TROUBLE = re.compile(r"08...|28...|3D000|40...|53[023]00|57P..")
_SQLITE_TROUBLE = {
    "SQLITE_BUSY": "busy",
    "SQLITE_LOCKED": "busy",
    "SQLITE_CANTOPEN": "missing-file",
    "SQLITE_NOTADB": "not-sqlite",
    "SQLITE_IOERR": "io-error",
    "SQLITE_PROTOCOL": "busy",
    "SQLITE_NOMEM": "out-of-memory",
}
_SQLITE_UNREADABLE = {
    "SQLITE_INTERRUPT": "timeout",
    "SQLITE_CORRUPT": "corrupt",
    "SQLITE_AUTH": "denied",
    "SQLITE_PERM": "denied",
}
_AT_THE_DOOR = (
    (
        r"password authentication failed|no password supplied|authentication failed",
        "wrong-password",
    ),
    (r"role .* does not exist", "wrong-password"),
    (r"access denied for user|login failed|invalid username/password", "wrong-password"),
    (r"database .* does not exist|unknown database", "no-database"),
    (r"translate host name|failed to resolve|name or service not known", "unknown-host"),
    (r"file is not a database", "not-sqlite"),
    (r"unable to open database file", "missing-file"),
    (r"timeout|timed out", "timeout"),
    (r"connection refused|could not connect|is the server running|no route|unreachable", "down"),
    (r"too many (clients|connections)|connection slots", "busy"),
    (r"starting up|shutting down|recovery mode", "down"),
)
AT_THE_DOOR = {
    "wrong-password": "the source refuses this user and password",
    "no-database": "the source has no such database",
    "unknown-host": "the source's host has no address; check its name",
    "not-sqlite": "the file is no SQLite database",
    "missing-file": "the SQLite file can't be opened; check that it is there and may be read",
    "timeout": "the source's host does not answer",
    "down": "the source's host does not answer; check that the server runs and the port is right",
    "busy": "the source has no connection left to give",
    "refused": "the source refuses the connection; check user, password and database",
}
_IN_WORDS = {
    "08001": "no connection",
    "08006": "connection lost",
    "22021": "text that is not in the source's encoding",
    "28000": "sign-in refused",
    "28P01": "wrong password",
    "3D000": "no such database",
    "3F000": "no such schema",
    "40001": "in conflict with other work of the source",
    "40P01": "deadlock",
    "42501": "permission denied",
    "42703": "no such column",
    "42P01": "no such table",
    "53100": "the source's disk is full",
    "53200": "the source is out of memory",
    "53300": "too many connections",
    "55P03": "locked by others",
    "57014": "cancelled, it took too long",
    "57P01": "the source shut down",
    "57P03": "the source is starting or stopping",
    "58030": "the source can't read its disk",
    "XX001": "damaged data",
    "XX002": "damaged index",
}


def in_words(code: str) -> str:
    """A code as people read it, the code after its words: ``permission denied (42501)``.

    Codes that are words already, and those nobody gave words to, stay as they are.
    """
    words = _IN_WORDS.get(code)
    return f"{words} ({code})" if words else code


def at_the_door(error: BaseException) -> str:
    """The code of an error that came while connecting, a key of AT_THE_DOOR."""
    said = str(error).lower()
    for pattern, code in _AT_THE_DOOR:
        if re.search(pattern, said):
            return code
    return "refused"


def judged(error: BaseException) -> SourceTrouble | Unreadable:
    """What an error that came while reading says: the source's trouble, or the object's failure."""
    if isinstance(error, UnicodeError):
        return Unreadable("bad-encoding")
    if not isinstance(error, DBAPIError):
        return SourceTrouble("lost")
    origin = error.orig
    if state := getattr(origin, "sqlstate", None):
        return SourceTrouble(state) if _TROUBLE.fullmatch(state) else Unreadable(state)
    if name := getattr(origin, "sqlite_errorname", None):
        primary = "_".join(name.split("_")[:2])
        if code := _SQLITE_TROUBLE.get(primary):
            return SourceTrouble(code)
        return Unreadable(_SQLITE_UNREADABLE.get(primary, "sqlite-error"))
    lost = error.connection_invalidated or type(origin).__name__ in (
        "OperationalError",
        "InterfaceError",
    )
    return SourceTrouble("lost") if lost else Unreadable("unreadable")
