from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from facts import store
from facts.models import Fact
from facts.refs import Ref
from facts.rows import _moment
from tests.facts.observing import DAY, NINE, ORDERS, observe

ODD = timedelta(microseconds=123_457)


def columns(fact):
    return {field.attname: getattr(fact, field.attname) for field in Fact._meta.concrete_fields}


def test_an_observation_returns_the_row_as_it_stands_then(acme):
    reviewer = User.objects.create_user("rita")
    observe(acme, now=NINE + ODD)
    Fact.objects.update(verified_by=reviewer, verified_at=NINE + ODD, requested_at=NINE + ODD)

    observed = observe(acme, value={"count": 831}, now=NINE + DAY + ODD, built_by="v1")

    assert columns(observed) == columns(Fact.objects.get())
    assert (observed.account, observed.person, observed.verified_by) == (acme, None, reviewer)


def test_an_observed_fact_is_saved_and_deleted_as_any_other(acme):
    fact = observe(acme)

    fact.failure = "42501"
    fact.save()

    assert Fact.objects.get().failure == "42501"
    assert fact == Fact.objects.get()
    fact.refresh_from_db()
    fact.delete()
    assert not Fact.objects.exists()


def test_a_fact_is_read_as_its_model_loads_it(acme, alice, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(
        "facts.owners._owners", {("user", "label"): "probe", ("data", "label"): "probe"}
    )
    observe(acme, value={"count": 1, "contact": "anna@example.com"}, now=NINE + ODD)
    observe(acme, "user:label:refunding", {"sessions": 2}, person=alice)
    hers = Ref.parse("user:label:refunding")

    with django_assert_num_queries(2):
        read, read_hers = store.read(acme, ORDERS), store.read(acme, hers, person=alice)

    assert columns(read) == columns(acme.facts.at(ORDERS).get())
    assert columns(read_hers) == columns(acme.facts.at(hers).get())
    assert "anna" not in str(read.value)
    assert (read_hers.person, store.read(acme, hers)) == (alice, None)


def test_a_read_passes_the_guard_whatever_raw_sql_wrote(acme):
    observe(acme)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("""UPDATE facts_fact SET value = '{"by": "anna@example.com"}'""")

    assert store.read(acme, ORDERS).value == {"by": "(withheld: email)"}


@pytest.mark.parametrize("microseconds", [0, 1, 999_999, 123_457])
def test_a_moment_keeps_its_microseconds(microseconds):
    moment = datetime(2087, 12, 31, 23, 59, 59, microseconds, tzinfo=UTC)

    assert _moment(moment.timestamp()) == moment
