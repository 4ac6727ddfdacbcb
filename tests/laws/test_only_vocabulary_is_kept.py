"""Law 11. The guard runs at write and at load, in the field, so that no path gets round it."""

import json

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.forms import modelform_factory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facts.models import Fact, Observation
from facts.refs import Ref
from tests.facts.observing import DAY, NINE, observe, stored

STATUS = Ref.of("data", "vocabulary", "Order", "status")
SHIPPED = {"value": "shipped", "records": 412}
ADDRESS = {"value": "ann@example.com", "records": 9}


def vocabulary(*entries, of="Order|status", **more):
    return {"of": of, "type": "text", "values": list(entries), "more": 0, **more}


KEPT = vocabulary(SHIPPED, dropped={"email": 1})


def insert_raw(account, value, *, key="Order|status"):
    """A row as it was written by something that knew no guard."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO facts_fact (account_id, namespace, kind, key, value, digest, version,
                failure, refuted, support, refute, built_from, built_by)
            VALUES (%s, 'data', 'vocabulary', %s, %s, '', 1, '', false, 1, 0, '', '')
            """,
            [account.pk, key, json.dumps(value)],
        )


def raw_values():
    """What stands in the table, not what the field makes of it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT value::text FROM facts_fact")
        return [row[0] for row in cursor.fetchall()]


def test_what_the_owner_observes_is_stored_without_what_must_not_be_kept(acme):
    observe(acme, STATUS, vocabulary(SHIPPED, ADDRESS))

    assert [json.loads(row) for row in raw_values()] == [KEPT]
    assert stored(acme, STATUS).value == KEPT


def write_through_a_form(fact):
    """As the admin does."""
    form_class = modelform_factory(Fact, fields=["value"])
    form = form_class({"value": json.dumps(fact.value)}, instance=fact)
    assert form.is_valid(), form.errors
    form.save()


PATHS = {
    "save": lambda fact: fact.save(),
    "update_fields": lambda fact: fact.save(update_fields=["value"]),
    "bulk_update": lambda fact: Fact.objects.bulk_update([fact], ["value"]),
    "update": lambda fact: Fact.objects.filter(pk=fact.pk).update(value=fact.value),
    "update_or_create": lambda fact: Fact.objects.update_or_create(
        pk=fact.pk, defaults={"value": fact.value}
    ),
    "bulk_create": lambda fact: Fact.objects.bulk_create(
        [fact], update_conflicts=True, update_fields=["value"], unique_fields=["pk"]
    ),
    "form": write_through_a_form,
}


@pytest.mark.parametrize("write", PATHS.values(), ids=PATHS)
def test_no_path_of_the_orm_stores_an_address(acme, write):
    fact = Fact.objects.create(
        account=acme, namespace="data", kind="vocabulary", key="Order|status", value=vocabulary()
    )
    fact.value = vocabulary(SHIPPED, ADDRESS)

    write(fact)

    assert [json.loads(row) for row in raw_values()] == [KEPT]


def test_no_row_is_created_with_an_address_in_bulk(acme):
    facts = [
        Fact(
            account=acme,
            namespace="data",
            kind="vocabulary",
            key=f"Order|status{n}",
            value=vocabulary(SHIPPED, ADDRESS, of=f"Order|status{n}"),
        )
        for n in range(3)
    ]

    Fact.objects.bulk_create(facts)

    assert "example.com" not in "".join(raw_values())


def test_an_instance_that_was_saved_holds_what_was_kept(acme):
    fact = Fact.objects.create(
        account=acme,
        namespace="data",
        kind="vocabulary",
        key="Order|status",
        value=vocabulary(SHIPPED, ADDRESS),
    )

    assert fact.value == KEPT


def test_a_row_from_before_the_rule_is_loaded_without_what_must_not_be_kept(acme):
    insert_raw(acme, vocabulary(SHIPPED, ADDRESS))

    assert Fact.objects.get().value == KEPT
    assert list(Fact.objects.values_list("value", flat=True)) == [KEPT]
    assert [fact.value for fact in Fact.objects.raw("SELECT * FROM facts_fact")] == [KEPT]


@pytest.mark.parametrize(
    "value",
    [
        {"of": "Order|status", "values": [SHIPPED]},
        {"of": "Order|status", "type": "text", "values": [{"value": "shipped"}]},
        {"of": "Order|status", "type": "word", "values": [SHIPPED]},
        {"of": "Order|status", "type": "text", "values": ["shipped"]},
        {"of": "Order|status", "type": "text", "values": "shipped"},
        {"of": "Order|status", "words": ["shipped"]},
    ],
)
def test_a_row_without_the_context_the_guard_needs_is_withheld(acme, value):
    insert_raw(acme, value)

    loaded = Fact.objects.get().value
    assert loaded["values"] == []
    assert "shipped" not in json.dumps(loaded)


def test_a_part_of_a_vocabulary_is_not_loaded_without_the_rest(acme):
    insert_raw(acme, vocabulary(SHIPPED, ADDRESS))

    parts = Fact.objects.values_list("value__values", "value__values__0", "value__values__0__value")
    assert list(parts) == [(None, None, None)]
    assert list(Fact.objects.values_list("value__more", "value__of")) == [(0, "Order|status")]


@pytest.mark.parametrize(
    "value",
    [
        {"values": [SHIPPED]},
        {"of": "Customer|country", "type": "text", "values": [SHIPPED]},
        {"of": ["Order|status"], "values": [SHIPPED]},
        {"of": None, "values": [SHIPPED]},
        {"absent": 1, "values": [SHIPPED]},
        {"absent": False},
        ["absent", "shipped"],
        "shipped",
    ],
)
def test_the_database_refuses_a_vocabulary_that_does_not_say_of_what(acme, value):
    with pytest.raises(IntegrityError, match="vocabulary_says_of_what"), transaction.atomic():
        insert_raw(acme, value)

    assert not Fact.objects.exists()


def test_absent_is_all_that_an_absent_vocabulary_says(acme):
    insert_raw(acme, {"absent": True, "values": [ADDRESS], "was": "shipped"})

    assert Fact.objects.get().value == {"absent": True}


def test_figures_of_the_history_pass_the_guard_too(acme):
    observe(acme, STATUS, vocabulary(SHIPPED), figures={"most": "ann@example.com", "distinct": 5})

    assert Observation.objects.get().figures == {"most": "(withheld: email)", "distinct": 5}
    with connection.cursor() as cursor:
        cursor.execute("SELECT figures::text FROM facts_observation")
        assert "ann@" not in cursor.fetchone()[0]


def test_expressions_are_the_databases_business_and_are_guarded_when_loaded(acme):
    insert_raw(acme, vocabulary(SHIPPED, ADDRESS))
    Fact.objects.update(value=F("value"))

    assert Fact.objects.get().value == KEPT


def test_withheld_today_is_observed_again_without_a_change(acme):
    observe(acme, STATUS, vocabulary(SHIPPED, ADDRESS))
    again = observe(acme, STATUS, vocabulary(SHIPPED, ADDRESS), now=NINE + DAY)

    assert again.digest == stored(acme, STATUS).digest
    assert [row.digest for row in Observation.objects.all()] == [again.digest] * 2


SECRETS = [
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "postgres://app:hunter2@db/shop",
    "Password for the shop: hunter2",
    "4012 8888 8888 1881",
    "DE89 3704 0044 0532 0130 00",
    "-----BEGIN RSA PRIVATE KEY-----",
]
CREDENTIALS = ["password", "apiKey", "Passwort", "mot_de_passe", "пароль", "userpin", "geheim"]
WORD = {"value": "Sommer", "records": 9}

around = st.text(st.characters(categories=["L", "Nd", "Zs"]), max_size=10)
secrets = st.builds(
    lambda before, secret, after: {"value": f"{before} {secret} {after}", "records": 9},
    around,
    st.emails() | st.sampled_from(SECRETS),
    around,
)
types = st.sampled_from(["text", "enum", "other"])


def loaded_and_written(account, document):
    """The values of ``document`` as they are loaded from a raw row, and as they are written."""
    Fact.objects.all().delete()
    insert_raw(account, document, key=document["of"])
    fact = Fact.objects.get()
    yield fact.value["values"]
    fact.value = document
    fact.save()
    yield json.loads(raw_values()[0])["values"]
    Fact.objects.update(value=document)
    yield json.loads(raw_values()[0])["values"]


with_a_database = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@with_a_database
@given(st.lists(secrets, max_size=4), types)
def test_whatever_stands_around_it_no_secret_is_loaded_or_written(acme, entries, type):
    document = vocabulary(*entries, WORD, type=type, of="Thing|label")

    assert list(loaded_and_written(acme, document)) == [[WORD]] * 3


@with_a_database
@given(st.sampled_from(CREDENTIALS), st.text(max_size=10), types)
def test_nothing_is_loaded_or_written_under_a_credentials_name(acme, name, value, type):
    entry = {"value": value.replace("\0", ""), "records": 9}
    document = vocabulary(entry, WORD, type=type, of=f"Thing|{name}")

    assert list(loaded_and_written(acme, document)) == [[]] * 3


@with_a_database
@given(st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=12), secrets)
def test_no_secret_is_loaded_or_written_whatever_the_name(acme, name, entry):
    document = vocabulary(entry, of=f"Thing|{name}")

    assert list(loaded_and_written(acme, document)) == [[]] * 3
