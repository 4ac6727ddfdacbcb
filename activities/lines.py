"""Reading JSON lines from a file or standard input, packed by gzip or not."""

import gzip
import zlib
from collections.abc import Iterator
from io import BufferedIOBase

from activities.errors import BrokenFile

MAX_LINE = 1_000_000  # bytes; an event has a few hundred
_BLOCK = 1 << 20  # bytes
_GZIP = b"\x1f\x8b"


def unpacked(stream: BufferedIOBase) -> BufferedIOBase:
    """The stream as it is, or unpacked if it starts like gzip. ``stream`` is buffered."""
    start = stream.peek(2)[:2] if hasattr(stream, "peek") else b""
    return gzip.GzipFile(fileobj=stream) if start == _GZIP else stream


def lines(stream: BufferedIOBase) -> Iterator[bytes | None]:
    """The lines of a stream, None for one that is too long to be read.

    Raises BrokenFile where packed data breaks off.
    """
    number, rest, skipping = 0, b"", False
    try:
        while block := stream.read1(_BLOCK):  # what is there, so that no damage further on hides it
            *whole, rest = (rest + block).split(b"\n")
            for line in whole:
                number += 1
                yield None if skipping or len(line) > MAX_LINE else line
                skipping = False
            if len(rest) > MAX_LINE:
                rest, skipping = b"", True
    except (EOFError, OSError, zlib.error):
        raise BrokenFile(
            f"the packed file is damaged after line {number}; what came before is kept, "
            "and may be loaded again"
        ) from None
    if rest or skipping:
        yield None if skipping or len(rest) > MAX_LINE else rest
