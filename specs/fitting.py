"""``account:feature-fit:<spec>``: the stored verdict on every spec in force, as a derivation.

It is rebuilt when a fact it rests on, the spec's version or the code's version is another one.
When an integration last succeeded is in none of them and rebuilds nothing. A new verdict requests
what would settle its unknowns, so that an account pulls in the evidence it is judged by.
"""

from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from facts import store
from facts.derivations import Built, Derivation, Inputs, Missing, Reading, Target
from facts.models import Account, Fact
from facts.refs import Ref
from specs.evidence import refs_of, view
from specs.figures import State
from specs.judging import FactView, Judgement, judge
from specs.models import SpecVersion
from specs.needs import Level, asker_of, fit_of, read
from specs.wording import lack, title_of

NAME = "feature-fit"
OBSERVER = "specs"

_OF_SPEC = ("spec", "version")  # the parts of the inputs that are no fact's


def targets(_account: Account) -> list[str]:
    """Every spec in force is judged for every account, in one query."""
    return list(SpecVersion.objects.active().values_list("spec_id", flat=True))


def inputs(target: Target, reading: Reading) -> Inputs | Missing:
    """The document in force and what is stored at the refs its needs rest on, in two queries."""
    version = SpecVersion.objects.active().filter(spec=target.name).first()
    if version is None:  # retired a moment ago; its targets are about to go
        return Missing()
    needs = read(version.said)
    facts = reading.at(*refs_of(needs))
    parts: Inputs = {"spec": {"id": target.name, **version.said}, "version": version.number}
    for ref, fact in facts.items():
        seen = view(fact, now=reading.now)
        parts[str(ref)] = [seen.value, seen.stale, seen.failure, seen.refuted]
    return parts


def build(inputs: Inputs) -> Built:
    """The verdict, beside what a reader of it needs: the title, what is lacking, what is asked."""
    document = inputs["spec"]
    facts = {
        Ref.parse(part): FactView(*seen) for part, seen in inputs.items() if part not in _OF_SPEC
    }
    judgement = judge(read(document), facts)
    return {
        (None, fit_of(document["id"])): {
            "title": title_of(document),
            **judgement.as_json(),
            "lacks": lacks_of(judgement),
            "asks": [str(ref) for ref in judgement.asks],
        }
    }


def lacks_of(judgement: Judgement) -> list[str]:
    """What the account lacks, in words: of unmet needs, the REQUIRED before the IMPROVES."""
    unmet = [judged.need for judged in judgement.needs if judged.state is State.UNMET]
    ordered = [
        need for level in (Level.REQUIRED, Level.IMPROVES) for need in unmet if need.level is level
    ]
    return list(dict.fromkeys(lack(need) for need in ordered))


def target_of(ref: Ref, _person: str | None) -> str | None:
    """The spec whose verdict stands at ``ref``, if it is in force."""
    (spec_id,) = ref.parts[:1]
    if ref.kind != "feature-fit" or ref != fit_of(spec_id):
        return None
    return spec_id if SpecVersion.objects.active().filter(spec=spec_id).exists() else None


def ask_for_evidence(account: Account, facts: list[Fact], now: datetime, **_sent: Any) -> None:
    """Request what new verdicts ask for, once they are stored.

    After the commit: here the verdicts are locked, and facts are locked before what rests on them.
    """
    for fact in facts:
        if fact.kind != NAME or not fact.value or not (asks := fact.value.get("asks")):
            continue
        refs, by = [Ref.parse(ref) for ref in asks], asker_of(fact.ref.parts[0])
        transaction.on_commit(partial(store.request_many, account, refs, by=by, now=now))


FEATURE_FIT = Derivation(
    name=NAME,
    version="2",
    owner=OBSERVER,
    targets=targets,
    inputs=inputs,
    build=build,
    demand=lambda _target: 1,
    target_of=target_of,
)
