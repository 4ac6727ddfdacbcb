"""Erasing: every row in reach, and every trace, in one transaction."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Model, ProtectedError, QuerySet

from facts.derivations.targets import make_due
from facts.forgetting import traces
from facts.forgetting.reach import Reach, loose_ends, reached
from facts.forgetting.sought import Sought
from facts.models import Account, Check, Person

Eraser = Callable[[Account, Person | None], dict[str, int]]
"""Erases what no foreign key leads to; returns how many rows, by what they are called."""

_erasers: list[Eraser] = []


def register(eraser: Eraser) -> None:
    """Have ``eraser`` run within the transaction, before rows go. Called from ``ready()``."""
    if eraser not in _erasers:
        _erasers.append(eraser)


def counted(sought: Sought, root: Account | Person) -> dict[str, int]:
    """How many rows of what would go. Writes nothing."""
    reaches = reached(type(root))
    counts: Counter[str] = Counter()
    for rows in traces.all_of(sought, reaches, root):
        counts[_called(rows.model)] += rows.count()
    for reach in reaches:
        counts[_called(reach.model)] += reach.rows(root).count()
    return dict(+counts)


def erase(
    sought: Sought, root: Account | Person, account: Account, *, now: datetime
) -> dict[str, int]:
    """Erase it all; how many rows of what went. Called in a transaction, the account locked."""
    reaches = reached(type(root))
    counts: Counter[str] = Counter()
    for eraser in _erasers:
        counts.update(eraser(account, root if isinstance(root, Person) else None))
    for rows in traces.all_of(sought, reaches, root):
        counts[_called(rows.model)] += _delete_trace(rows)
    for reach in reaches:
        _let_go(reach, root, reaches)
        counts[_called(reach.model)] += _delete_reached(reach.rows(root))
    if isinstance(root, Person):  # what is derived of the account was derived of them too
        make_due(Check.objects.filter(account=account, kind=Check.Kind.DERIVATION), now=now)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    return dict(+counts)


def _delete_trace(rows: QuerySet[Any]) -> int:
    """Delete rows of a trace, and whatever Django hangs on them; how many of them."""
    try:
        _, deleted = rows.delete()
    except ProtectedError:
        return sum(_made_nameless(user) for user in rows)
    return deleted.get(rows.model._meta.label, 0)


def _made_nameless(user: Any) -> int:
    """Leave a login that signed what is kept, a spec say, with nothing of who it was."""
    blank = {field: "" for field in ("first_name", "last_name", "email") if hasattr(user, field)}
    for field, nothing in {user.USERNAME_FIELD: f"forgotten-{user.pk}", **blank}.items():
        setattr(user, field, nothing)
    user.is_active = False
    user.set_unusable_password()
    user.save()
    return 1


def _let_go(reach: Reach, root: Account | Person, reaches: Iterable[Reach]) -> None:
    """Empty the keys of rows that stay and point to rows that go."""
    going = {other.model for other in reaches}
    for key in loose_ends(reach.model):
        if key.model not in going:
            staying = key.model._base_manager.filter(**{f"{key.name}__in": reach.rows(root)})
            staying.update(**{key.name: None})


def _delete_reached(rows: QuerySet[Any]) -> int:
    """Delete rows in one statement: what hung on them went before, and Django need not look."""
    quote, meta = connection.ops.quote_name, rows.model._meta
    keys = [field for field in meta.pk_fields if field.column]
    sql, parameters = rows.order_by().values(*(key.attname for key in keys)).query.sql_with_params()
    table, place = quote(meta.db_table), ", ".join(quote(key.column) for key in keys)
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE ({place}) IN ({sql})", parameters)  # noqa: S608
        return int(cursor.rowcount)


def _called(model: type[Model]) -> str:
    """A model as the report names it."""
    return str(model._meta.verbose_name_plural)
