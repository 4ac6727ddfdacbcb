"""The fuzzer finds faults that are planted in the rules, so that its silence says something."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from facts.answers import containment, domains, joining, literals, predicates, selects, unreadable
from facts.answers.constants import Constant
from facts.answers.schema import Hop
from tests.facts.answers.fuzzing import breaking, making, shadowing
from tests.facts.answers.fuzzing.running import run

Plant = Callable[[pytest.MonkeyPatch], None]


def _arguments_are_not_read(patch: pytest.MonkeyPatch) -> None:
    for module in (unreadable, predicates, selects, literals):
        patch.setattr(module, "only", lambda *_: None)


def _unknown_counts_as_false(patch: pytest.MonkeyPatch) -> None:
    def negated(self: domains.Truth) -> domains.Truth:
        return domains.Truth(self.type, self.axis, self.true.complement(), self.true)

    patch.setattr(domains.Truth, "negated", negated)


def _outer_joins_are_inner(patch: pytest.MonkeyPatch) -> None:
    def promote(pattern: Any) -> None:
        for node in pattern.nodes:
            node.group = None
        for group in pattern.groups:
            pattern.said += group.said

    patch.setattr(joining, "_promote", promote)


def _no_join_repeats(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Hop, "is_to_one", lambda self, *, forward: True)


def _any_condition_needs_its_record(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(joining, "_needed_by", lambda said: {ref[0] for ref in said.refs})


def _conditions_that_cannot_be_compared_prove_nothing_wrong(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(containment, "_judge_opaque", lambda wanted, found, findings: None)


def _times_are_whole_days(patch: pytest.MonkeyPatch) -> None:
    from facts.answers import constants

    def timestamp(constant: Constant) -> tuple[str, Any]:
        axis, point = constants._timestamp(constant)
        return axis, point if axis else point // constants._DAY

    patch.setitem(constants._PLACES, "timestamp", timestamp)


def _null_in_a_list_does_not_matter(patch: pytest.MonkeyPatch) -> None:
    one_of = domains.one_of

    def without_null(type_: str, some: Any) -> domains.Truth:
        return one_of(type_, [one for one in some if one is not domains.NULL])

    patch.setattr(domains, "one_of", without_null)


def _filled_values_are_records(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(containment, "_is_filled", lambda ref, key, found: True)


def _any_limit_will_do(patch: pytest.MonkeyPatch) -> None:
    judge_shape = containment._judge_shape

    def judged(asked: Any, found: Any, findings: Any) -> None:
        judge_shape(asked, {**found, "limit": asked.limit}, findings)

    patch.setattr(containment, "_judge_shape", judged)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "plant",
    [
        _arguments_are_not_read,
        _unknown_counts_as_false,
        _outer_joins_are_inner,
        _no_join_repeats,
        _any_condition_needs_its_record,
        _conditions_that_cannot_be_compared_prove_nothing_wrong,
        _times_are_whole_days,
        _null_in_a_list_does_not_matter,
        _filled_values_are_records,
        _any_limit_will_do,
    ],
    ids=lambda plant: plant.__name__,
)
def test_a_planted_fault_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    plant(monkeypatch)

    figures = run(connection.connection, seed=5, number=8_000, until_found=True)

    assert figures.unsound or figures.unstated


def test_every_breaker_is_used() -> None:
    named = {name for name in vars(breaking) if name.startswith("_") and name != "_some"}
    used = {breaker.__name__ for breaker in breaking.BREAKERS}

    assert used >= {name for name in named if callable(vars(breaking)[name])} - {
        "_fk",
        "__loader__",
    }
    assert set(shadowing.SHADOWS) <= set(breaking.BREAKERS)
    assert making.stored_for
