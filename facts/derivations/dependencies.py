"""What rests on what, as rows: written before the inputs count as read, so that no change is lost.

A target may only trust what it read if a change from then on finds its Dependency rows. So a row
that is new is written first and the inputs are read again after it. An observer that has looked for
dependents already and has not committed yet would slip through between the two; hence the lock of
the account: observers share it, and who writes rows that are new waits for those under way.
"""

from collections.abc import Iterable

from django.db import connection, transaction
from django.db.models import Q

from facts.arrays import array
from facts.models import Account, Check, Dependency, Fact
from facts.refs import prefixes

# One array for all refs: a parameter for each is slow to write by the thousands.
DEPENDENTS = """
    SELECT DISTINCT dependent_id
    FROM facts_dependency
    WHERE account_id = %s
        AND ref = ANY(%s::text[])
        AND (person_id IS NULL OR person_id = ANY(%s::bigint[]))
"""

Read = tuple[str, int | None]  # a ref or prefix, and whose: the key of a person


def reads_of(check: Check) -> set[Read]:
    """What the target is known to rest on."""
    return set(check.rests_on.values_list("ref", "person"))


def add_reads(check: Check, reads: Iterable[Read]) -> None:
    """Note that the target rests on ``reads`` too, so that changes from now on wake it."""
    with transaction.atomic():
        _lock(check.account_id, shared=False)
        Dependency.objects.bulk_create(
            (
                Dependency(account_id=check.account_id, dependent=check, person_id=person, ref=ref)
                for ref, person in reads
            ),
            ignore_conflicts=True,
        )


def drop_reads(check: Check, reads: Iterable[Read]) -> None:
    """Forget that the target rests on ``reads``."""
    places = Q(pk__in=[])
    for ref, person in reads:
        places |= Q(ref=ref, person=person)
    check.rests_on.filter(places).delete()


def dependents_of(account: Account, facts: list[Fact]) -> set[int]:
    """The keys of the targets that rest on any of ``facts``, in two statements.

    Called by whoever changes the facts, in the transaction that does so.
    """
    places: set[str] = set()
    for fact in facts:
        ref = fact.ref
        places.add(str(ref))
        places.update(prefixes(ref))
    people = {fact.person_id for fact in facts if fact.person_id is not None}
    _lock(account.pk, shared=True)
    with connection.cursor() as cursor:
        cursor.execute(DEPENDENTS, [account.pk, array(places), array(people)])
        return {key for (key,) in cursor.fetchall()}


def _lock(account: int, *, shared: bool) -> None:
    """Take the account's lock of dependencies until the transaction ends."""
    function = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended('facts.dependency', %s))", [account])
