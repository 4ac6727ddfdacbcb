"""``account:readiness:overall``: the rollup of an account, as a derivation."""

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from fractions import Fraction
from typing import Any

from django.conf import settings

from facts.derivations import Built, Derivation, Inputs, Missing, Reading, Target
from facts.models import Account
from facts.refs import Ref
from facts.trust import Trust
from facts.usage.taking import uses_by_label
from readiness.measures import use_shares
from readiness.rollup import CutOffs, Item, rollup, weighed

NAME = "readiness"
OBSERVER = "readiness"
REF = Ref.of("account", "readiness", "overall")
CATALOGUE = Ref.of("account", "catalogue", "data")


def targets(_account: Account) -> Iterable[str]:
    """Every account has one readiness."""
    return [""]


def target_of(ref: Ref, _person: str | None) -> str | None:
    """The target that builds ``ref``, if it is the readiness."""
    return "" if ref == REF else None


def inputs(target: Target, reading: Reading) -> Inputs | Missing:
    """The labels of the catalogue, each one's share of the use, and what else the level is of.

    Missing until the account's first probe made a catalogue. Use is that of the days before today,
    so that it stands still for a day and a busy account is not rebuilt with every query.
    """
    account_facts = reading.at(CATALOGUE, Ref.of("account", "plan", "features"))
    catalogue = account_facts.get(CATALOGUE)
    if catalogue is None or catalogue.value is None:
        return Missing((CATALOGUE,))
    integrations = reading.under("account:integration:")
    fits = reading.under("account:feature-fit:")
    midnight = datetime.combine(reading.now.astimezone(UTC).date(), time(), UTC)
    uses = uses_by_label(target.account, now=midnight - timedelta(microseconds=1))
    if uses:
        reading.changes_at(midnight + timedelta(days=1))
    plan = account_facts.get(Ref.of("account", "plan", "features"))
    return {
        "labels": [] if catalogue.is_absent else catalogue.value["labels"],
        "use": use_shares(uses),
        "cut_offs": [settings.READY_AT, settings.NOT_READY_BELOW, settings.READY_TOP],
        "integrations": {fact.key: fact.value for fact in integrations},
        "plan": None if plan is None else plan.value,
        "specs": [fact.key for fact in fits if not fact.is_absent],
    }


def build(inputs: Inputs) -> Built:
    """The level with what it follows from: the items by weight, the vetoes and the gap."""
    use = inputs["use"]
    items = [
        Item(
            name=label["label"],
            data=label["measure"],
            use=use.get(label["label"], 0),
            trust=Trust(label["trust"]),
            failing=label["failing"],
        )
        for label in inputs["labels"]
    ]
    ready, not_ready_below, top = inputs["cut_offs"]
    cut_offs = CutOffs(ready=ready, not_ready_below=not_ready_below, top=top)
    found = rollup(items, cut_offs)
    counts = {label["label"]: label["count"] for label in inputs["labels"]}
    return {
        (None, REF): {
            "level": str(found.level),
            "coverage": _shortened(found.coverage),
            "shown": found.shown,
            "gap": found.gap,
            "vetoes": list(found.vetoes),
            "items": [
                {
                    "label": one.item.name,
                    "count": counts[one.item.name],
                    "weight": _shortened(one.weight),
                    "data": one.item.data,
                    "use": one.item.use,
                    "trust": str(one.item.trust),
                    "failing": one.item.failing,
                    "can_veto": one.can_veto,
                }
                for one in weighed(items, top=top)
            ],
        }
    }


def figures(_ref: Ref, value: Any) -> dict[str, Any]:
    """What the history keeps of a rollup: level, number, and the weight of what vetoes, if any."""
    vetoing = [one["weight"] for one in value["items"] if one["label"] in value["vetoes"]]
    kept = {"level": value["level"], "shown": value["shown"]}
    return kept | ({"vetoing": round(sum(vetoing), 4)} if vetoing else {})


def _shortened(number: Fraction) -> float:
    """For reading only, cut to four places so that it never says more than is so."""
    return (10_000 * number.numerator // number.denominator) / 10_000


READINESS = Derivation(
    name=NAME,
    version="1",
    owner=OBSERVER,
    targets=targets,
    inputs=inputs,
    build=build,
    demand=lambda _target: 1,
    target_of=target_of,
    figures=figures,
)
