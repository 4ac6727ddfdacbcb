"""What goes wrong with a source, and how the two kinds of wrong are told apart.

A source's trouble says nothing about any fact; an object's failure is the object's. Both carry a
code and never a driver's message: those quote data.
"""

from facts.errors import KenError


class SourceRefused(KenError):
    """The source can't be registered; nothing was written."""

    code = "source-refused"


class BadMapping(KenError):
    """The mapping document is faulty and was refused whole."""

    code = "bad-mapping"


class UnknownSource(KenError):
    """The account has no source of this name."""

    code = "unknown-source"


class UnreachableSource(KenError):
    """The source can't be read now; what is known of it stays as it was."""

    code = "unreachable-source"


class SourceTrouble(Exception):
    """The source is down, or the way to it: facts stay as they are and requests stay open."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Unreadable(Exception):
    """The source answered that this statement's object can't be read."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
