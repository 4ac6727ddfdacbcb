"""What rests on what, as rows: written before the inputs count as read, so that no change is lost.

A target may only trust what it read if a change from then on finds its Dependency rows. So a row
that is new is written first and the inputs are read again after it. An observer that has looked for
dependents already and has not committed yet would slip through between the two; hence the lock of
the account: observers share it, and who writes rows that are new waits for those under way.
"""

from collections.abc import Collection, Mapping

from django.db import connection, transaction

from facts.arrays import array
from facts.derivations.reading import Read
from facts.derivations.sql import DROP_READS
from facts.giving_way import once_more
from facts.models import Account, Check, Dependency, Fact
from facts.refs import prefixes

# One array for all refs: a parameter for each is slow to write by the thousands.
DEPENDENTS = """
    SELECT DISTINCT dependency.dependent_id
    FROM unnest(%s::text[], %s::bigint[]) AS place (ref, settled_by)
    JOIN facts_dependency AS dependency
        ON dependency.account_id = %s
        AND dependency.ref = place.ref
        AND dependency.dependent_id IS DISTINCT FROM place.settled_by
    WHERE dependency.person_id IS NULL OR dependency.person_id = ANY(%s::bigint[])
"""

LOCK_SHARED = """
    SELECT pg_advisory_xact_lock_shared(hashtextextended('facts.dependency', account))
    FROM unnest(%s::bigint[]) AS account
"""
LOCK_ALONE = LOCK_SHARED.replace("_shared", "")


def reads_of(checks: Collection[Check]) -> dict[int, set[Read]]:
    """What targets are known to rest on, by the target's key."""
    reads: dict[int, set[Read]] = {check.pk: set() for check in checks}
    rows = Dependency.objects.filter(dependent__in=list(reads))
    for target, ref, person in rows.values_list("dependent", "ref", "person"):
        reads[target].add((ref, person))
    return reads


@once_more
def add_reads(reads: Mapping[Check, Collection[Read]]) -> None:
    """Note that targets rest on ``reads`` too, so that changes from now on wake them."""
    with transaction.atomic():
        _lock({check.account_id for check in reads}, shared=False)
        Dependency.objects.bulk_create(
            (
                Dependency(account_id=check.account_id, dependent=check, person_id=person, ref=ref)
                for check, places in reads.items()
                for ref, person in places
            ),
            ignore_conflicts=True,
        )


def drop_reads(reads: Mapping[int, Collection[Read]]) -> None:
    """Forget that the targets of these keys rest on ``reads``."""
    gone = [(target, *read) for target, places in reads.items() for read in places]
    targets, refs, people = zip(*gone, strict=True)
    with connection.cursor() as cursor:
        columns = {"targets": array(targets), "refs": array(refs), "people": array(people)}
        cursor.execute(DROP_READS, columns)


def dependents_of(account: Account, facts: list[Fact]) -> set[int]:
    """The keys of the targets that rest on any of ``facts`` they did not build, in two statements.

    Called by whoever changes the facts, in the transaction that does so.
    """
    places: set[tuple[str, int | None]] = set()
    for fact in facts:
        ref = fact.ref
        places.update((place, fact.settled_by_id) for place in (str(ref), *prefixes(ref)))
    refs, settled_by = zip(*places, strict=True)
    people = {fact.person_id for fact in facts if fact.person_id is not None}
    _lock([account.pk], shared=True)
    with connection.cursor() as cursor:
        cursor.execute(DEPENDENTS, [array(refs), array(settled_by), account.pk, array(people)])
        return {key for (key,) in cursor.fetchall()}


def _lock(accounts: Collection[int], *, shared: bool) -> None:
    """Take the accounts' locks of dependencies, in order, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK_SHARED if shared else LOCK_ALONE, [sorted(accounts)])
