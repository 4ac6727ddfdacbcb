"""``account:catalogue:data``: the account's labels in one lookup, the weightiest first.

Readiness, the header, the authors of specs and the staff's page all want the same list: which
labels there are, how much is in them, whether they can be read and how far they are trusted. Read
from their facts that is one row a table each time; as a derived fact it is one row in all, with the
measure of a label's data worked out in one place.
"""

from collections.abc import Iterable
from math import log1p
from typing import Any

from facts.derivations.declaring import Built, Derivation, Inputs, Missing, Target
from facts.derivations.reading import Reading
from facts.models import Account, Fact, Source, Table
from facts.refs import Ref

OWNER = "catalogue"
REF = Ref.of("account", "catalogue", "data")


def _targets(_account: Account) -> Iterable[str]:
    return [""]


def _target_of(ref: Ref, _person: str | None) -> str | None:
    return "" if ref == REF else None


def _inputs(target: Target, reading: Reading) -> Inputs | Missing:
    """Missing until every source of the account was reflected once, or somebody observed a label.

    The catalogue's row estimate moves with every vacuum, so it is an input only of a label that was
    never counted.
    """
    facts = {fact.key: fact for fact in reading.under("data:label:")}
    sources = Source.objects.filter(account=target.account)
    reflected = list(sources.values_list("reflected_at", flat=True))
    if None in reflected or not (reflected or facts):
        return Missing()
    tables = Table.objects.filter(account=target.account, gone_at=None)
    estimates = {
        Ref.of("data", "label", label).key: estimate
        for label, estimate in tables.values_list("label", "row_estimate")
    }
    known = {key: fact for key, fact in facts.items() if _is_there(fact)}
    labels = sorted((set(estimates) | set(known)) - _absent(facts))
    counts = {key: known[key].value["count"] for key in labels if key in known}
    return {
        "labels": [Ref("data", "label", key).parts[0] for key in labels],
        "counts": [counts.get(key) for key in labels],
        "estimates": [estimates.get(key) if key not in counts else None for key in labels],
        "failing": [key in facts and facts[key].failing for key in labels],
        "trust": [
            str(facts[key].trust(reading.now)) if key in facts else "unknown" for key in labels
        ],
    }


def _is_there(fact: Fact) -> bool:
    return isinstance(fact.value, dict) and isinstance(fact.value.get("count"), int)


def _absent(facts: dict[str, Fact]) -> set[str]:
    return {key for key, fact in facts.items() if fact.is_absent}


def build(inputs: Inputs) -> Built:
    """The list of labels, by measure from the greatest and then by name."""
    measures = measures_of(inputs["counts"], inputs["estimates"])
    columns = (inputs[part] for part in ("labels", "counts", "failing", "trust"))
    labels: list[dict[str, Any]] = [
        {"label": label, "count": count, "measure": measure, "failing": failing, "trust": trust}
        for label, count, failing, trust, measure in zip(*columns, measures, strict=True)
    ]
    labels.sort(key=lambda each: (-each["measure"], each["label"]))
    return {(None, REF): {"labels": labels}}


def measures_of(counts: list[int | None], estimates: list[int | None]) -> list[int]:
    """How much data each label has: round(1000 log1p(count)), so that no log table drowns the rest.

    A label never counted has its estimate's, else the account's largest, so that a table nobody can
    read weighs as much as any.
    """
    sizes = [
        estimate if count is None else count
        for count, estimate in zip(counts, estimates, strict=True)
    ]
    measures = [None if size is None else measure_of(size) for size in sizes]
    largest = max((measure for measure in measures if measure is not None), default=0)
    return [largest if measure is None else measure for measure in measures]


def measure_of(count: int) -> int:
    """The measure of ``count`` records: 0 of none, 6723 of 830."""
    return round(1000 * log1p(max(count, 0)))


CATALOGUE = Derivation(
    name="catalogue",
    version="1",
    owner=OWNER,
    targets=_targets,
    inputs=_inputs,
    build=build,
    target_of=_target_of,
)
