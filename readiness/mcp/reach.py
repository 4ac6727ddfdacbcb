"""Whom a message reaches."""

from dataclasses import dataclass
from datetime import datetime

from facts.models import Account, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Whose knowledge a message reads, and when."""

    account: Account
    person: Person | None
    now: datetime
