"""What an account's people work on at a moment: the counts of the database, judged by the rules.

Nothing here stores anything. The derivation stores what comes of it for the present; a preview
(``activities --as-of``, a registry that is not in force) shows it and forgets it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from activities import rules
from activities.models import Feedback, Verb
from activities.rules import Tally
from activities.statements import MEASURES, statement
from facts.models import Account


@dataclass(frozen=True, slots=True)
class Mapped:
    """A registry as the statements take it, columns of equal length: a vote's verb and its rank."""

    actions: list[int]
    verbs: list[int]
    ranks: list[int]


def activities_at(account: Account, as_of: datetime) -> list[Tally]:
    """The activities at ``as_of``, by person and in the header's order. Causes three queries."""
    return rules.activities(tallies(account, as_of), rejected(account, as_of))


def tallies(account: Account, as_of: datetime) -> list[Tally]:
    """What the stored sessions in the window come to, per person and verb that may be one."""
    verbs = {verb.pk: verb for verb in Verb.objects.filter(rank__isnull=False)}
    ranked = {pk: (verb.name, verb.rank or 0) for pk, verb in verbs.items()}
    return _tallies("stored_sessions", account, as_of, ranked, {})


def tallies_under(
    registry: Mapped, ranked: Mapping[int, tuple[str, int]], account: Account, as_of: datetime
) -> list[Tally]:
    """What they would come to under another registry: a preview, made from all the votes."""
    return _tallies(
        "previewed_sessions",
        account,
        as_of,
        ranked,
        {"actions": registry.actions, "verbs": registry.verbs, "ranks": registry.ranks},
    )


def rejected(account: Account, as_of: datetime) -> list[tuple[str, str]]:
    """The (person, verb) pairs that feedback takes away at a moment, sorted."""
    said = Feedback.objects.filter(account=account).in_force(as_of)
    pairs = said.values_list("person__external_id", "verb__name").distinct()
    return sorted(pairs)


def _tallies(
    source: str,
    account: Account,
    as_of: datetime,
    ranked: Mapping[int, tuple[str, int]],
    parameters: dict[str, Any],
) -> list[Tally]:
    moment = rules.microseconds(as_of)
    with connection.cursor() as cursor:
        cursor.execute(
            statement("tallies", sessions=source),
            {
                "account": account.pk,
                "as_of": moment,
                "opens": moment - rules.WINDOW // rules.MICROSECOND,
                "min_sessions": rules.MIN_SESSIONS,
                "min_days": rules.MIN_DAYS,
                **MEASURES,
                **parameters,
            },
        )
        return [_tally(ranked, *row) for row in cursor.fetchall()]


def _tally(ranked: Mapping[int, tuple[str, int]], person: str, verb: int, *figures: int) -> Tally:
    name, rank = ranked[verb]
    sessions, days, others, colleagues, first, last = map(int, figures)
    return Tally(
        person=person,
        verb=name,
        rank=rank,
        sessions=sessions,
        days=days,
        others=others,
        colleagues=colleagues,
        first=first,
        last=last,
    )
