"""URLs of sources: read, checked, and never repeated in a message.

Where a URL was mistyped any part of it may hold a piece of the password, so messages name the kind
of database at most.
"""

import re
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from facts.probing.errors import SourceRefused

EXAMPLES = "postgresql://user:password@host:5432/database or sqlite:////path/to/file"

# What a URL may set about its connection. Anything else could undo what keeps a source safe
# (options), or read files of the machine that Ken runs on (service, passfile).
_PARAMETERS = frozenset(
    {
        *("host", "port", "channel_binding", "gssencmode", "krbsrvname", "target_session_attrs"),
        *("sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "ssl_min_protocol_version"),
    }
)
_DIALECT = re.compile(r"[a-z][a-z0-9_]{0,29}(\+[a-z0-9_]{1,30})?")


def source_url(text: str) -> URL:
    """``text`` as a URL that can be connected to, an SQLite file by its absolute path.

    Raises SourceRefused where it does not parse, where its kind of database is unknown or its
    driver is missing, and where an SQLite file is not there.
    """
    try:
        url = make_url(text.strip())
    except (ArgumentError, ValueError):
        raise SourceRefused(f"the URL does not parse; a source is {EXAMPLES}") from None
    if not _DIALECT.fullmatch(url.drivername):
        raise SourceRefused(f"the URL does not parse; a source is {EXAMPLES}")
    if url.get_backend_name() == "postgres":
        url = url.set(drivername=url.drivername.replace("postgres", "postgresql", 1))
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    _demand_driver(url)
    match url.get_backend_name():
        case "sqlite":
            return _sqlite(url)
        case "postgresql":
            return _postgresql(url)
    return url


def spelled(url: URL) -> str:
    """The URL as text, its password included: to be encrypted, never to be shown."""
    return url.render_as_string(hide_password=False)


def stored_url(text: str) -> URL:
    """The URL that ``spelled`` wrote. Whether it still leads anywhere shows when it is used."""
    return make_url(text)


def _demand_driver(url: URL) -> None:
    try:
        dialect = url.get_dialect()
    except NoSuchModuleError:
        raise SourceRefused(
            f"{url.drivername} is no kind of database that is known here; a source is {EXAMPLES}"
        ) from None
    try:
        dialect.import_dbapi()
    except ImportError:
        hint = "; leave the driver out" if url.get_backend_name() == "postgresql" else ""
        raise SourceRefused(f"the driver for {url.drivername} is not installed{hint}") from None


def _sqlite(url: URL) -> URL:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise SourceRefused("an SQLite source is a file: sqlite:////path/to/file")
    path = Path(url.database)
    try:
        if not path.is_file():
            raise SourceRefused("there is no such SQLite file; a source is sqlite:////path/to/file")
    except (OSError, ValueError):
        raise SourceRefused("the SQLite file's path can't be one") from None
    return URL.create("sqlite", database=str(path.resolve()))


def _postgresql(url: URL) -> URL:
    if not set(url.query) <= _PARAMETERS:
        raise SourceRefused(
            f"the URL sets what a source's URL may not; it may set {', '.join(sorted(_PARAMETERS))}"
        )
    if not url.database:
        raise SourceRefused(f"the URL names no database; a source is {EXAMPLES}")
    return url
