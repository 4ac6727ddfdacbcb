from datetime import timedelta

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from facts import reads, trust
from facts.errors import BadRef, UnknownKind
from facts.models import Account, Fact, Person
from facts.trust import CutOffs, Evidence, Trust
from tests.facts.observing import DAY, NINE, observe

ages = st.integers(0, 70 * 24).map(lambda hours: timedelta(hours=hours))
events = st.lists(st.tuples(st.booleans(), ages), max_size=8)


def refs(facts):
    return [str(fact.ref) for fact in facts.order_by("pk")]


def evidence_of(happened):
    evidence = Evidence()
    for confirms, age in sorted(happened, key=lambda event: -event[1]):
        add = trust.confirmed if confirms else trust.refuted
        evidence = add(evidence, at=NINE - age, now=NINE - age)
    return evidence


@hypothesis_settings(
    max_examples=60,
    deadline=None,  # the machine's load is no fault of the rule
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    histories=st.lists(events, min_size=1, max_size=12),
    cut_offs=st.sampled_from([settings.TRUST_CUT_OFFS, CutOffs(0.5, 0.8), CutOffs(0.75, 0.86)]),
)
def test_the_database_sorts_facts_by_trust_as_the_one_rule_does(acme, histories, cut_offs):
    Fact.objects.all().delete()
    kept = [evidence_of(history) for history in histories]
    Fact.objects.bulk_create(
        Fact(
            account=acme,
            namespace="data",
            kind="label",
            key=f"T{number}",
            support=evidence.support,
            refute=evidence.refute,
            evidence_at=evidence.at,
            confirmed_at=evidence.confirmed_at,
            refuted_at=evidence.refuted_at,
            refuted=evidence.refuted,
            verified_at=NINE if number % 7 == 6 else None,
        )
        for number, evidence in enumerate(kept)
    )

    for state in Trust:
        found = reads.in_state(acme.facts.all(), state, now=NINE, cut_offs=cut_offs)
        assert sorted(found.values_list("key", flat=True)) == sorted(
            fact.key
            for fact in acme.facts.all()
            if trust.state(
                fact.evidence,
                now=NINE,
                verified=fact.verified_at is not None,
                cut_offs=cut_offs,
            )
            == state
        )


def test_trust_is_read_at_the_moment_asked(acme):
    for day in range(3):
        observe(acme, now=NINE + day * DAY)
    third = NINE + 2 * DAY

    def state_at(moment):
        cut_offs = settings.TRUST_CUT_OFFS
        return [
            state
            for state in Trust
            if reads.in_state(acme.facts.all(), state, now=moment, cut_offs=cut_offs).exists()
        ]

    assert state_at(third) == [Trust.PROVEN]  # C is 1 + 0.952 + 0.906 = 2.857, and 2.2054 needed
    assert state_at(third + 5 * DAY) == [Trust.PROVEN]  # 2.857 * 2^(-5/14) = 2.231
    assert state_at(third + 6 * DAY) == [Trust.BELIEVED]  # 2.123
    assert state_at(third + 28 * DAY) == [Trust.BELIEVED]
    assert state_at(third + 28 * DAY + timedelta(microseconds=1)) == [Trust.STALE]


def test_a_prefix_may_end_anywhere_in_a_ref(acme):
    for ref in ("data:label:Order", "data:label:OrderLine", "data:hop:Order|HAS|OrderLine"):
        observe(acme, ref)

    def found(prefix):
        return refs(reads.under(acme.facts.all(), prefix))

    assert found("data:label:Order") == ["data:label:Order", "data:label:OrderLine"]
    assert found("data:hop:Order|") == ["data:hop:Order|HAS|OrderLine"]
    assert found("data:ho") == ["data:hop:Order|HAS|OrderLine"]
    assert len(found("data:")) == len(found("da")) == 3
    assert found("data:fill:") == []


@pytest.mark.parametrize("prefix", ["data:hpo:", "data:hpo", "data:ho:Order", "user:label:"])
def test_a_prefix_of_a_kind_nobody_observes_is_refused(acme, prefix):
    with pytest.raises(UnknownKind, match="the kinds are"):
        reads.under(acme.facts.all(), prefix)


@pytest.mark.parametrize("prefix", ["dta:", "x", "secret:label:"])
def test_a_prefix_of_no_ref_is_refused(acme, prefix):
    with pytest.raises(BadRef):
        reads.under(acme.facts.all(), prefix)


def test_a_reader_of_an_account_sees_no_persons_facts_and_a_persons_reader_only_theirs(
    acme, globex, alice, monkeypatch
):
    monkeypatch.setattr(
        "facts.owners._owners", {("user", "label"): "probe", ("data", "label"): "probe"}
    )
    bob = Person.objects.create(account=acme, external_id="bob")
    observe(acme)
    observe(globex, "data:label:Secret")
    observe(acme, "user:label:refunding", person=alice)
    observe(acme, "user:label:pricing", person=bob)

    assert refs(reads.within_reach(acme, None)) == ["data:label:Order"]
    assert refs(reads.within_reach(acme, alice)) == ["data:label:Order", "user:label:refunding"]


def test_facts_are_chosen_by_the_age_of_their_value(acme):
    observe(acme, "data:label:Old", now=NINE - 3 * DAY)
    observe(acme, "data:label:New", now=NINE)
    Fact.objects.create(account=acme, namespace="data", kind="label", key="Never")

    def found(**ages):
        return refs(reads.measured(Account.objects.get().facts.all(), now=NINE, **ages))

    assert found(older_than=DAY) == ["data:label:Old"]
    assert found(newer_than=DAY) == ["data:label:New"]
    assert found(older_than=DAY, newer_than=4 * DAY) == ["data:label:Old"]
