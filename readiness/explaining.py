"""From a fact down to the measurements it rests on, and why each of those is due when it is."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from facts import scheduling
from facts.derivations import explaining
from facts.models import Account, Person
from facts.refs import Ref

Explanation = dict[str, Any]


def explain(
    account: Account, ref: Ref, *, now: datetime, person: Person | None = None
) -> Explanation:
    """Plain data: the fact as ``facts.derivations`` explains it, and ``checks``.

    These are the checks of sources that settle it or anything it rests on. Raises UnknownRef.
    """
    told = explaining.explain(account, ref, now=now, person=person)
    measured = {Ref.parse(fact["ref"]) for fact in _facts(told) if "derived" not in fact}
    settled = account.facts.filter(person=None, settled_by__source__isnull=False).at(*measured)
    checks = set(settled.values_list("settled_by", flat=True))
    return {**told, "checks": scheduling.explain(checks, now=now)}


def add_keys(account: Account, told: Explanation) -> None:
    """Give each fact of an explanation its primary key, ``pk``, for links; one query."""
    facts = list(_facts(told))
    rows = account.facts.at(*{Ref.parse(fact["ref"]) for fact in facts}).values_list(
        "namespace", "kind", "key", "person__external_id", "pk"
    )
    keys = {(str(Ref(*place)), person): pk for *place, person, pk in rows}
    for fact in facts:
        fact["pk"] = keys[fact["ref"], fact["person"]]


def _facts(told: Explanation) -> Iterator[Explanation]:
    """The explained fact and all below it."""
    yield told
    for place in told.get("derived", {}).get("rests_on", ()):
        for fact in place["facts"]:
            yield from _facts(fact)
