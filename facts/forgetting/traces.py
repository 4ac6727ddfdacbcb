"""What tells of somebody without a foreign key: the admin's log, sessions, the queue, askers."""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import Q
from django_q.models import OrmQ, Schedule, Task
from django_q.signing import BadSignature, SignedPackage

from facts.forgetting.reach import Reach
from facts.forgetting.sought import Sought, mentions, texts_in
from facts.models import Account, Answer, Check, Fact, Observation, Person

CHUNK = 2_000  # rows read at a time


def log_entries(sought: Sought, reaches: Iterable[Reach], root: Account | Person) -> Any:
    """The admin's log lines about what goes, and those that name it."""
    about = Q(pk__in=[])
    logged = LogEntry.objects.values_list("content_type", "object_id").distinct()
    for reach in reaches:
        kind = ContentType.objects.get_for_model(reach.model)
        keys = [key for _, key in logged.filter(content_type=kind) if key and key.isdigit()]
        going = reach.rows(root).filter(pk__in=keys).values_list("pk", flat=True) if keys else []
        about |= Q(content_type=kind, object_id__in=list(map(str, going)))
    named = [
        entry.pk
        for entry in LogEntry.objects.exclude(about).iterator(CHUNK)
        if sought.is_named_in([entry.object_repr, *_unescaped(entry)])
    ]
    return LogEntry.objects.filter(about | Q(pk__in=named) | Q(user__in=sought.users))


def _unescaped(entry: LogEntry) -> list[str]:
    return [entry.change_message, entry.get_change_message()]


def sessions(sought: Sought) -> Any:
    """The sessions of logins that go, and those that hold something of who goes."""
    keys = [
        session.pk
        for session in Session.objects.iterator(CHUNK)
        if _is_of(sought, session.get_decoded())
    ]
    return Session.objects.filter(pk__in=keys)


def _is_of(sought: Sought, session: dict[str, Any]) -> bool:
    if str(session.get(SESSION_KEY)) in map(str, sought.users):
        return True
    return sought.is_named_in(session_texts(session))


def session_texts(session: dict[str, Any]) -> list[str]:
    """What a session says, without the login's own key and hash."""
    return texts_in({key: held for key, held in session.items() if not key.startswith("_auth_")})


def queued(sought: Sought) -> list[Any]:
    """The rows of the queue that tell of who goes: to be done, done, and planned.

    A task of an account says so by its group, ``account:<key>``.
    """
    return [
        model.objects.filter(
            pk__in=[
                row.pk for row in model.objects.iterator(CHUNK) if sought.is_named_in(read(row))
            ]
        )
        for model, read in QUEUE.items()
    ]


def payload_texts(row: OrmQ) -> list[str]:
    """What a task to be done says; of one that was not signed here, its payload as it is."""
    try:
        return texts_in(SignedPackage.loads(row.payload))
    except (BadSignature, AttributeError, ImportError):
        return [row.payload]


def task_texts(row: Task) -> list[str]:
    """What a task that was done says."""
    parts = [row.args, row.kwargs, row.result]
    return [*texts_in(parts), *map(str, parts), row.name or "", row.group or ""]


def schedule_texts(row: Schedule) -> list[str]:
    """What a planned task says."""
    return [row.args or "", row.kwargs or "", row.name or ""]


QUEUE: dict[Any, Callable[[Any], list[str]]] = {
    OrmQ: payload_texts,
    Task: task_texts,
    Schedule: schedule_texts,
}


def lines_by(sought: Sought) -> Any:
    """The lines of the account's own histories that these people's programs and logins caused."""
    return Observation.objects.filter(
        account=sought.account_key, fact__person=None, by__in=sought.askers
    )


def answers(sought: Sought) -> Any:
    """The facts of answers that these people proposed or that name them; the answers go along."""
    told = Answer.objects.filter(account=sought.account_key)
    naming = [
        answer.fact_id
        for answer in told.iterator(CHUNK)
        if answer.person_id in sought.people or mentions(_said(answer), sought.people.values())
    ]
    return Fact.objects.filter(account=sought.account_key, pk__in=naming)


def _said(answer: Answer) -> list[str]:
    documents = [answer.things, answer.constraints, answer.params, answer.analysis]
    return [answer.text, answer.query, *texts_in(documents)]


def targets(sought: Sought) -> Any:
    """What is derived for one person by their id."""
    return Check.objects.filter(
        account=sought.account_key,
        kind=Check.Kind.DERIVATION,
        target__in=sought.people.values(),
    )


def logins(sought: Sought) -> Any:
    """The logins that only these people had. A member of staff keeps theirs."""
    return get_user_model()._default_manager.filter(pk__in=sought.users)


def all_of(sought: Sought, reaches: Iterable[Reach], root: Account | Person) -> list[Any]:
    """Every set of rows of this module; the logins last, for sessions and log lines are theirs."""
    return [
        log_entries(sought, reaches, root),
        sessions(sought),
        *queued(sought),
        *(
            [] if sought.whole else [lines_by(sought), targets(sought), answers(sought)]
        ),  # or all go
        logins(sought),
    ]
