"""Analyses that an older Ken made: read anew by the tick, so that a better analysis reaches all.

Until then none of them is served: what another form says can't be read.
"""

from contextlib import suppress

from django.db import transaction

from facts.answers.analysis import FORM
from facts.answers.errors import AnswerEnded, BadAnswer, UnknownAnswer
from facts.answers.locking import locked
from facts.answers.reading_queries import read_again
from facts.models import Account, Answer

AT_ONCE = 200  # answers of one tick


def read_older(*, limit: int = AT_ONCE) -> int:
    """Read the queries anew of at most ``limit`` answers of an older form; how many there were."""
    older = Answer.objects.in_force().filter(form__lt=FORM).select_related("account")
    found = list(older.order_by("form", "pk")[:limit])
    for answer in found:
        _read(answer.account, answer.pk)
    return len(found)


@transaction.atomic
def _read(account: Account, answer_id: int) -> None:
    """Keep the analysis of today; a changed schema is still somebody's to look at.

    A query that today's Ken does not read keeps what it has, which nobody is served.
    """
    try:
        answer = locked(account, answer_id)
    except (UnknownAnswer, AnswerEnded):
        return  # since we looked
    kept = {"form": FORM}
    if answer.schema_changed_at is None:
        with suppress(BadAnswer):
            kept = read_again(answer).kept()
    Answer.objects.filter(pk=answer.pk).update(**kept)
