"""Tokens: who a program is, which account it reaches, and what it may do there.

The whole scope comes from the token. A token looks like ``ken_<handle>_<secret>``: the handle
finds the row, and the row holds only a hash of the secret. The secret has 256 random bits, so one
round of SHA-256 protects it; a slow password hash would only slow every request.
"""

import re
import secrets
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare

from facts import allowances, askers, owners
from facts.deciding import REUSE
from facts.errors import BadToken, KenError, NameTaken
from facts.models import Account, Person, Token

_TEXT = re.compile(r"ken_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
NOT_NAMES = askers.OWN | {REUSE}  # names that mean something in a history, as observers' do
_NOBODY = sha256(b"").hexdigest()  # compared with where no row has the handle


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a credential reaches. ``asker`` is who its requests are by.

    With an ``observer`` it writes that observer's facts and reads those; without one it reads
    and requests. ``person`` is None where it reaches the account's own facts only.
    """

    account: Account
    person: Person | None
    asker: str
    observer: str = ""
    may_request: bool = True
    caller: str = ""  # the one credential, by the key of its row

    @property
    def requests(self) -> bool:
        """Whether it may ask for measurements: an observer makes them itself."""
        return self.may_request and not self.observer

    def reads(self, namespace: str, kind: str) -> bool:
        """Whether facts of this kind are in reach."""
        return not self.observer or (namespace, kind) in owners.kinds_of(self.observer)


def make(
    *,
    account: Account,
    name: str,
    now: datetime,
    person: Person | None = None,
    observer: str = "",
    expires_at: datetime | None = None,
) -> tuple[Token, str]:
    """A new token and its text, which nothing can show again.

    Raises NameTaken where the account has a token of that name in force, and KenError for a
    name, an observer, a person or an expiry that can't be.
    """
    demand_sense(
        account=account,
        name=name,
        person=person,
        observer=observer,
        expires_at=expires_at,
        now=now,
    )
    handle, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            token = Token.objects.create(
                account=account,
                person=person,
                name=name,
                observer=observer,
                handle=handle,
                digest=sha256(secret.encode()).hexdigest(),
                created_at=now,
                expires_at=expires_at,
            )
    except IntegrityError:  # somebody made it since we looked
        raise _name_taken(account, name) from None
    return token, f"ken_{handle}_{secret}"


def demand_sense(
    *,
    account: Account,
    name: str,
    person: Person | None,
    observer: str,
    expires_at: datetime | None,
    now: datetime,
) -> None:
    """Raise for what no new token can be: KenError, NameTaken. Writes nothing."""
    demand_name(name)
    if observer and observer not in owners.observers():
        raise KenError(f"no such observer; the observers are {', '.join(owners.observers())}")
    if person and person.account_id != account.pk:
        raise KenError(f"that person is not in account {account}")
    if expires_at is not None and expires_at <= now:
        raise KenError("a token can't expire before it is made")
    if account.tokens.filter(name=name, revoked_at=None).exists():
        raise _name_taken(account, name)


def demand_name(name: str) -> None:
    """Raise KenError for what no program is called in a history."""
    if not name or len(name) > 100 or not name.isprintable() or ":" in name or name != name.strip():
        raise KenError("a token's name has 1 to 100 printable characters and no colon")
    if name.casefold() in NOT_NAMES | set(owners.observers()):
        raise KenError(f"{name!r} is somebody else's name in a history; choose another")


def _name_taken(account: Account, name: str) -> NameTaken:
    command = shlex.join(["manage.py", "token", account.external_id, name, "--revoke"])
    return NameTaken(f"{account} has a token {name!r} already; revoke it first: `{command}`")


def revoke(tokens: Iterable[Token], *, now: datetime) -> int:
    """End tokens for good; how many of them were still in force."""
    ids = [token.pk for token in tokens]
    return Token.objects.filter(pk__in=ids, revoked_at=None).update(revoked_at=now)


def scope_of(text: str, *, now: datetime) -> Scope:
    """What the token ``text`` reaches, and one call of it spent. One query, two now and then.

    Raises BadToken, which tells only the holder of the right secret why it is no longer good, and
    TooManyCalls.
    """
    if not (parts := _TEXT.fullmatch(text)):
        raise BadToken("this is no token of ours")
    handle, secret = parts.groups()
    token = Token.objects.select_related("account", "person").filter(handle=handle).first()
    digest = token.digest if token else _NOBODY
    known = constant_time_compare(sha256(secret.encode()).hexdigest(), digest)
    if token is None or not known:
        raise BadToken("this is no token of ours")
    if token.revoked_at is not None:
        raise BadToken("this token was revoked")
    if token.expires_at is not None and token.expires_at <= now:
        raise BadToken("this token has expired")
    allowances.spend(token, now=now)
    return Scope(
        account=token.account,
        person=token.person,
        asker=token.name,
        observer=token.observer,
        caller=f"token:{token.pk}",
    )
