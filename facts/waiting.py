"""What waits for somebody of the staff: counters that each app registers, for the admin's home."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # apps import this before there are models
    from django.contrib.auth.models import AnonymousUser, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """Counts, in one query, what waits for those who hold ``permission``.

    ``words`` are those for one and for more of them; ``page`` and ``query`` lead to where it is
    done, as a URL's name and the text after its question mark.
    """

    permission: str
    count: Callable[[datetime], int]
    words: tuple[str, str]
    page: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """So many of something, and where it is done."""

    count: int
    words: str
    page: str
    query: str


_counters: list[Counter] = []


def register(*counters: Counter) -> None:
    """Have the admin's home show these. Called from an app's ``ready()``."""
    _counters.extend(counters)


def waiting_for(user: "User | AnonymousUser", *, now: datetime) -> list[Waiting]:
    """What waits for ``user``, by what the user may do; one query for each."""
    told = []
    for counter in _counters:
        if user.has_perm(counter.permission) and (count := counter.count(now)):
            words = counter.words[count > 1]
            told.append(Waiting(count, words, counter.page, counter.query))
    return told
