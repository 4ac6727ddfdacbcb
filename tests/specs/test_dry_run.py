"""What a version would do, before it is approved."""

import pytest

from facts.models import Account, Fact
from specs import dry_run as dry_running
from specs.dry_run import dry_run
from specs.models import Spec, SpecVersion
from specs.wording import about
from tests.facts.observing import MINUTE, NINE, observe
from tests.specs.loaded import CARRIER, ORDER, load, spec

LATER = NINE + MINUTE


def draft(document: dict) -> SpecVersion:
    Spec.objects.get_or_create(id=document["id"])
    return SpecVersion.objects.create(spec_id=document["id"], number=99, document=document)


def told(result) -> list[tuple]:
    return [
        (
            change.account,
            change.before,
            change.after,
            [about(judged.need) for judged in change.decides],
            [about(judged.need) for judged in change.no_longer],
        )
        for change in result.changes
    ]


def account(name: str, **counts: int) -> Account:
    made = Account.objects.create(external_id=name)
    for label, count in counts.items():
        observe(made, f"data:label:{label}", {"count": count})
    return made


@pytest.mark.django_db
def test_each_account_whose_verdict_changes_is_told_with_the_needs_that_change_it():
    load(spec("a", ORDER | {"minCount": 10}))
    account("improves", Order=5, Carrier=1)
    account("loses", Order=50, Carrier=0)
    account("stays", Order=50, Carrier=1)
    account("unclear", Order=50)

    result = dry_run(draft(spec("a", ORDER, CARRIER)), now=LATER)

    assert told(result) == [
        ("loses", "ready", "not-ready", ["Carrier, at least 1"], []),
        ("unclear", "ready", "unknown", ["Carrier, at least 1"], []),
        ("improves", "not-ready", "ready", [], ["Order, at least 10"]),
    ]
    assert result.accounts == 4
    assert result.table == [
        ("ready", 3, 2),
        ("almost-ready", 0, 0),
        ("unknown", 0, 1),
        ("not-ready", 1, 1),
    ]


@pytest.mark.django_db
def test_the_facts_it_would_request_are_counted_and_those_that_are_new():
    load(spec("a", ORDER))
    account("nothing-known")
    account("orders-known", Order=1)

    result = dry_run(draft(spec("a", ORDER, CARRIER)), now=LATER)

    assert (result.requests, result.new_requests) == (3, 2)


@pytest.mark.django_db
def test_a_spec_that_is_new_has_no_verdict_today():
    account("acme", Order=0)
    result = dry_run(draft(spec("a", ORDER)), now=LATER)
    assert told(result) == [("acme", None, "not-ready", ["Order, at least 1"], [])]


@pytest.mark.django_db
def test_a_need_that_is_unknown_where_it_was_unmet_decides_anew():
    load(spec("a", ORDER))
    account("acme", Order=0)
    result = dry_run(draft(spec("a", CARRIER)), now=LATER)
    assert told(result) == [
        ("acme", "not-ready", "unknown", ["Carrier, at least 1"], ["Order, at least 1"])
    ]


@pytest.mark.django_db
def test_nothing_is_stored_and_nothing_is_requested():
    load(spec("a", ORDER))
    account("acme")
    dry_run(draft(spec("a", CARRIER)), now=LATER)
    assert not Fact.objects.exists()
    assert SpecVersion.objects.get(state="active").number == 1


@pytest.mark.django_db
def test_many_accounts_take_two_queries_a_batch(monkeypatch, django_assert_num_queries):
    load(spec("a", ORDER))
    version = draft(spec("a", ORDER, CARRIER))
    for n in range(7):
        account(f"account-{n}", Order=1)
    monkeypatch.setattr(dry_running, "ACCOUNTS_A_QUERY", 3)

    with django_assert_num_queries(1 + 3 * 2 + 1):  # the version in force, batches, the end
        result = dry_run(version, now=LATER)

    assert (result.accounts, result.after["unknown"]) == (7, 7)
