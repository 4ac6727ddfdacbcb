"""Rows of every kind that can tell of an account, made from the models as they are."""

from datetime import UTC, date, datetime
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.db import DataError, IntegrityError, connection, models, transaction
from django.utils import timezone
from django_q.models import Schedule, Task
from django_q.tasks import async_task

from facts.forgetting.reach import reached
from facts.models import Account, Check, Fact, Person

TEXTUAL = {"text", "character varying", "jsonb", "json"}
PLAIN = {
    models.CharField: "x",
    models.TextField: "x",
    models.JSONField: {},
    models.DateTimeField: datetime(2026, 3, 2, 9, tzinfo=UTC),
    models.DateField: date(2026, 3, 2),
    models.BooleanField: False,
    models.FloatField: 1.0,
    models.IntegerField: 1,
    models.BinaryField: b"x",
}
TOLD: dict[str, dict[str, Any]] = {  # what a row needs beyond its types
    "facts.Fact": {"namespace": "user", "kind": "label", "key": "x", "version": 1},
    "facts.Check": {"kind": Check.Kind.DERIVATION, "source": None, "table": None},
}


def account_with_everything(external_id: str, person_id: str) -> tuple[Account, Person]:
    """An account with a person, and a row of every model that is theirs."""
    account = Account.objects.create(external_id=external_id)
    person = Person.objects.create(
        account=account,
        external_id=person_id,
        user=User.objects.create_user(f"{person_id} of {external_id}", email=f"{person_id}@x.test"),
    )
    made: dict[type[models.Model], models.Model] = {Account: account, Person: person}
    for reach in reversed(reached(Account)):
        if reach.model not in made:
            made[reach.model] = _row(reach.model, made)
    _traces(account, person)
    return account, person


def _row(model: type[models.Model], made: dict[type[models.Model], models.Model]) -> models.Model:
    told = TOLD.get(model._meta.label, {})
    values = dict(told)
    for field in model._meta.concrete_fields:
        if field.name in told or (field.primary_key and isinstance(field, models.AutoField)):
            continue
        if isinstance(field, models.ForeignKey):
            related = field.related_model
            if related in made:
                values[field.name] = made[related]
            elif not field.null:
                values[field.name] = _shared(related, made)
        elif not field.has_default() and not field.null:
            values[field.name] = _plain(field, made[Account].pk)
    [row] = model._base_manager.bulk_create([model(**values)])
    return row


def _shared(model: type[models.Model], made: dict[type[models.Model], models.Model]) -> Any:
    """A row of a model that is nobody's, such as a verb."""
    return model._base_manager.first() or _row(model, made)


def _plain(field: Any, number: int) -> Any:
    if field.choices:
        return field.choices[0][0]
    if isinstance(field, models.CharField) and field.unique:
        return f"x{number}"
    return next(value for kind, value in PLAIN.items() if isinstance(field, kind))


def _traces(account: Account, person: Person) -> None:
    """The admin's log, a session, and the queue's three tables."""
    staff, _ = User.objects.get_or_create(username="sue", is_staff=True)
    for thing in (account, person, account.sources.get(), account.tokens.first()):
        LogEntry.objects.log_actions(staff.pk, [thing], CHANGE, f"changed {thing}")
    LogEntry.objects.create(
        user=staff,
        content_type=ContentType.objects.get_for_model(Fact),
        object_id="0",  # a row that went long ago
        object_repr=f"{account}/{person}",
        action_flag=CHANGE,
    )
    session = SessionStore()
    session["_auth_user_id"] = str(person.user_id)
    session.create()
    looking = SessionStore()
    looking["_auth_user_id"] = str(staff.pk)
    looking["looked at"] = [{"account": account.external_id, "person": person.external_id}]
    looking.create()
    async_task("facts.tasks.tick", group=f"account:{account.pk}", whose=person.external_id)
    async_task("facts.tasks.tick", {"account": account.external_id, "of": [person.external_id]})
    now = timezone.now()
    Task.objects.create(
        id=f"{account.pk:032d}",
        name="done",
        func="facts.tasks.tick",
        args=(account.external_id, person.external_id),
        result={"learned": person.external_id},
        started=now,
        stopped=now,
        success=True,
    )
    Schedule.objects.create(
        func="facts.tasks.tick", args=f"'{account.external_id}', '{person.external_id}'"
    )


def plant(account: Account, canary: str) -> set[str]:
    """Put ``canary`` into every textual column of the account's rows that takes it.

    By raw SQL, as no rule of ours would let it pass. Returns the places, ``table.column``.
    """
    planted = set()
    for reach in reached(Account):
        table = reach.model._meta.db_table
        scope = "id" if reach.model is Account else "account_id"
        for column, kind in _columns(table):
            value = f'"{canary}"' if kind.startswith("json") else canary
            try:
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(
                        f'UPDATE "{table}" SET "{column}" = %s WHERE {scope} = %s',
                        [value, account.pk],
                    )
                    planted.add(f"{table}.{column}")
            except (IntegrityError, DataError):  # a column that only takes certain words
                continue
    return planted


def _columns(table: str) -> list[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = %s AND data_type = ANY(%s)",
            [table, list(TEXTUAL)],
        )
        return cursor.fetchall()
