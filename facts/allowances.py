"""How many calls a program may make: counted in the database, a lease of some at a time.

A process takes a lease in one statement and spends it from memory, so that one call in many costs
a statement, and yet all processes together allow no more than the limit. What a process leased and
did not spend is lost to the others until the minute is over: at most a twentieth for each. A login
is a person's and is not counted.
"""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock

from django.conf import settings
from django.db import connection

from facts.errors import TooManyCalls
from facts.models import Token
from facts.sql import TAKE_CALLS

WINDOW = timedelta(minutes=1)  # from a token's first call on, and then from the next one after it
LEASES = 20  # of a window's calls
REMEMBERED = 10_000  # tokens of one process


@dataclass(slots=True)
class _Lease:
    """Calls that this process may still allow until the window ends; ``is_last`` after these."""

    left: int
    starts: datetime
    is_last: bool = False

    def is_of(self, now: datetime) -> bool:
        return self.starts - WINDOW < now < self.starts + WINDOW  # the clocks of others may differ


_leases: dict[int, _Lease] = {}
_lock = Lock()


def spend(token: Token, *, now: datetime) -> None:
    """Allow one call, or raise TooManyCalls. No statement, or one that notes the use as well."""
    with _lock:
        lease = _leases.get(token.pk)
        if lease is None or not lease.is_of(now):
            _leases.pop(token.pk, None)
        elif lease.left:
            lease.left -= 1
            return
        elif lease.is_last:
            raise _refusal(lease.starts, now)
    fresh = _taken(token, now)
    with _lock:
        if len(_leases) >= REMEMBERED:
            _leases.clear()
        other = _leases.get(token.pk)  # of another thread, taken meanwhile
        if other is not None and other.starts == fresh.starts and fresh.left >= 0:
            fresh.left += other.left
            fresh.is_last = fresh.is_last or other.is_last
        _leases[token.pk] = fresh
    if fresh.left < 0:
        fresh.left = 0
        raise _refusal(fresh.starts, now)


def _taken(token: Token, now: datetime) -> _Lease:
    """A lease with this call spent of it already; -1 left where there was none to take."""
    limit = settings.CALLS_PER_MINUTE
    size = max(1, limit // LEASES)
    with connection.cursor() as cursor:
        cursor.execute(
            TAKE_CALLS,
            {
                "token": token.pk,
                "now": now,
                "before": now - WINDOW,
                "after": now + WINDOW,
                "lease": size,
                "limit": limit,
            },
        )
        row = cursor.fetchone()
    if row is None:
        return _Lease(-1, token.calls_from or now, is_last=True)
    calls, starts = row
    return _Lease((calls - 1) % size, starts, is_last=calls >= limit)


def _refusal(starts: datetime, now: datetime) -> TooManyCalls:
    return TooManyCalls(max(1, math.ceil((starts + WINDOW - now).total_seconds())))
