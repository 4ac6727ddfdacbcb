"""Pages by cursor: a page stays right while facts come and go."""

from datetime import datetime
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination

from facts.api.serializers import PAGE, PAGE_LIMIT
from facts.problems import Invalid

NOWHERE = Cursor(offset=0, reverse=False, position=None)  # what any text decodes to


class FactPages(CursorPagination):
    """Facts in the order they were first named."""

    ordering: tuple[str, ...] = ("pk",)
    page_size = PAGE
    page_size_query_param = "page_size"
    max_page_size = PAGE_LIMIT

    def decode_cursor(self, request: Any) -> Any:
        """The place a cursor names. Raises Invalid for one that none of our pages linked to."""
        try:
            cursor = super().decode_cursor(request)
            if cursor == NOWHERE:
                raise ValueError
            if cursor is not None and cursor.position is not None:
                self.check_position(str(cursor.position))
        except (NotFound, ValueError):
            raise Invalid("no page linked to this", parameter="cursor") from None
        return cursor

    def check_position(self, position: str) -> None:
        """Raise ValueError for what is no position in this order."""
        if not 0 <= int(position) < 2**63:
            raise ValueError


class TextPages(FactPages):
    """Rows in the order of a text column."""

    def __init__(self, column: str) -> None:
        self.ordering = (column,)

    def check_position(self, position: str) -> None:
        if not position.isprintable():
            raise ValueError


class HistoryPages(FactPages):
    """A history with the newest line first."""

    ordering = ("-last_at", "-pk")

    def check_position(self, position: str) -> None:
        if datetime.fromisoformat(position).tzinfo is None:
            raise ValueError
