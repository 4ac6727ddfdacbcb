"""The readiness of accounts as CSV, safe to open in a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import StringIO
from unicodedata import normalize

from readiness.listing import Row

COLUMNS = ("account", "level", "number", "gap", "vetoes", "rolled up", "last probe")
_SIGNS = ("=", "+", "-", "@")
_BREAKS = ("\t", "\r", "\n")


def lines(rows: Iterable[Row]) -> Iterator[str]:
    """The head, and a line for each row. Times are instants in UTC."""
    yield _line(COLUMNS)
    for row in rows:
        yield _line(
            (
                row.account.external_id,
                str(row.level),
                "" if row.shown is None else str(row.shown),
                row.gap or "",
                ", ".join(row.vetoes),
                _instant(row.rolled_up_at),
                _instant(row.probed_at),
            )
        )


def safe(cell: str) -> str:
    """``cell`` with an apostrophe before it where a spreadsheet would take it for a formula.

    Blanks before the sign make it no less of one, and neither does its full width.
    """
    plain = normalize("NFKC", cell)
    starts = plain.lstrip(" ").startswith(_BREAKS) or plain.lstrip().startswith(_SIGNS)
    return f"'{cell}" if starts else cell


def _line(cells: Iterable[str]) -> str:
    written = StringIO()
    csv.writer(written).writerow([safe(cell) for cell in cells])
    return written.getvalue()


def _instant(at: datetime | None) -> str:
    return "" if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
