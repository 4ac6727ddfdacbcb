"""Reading ahead: what a batch of targets rests on, read for all of them in two statements.

What a target read last time stands in its Dependency rows. They were there before anything is read
here, so whoever changes a fact from then on finds them and asks for the target again: what is read
ahead is as safe as what a target reads by itself. What it reads for the first time it does read by
itself.
"""

from collections.abc import Collection, Mapping

from django.db import connection

from facts.derivations.reading import Read
from facts.derivations.sql import READ_AHEAD
from facts.models import Check, Fact

MOST = 20_000  # facts held at once; targets that rest on more read them one after the other

Ahead = Mapping[tuple[int, Read], list[Fact]]  # by the account and what is read of it


def read_ahead(reads: Mapping[Check, Collection[Read]]) -> Ahead:
    """The facts at all places that ``reads`` says the targets rest on, in the order of a read."""
    if not any(reads.values()):
        return {}
    targets = [check.pk for check in reads]
    with connection.cursor() as cursor:
        cursor.execute(READ_AHEAD, {"targets": targets, "most": MOST + 1})
        found = cursor.fetchall()
    if len(found) > MOST:
        return {}
    keys = list({fact for _account, _ref, _person, fact in found})
    sql = "SELECT * FROM facts_fact WHERE id = ANY(%s)"  # by one array, however many
    facts = {fact.pk: fact for fact in Fact.objects.raw(sql, [keys])}
    ahead: dict[tuple[int, Read], list[Fact]] = {
        (check.account_id, read): [] for check, places in reads.items() for read in places
    }
    for account, ref, person, fact in found:
        there = ahead.get((account, (ref, person)))
        if there is not None and fact in facts:
            there.append(facts[fact])
    return ahead
