"""A write that names a key is made once: the same again gets the answer of the first.

The key's row and the write are one transaction. So of two at the same moment the second waits for
the first and is answered as it was; a write that was refused or broke off leaves no row, and its
key is free for another try.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import IntegrityError, transaction

from facts import canonical
from facts.errors import KeyReused
from facts.giving_way import once_more
from facts.models import Person, Reply
from facts.tokens import Scope

KEPT = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: its status and its JSON. ``again`` where the write was made before."""

    status: int
    body: str
    again: bool = False


@once_more
@transaction.atomic
def once(
    key: str,
    asked: object,
    *,
    scope: Scope,
    person: Person | None,
    now: datetime,
    write: Callable[[], Said],
) -> Said:
    """The answer of ``write``, or the one it gave when ``key`` came first.

    ``asked`` is all that says what is to be written, as plain data. A key is the credential's own,
    and forgotten after a day. Raises KeyReused for a key that came with something else.
    """
    hashed, digest = sha256(key.encode()).hexdigest(), canonical.digest(asked)
    place = {"account": scope.account, "caller": scope.caller, "key": hashed}
    Reply.objects.filter(**place, at__lte=now - KEPT).delete()
    try:
        with transaction.atomic():  # waits for another who has the key and is not done yet
            reply = Reply.objects.create(**place, person=person, asked=digest, at=now)
    except IntegrityError:
        first = Reply.objects.get(**place)
        if first.asked != digest:
            raise KeyReused("this key came before with another request; take a new one") from None
        return Said(first.status, first.body, again=True)
    said = write()
    reply.status, reply.body = said.status, said.body
    reply.save(update_fields=["status", "body"])
    return said


def prune(*, now: datetime) -> int:
    """Forget the answers whose keys are no longer good; how many."""
    return Reply.objects.filter(at__lte=now - KEPT).delete()[0]
