from datetime import timedelta
from urllib.parse import quote

import pytest
from django.utils import timezone

from facts.models import Fact, Observation, Person
from tests.facts.observing import DAY, NINE, observe, stored
from tests.facts.program import problem, program


def found(answer):
    assert answer.status_code == 200, answer.content
    return [fact["ref"] for fact in answer.json()["results"]]


def test_a_fact_is_read_with_its_value_trust_and_age(acme, reader):
    observe(acme, value={"count": 830})

    answer = reader.get("facts/data:label:Order")

    assert answer.json() == {
        "ref": "data:label:Order",
        "person": None,
        "value": {"count": 830},
        "trust": "stale",  # of months ago
        "failing": False,
        "failure": "",
        "version": 1,
        "measured_at": "2026-03-02T09:00:00Z",
        "requested_at": None,
        "open": False,
    }
    assert answer["Cache-Control"] == "private, no-cache"


def test_a_fact_that_was_only_asked_for_has_no_value_and_version_zero(reader):
    reader.post("facts/requests/data:label:Order")

    fact = reader.get("facts/data:label:Order").json()

    assert (fact["value"], fact["version"], fact["trust"]) == (None, 0, "unknown")
    assert (fact["open"], fact["measured_at"]) == (True, None)


@pytest.mark.parametrize(
    "ref",
    [
        "data:hop:Order|SHIPPED_BY|Carrier",
        "data:label:a/history/b",
        "data:label:50%25 off",
        "data:label:Заказ",
        'data:label:"quoted"?&#',
    ],
)
def test_any_ref_is_read_at_its_percent_encoded_address(acme, reader, ref):
    observe(acme, ref, now=timezone.now())

    assert reader.get(f"facts/{quote(ref, safe='')}").json()["ref"] == ref
    assert found_history(reader, ref) == ["confirmed"]


def found_history(reader, ref):
    answer = reader.get(f"facts/history/{quote(ref, safe='')}")
    return [line["outcome"] for line in answer.json()["results"]]


def test_a_missing_fact_and_a_misspelt_ref_are_told_apart(acme, reader):
    missing = problem(reader.get("facts/data:label:Order"))
    misspelt = problem(reader.get("facts/dta:label:Order"))

    assert (missing["status"], missing["type"]) == (404, "/problems/unknown-ref")
    assert (misspelt["status"], misspelt["type"]) == (400, "/problems/bad-ref")
    assert not Fact.objects.exists()


def test_a_stale_fact_is_served_and_asked_for_in_one_line_a_day(acme, reader):
    observe(acme)
    reader.get("facts/data:label:Order")

    answer = reader.get("facts/data:label:Order")

    assert (answer.json()["value"], answer.json()["open"]) == ({"count": 830}, True)
    asked = Observation.objects.get(outcome="requested")
    assert (asked.by, asked.count) == ("crm", 2)


def test_a_failing_fact_is_asked_for_and_an_absent_one_is_not(acme, reader):
    observe(acme, outcome="failed", failure="42501", now=timezone.now())
    observe(acme, "data:label:Gone", {"absent": True})

    reader.get("facts/data:label:Order")
    reader.get("facts/data:label:Gone")

    assert [str(fact.ref) for fact in acme.facts.open()] == ["data:label:Order"]


def test_a_fresh_fact_is_served_and_not_asked_for(acme, reader):
    observe(acme, now=timezone.now())

    assert reader.get("facts/data:label:Order").json()["trust"] == "believed"
    assert not stored(acme).is_open


def test_a_known_fact_is_not_sent_again_and_its_tag_changes_with_all_that_is_shown(acme, reader):
    observe(acme, now=timezone.now())
    tag = reader.get("facts/data:label:Order")["ETag"]

    again = reader.get("facts/data:label:Order", If_None_Match=f'"0-ab", {tag}')
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)

    reader.post("facts/requests/data:label:Order")  # the version stays, what is shown changes
    asked = reader.get("facts/data:label:Order", If_None_Match=tag)
    assert asked.json()["open"]
    assert tag.startswith('W/"1-')
    assert asked["ETag"].startswith('W/"1-')
    assert asked["ETag"] != tag


def test_a_stale_fact_that_is_asked_for_already_is_known_though_each_read_asks_again(acme, reader):
    observe(acme)
    reader.get("facts/data:label:Order")
    tag = reader.get("facts/data:label:Order")["ETag"]

    assert reader.get("facts/data:label:Order", If_None_Match=tag).status_code == 304
    assert Observation.objects.get(outcome="requested").count == 3


def test_an_unchanged_read_costs_one_query_besides_the_token(
    acme, reader, django_assert_num_queries
):
    observe(acme, now=timezone.now())
    tag = reader.get("facts/data:label:Order")["ETag"]

    with django_assert_num_queries(2):
        assert reader.get("facts/data:label:Order", If_None_Match=tag).status_code == 304


def test_facts_are_listed_by_prefix_kind_trust_failure_requests_and_age(acme, reader):
    now = timezone.now()
    observe(acme, "data:label:Order", now=now - 40 * DAY)
    observe(acme, "data:label:Carrier", now=now - DAY)
    observe(acme, "data:hop:Order|SHIPPED_BY|Carrier", {"reached": 8, "count": 8}, now=now)
    observe(acme, "data:label:Carrier", outcome="failed", failure="42501", now=now)
    reader.post("facts/requests/data:label:Supplier")

    order, carrier, supplier = (f"data:label:{name}" for name in ("Order", "Carrier", "Supplier"))
    hop = "data:hop:Order|SHIPPED_BY|Carrier"
    for query, expected in {
        "": [order, carrier, hop, supplier],
        "prefix=data:label:": [order, carrier, supplier],
        f"prefix={quote('data:hop:Order|')}": [hop],
        "kind=label&trust=stale": [order],
        "trust=believed": [carrier, hop],
        "trust=unknown": [supplier],
        "trust=proven": [],
        "failing=true": [carrier],
        "failing=false": [order, hop, supplier],
        "open=true": [supplier],
        "open=false": [order, carrier, hop],
        "older_than=3600": [order, carrier],
        "newer_than=3600": [hop],
        "older_than=3600&newer_than=172800": [carrier],
    }.items():
        assert found(reader.get(f"facts?{query}")) == expected, query


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("kidn=label", "kidn"),
        ("account=globex", "account"),
        ("person=bob", "person"),
        ("trust=certain", "trust"),
        ("failing=perhaps", "failing"),
        ("older_than=-1", "older_than"),
        ("older_than=1e9", "older_than"),
        ("older_than=99999999999999999999", "older_than"),
        ("page_size=0", "page_size"),
        ("page_size=1001", "page_size"),
        ("cursor=bm9uZQ==", "cursor"),
        ("cursor=cD14", "cursor"),  # p=x
        ("cursor=cD05OTk5OTk5OTk5OTk5OTk5OTk5OQ==", "cursor"),  # beyond a bigint
        ("kind=label&kind=hop", "kind"),
        ("prefix=", "prefix"),
    ],
)
def test_what_a_list_does_not_understand_is_refused_by_name(reader, query, parameter):
    details = problem(reader.get(f"facts?{query}"))

    assert details["type"] == "/problems/invalid"
    assert [error["parameter"] for error in details["errors"]] == [parameter]


@pytest.mark.parametrize("query", ["kind=lable", "prefix=data:lable:", "prefix=data:x"])
def test_a_kind_nobody_observes_is_refused_with_the_kinds_there_are(reader, query):
    details = problem(reader.get(f"facts?{query}"))

    assert details["type"] == "/problems/unknown-kind"
    assert "label" in details["detail"]


def test_pages_follow_one_another_without_a_gap_while_facts_come(acme, reader):
    refs = [f"data:label:T{number}" for number in range(7)]
    for ref in refs[:6]:
        observe(acme, ref)

    first = reader.get("facts?page_size=4").json()
    observe(acme, refs[6])
    second = reader.get(first["next"].removeprefix("http://testserver/api/v1/")).json()
    back = reader.get(second["previous"].removeprefix("http://testserver/api/v1/")).json()

    assert [fact["ref"] for fact in first["results"] + second["results"]] == refs
    assert (first["previous"], second["next"]) == (None, None)
    assert back["results"] == first["results"]


def test_a_list_costs_one_query_however_long_and_files_nothing(
    acme, reader, django_assert_num_queries
):
    for number in range(30):
        observe(acme, f"data:label:T{number}")  # stale by now
    reader.get("facts")

    with django_assert_num_queries(2):  # the token, the page
        assert len(found(reader.get("facts"))) == 30
    assert not acme.facts.open().exists()


def test_a_history_shows_measurements_singly_and_requests_by_day_newest_first(acme, reader):
    observe(acme, value={"count": 1}, figures={"count": 1})
    observe(acme, outcome="failed", failure="57014", now=NINE + timedelta(hours=1))
    for _ in range(3):
        reader.post("facts/requests/data:label:Order")

    lines = reader.get("facts/history/data:label:Order").json()["results"]

    assert [(line["by"], line["outcome"], line["count"]) for line in lines] == [
        ("crm", "requested", 3),
        ("probe", "failed", 1),
        ("probe", "confirmed", 1),
    ]
    assert (lines[1]["failure"], lines[2]["figures"]) == ("57014", {"count": 1})
    assert (lines[2]["first_at"], lines[2]["counted"]) == ("2026-03-02T09:00:00Z", True)


def test_a_long_history_comes_in_pages(acme, reader):
    for minute in range(5):
        observe(acme, value={"count": minute}, now=NINE + timedelta(minutes=minute))

    first = reader.get("facts/history/data:label:Order?page_size=3").json()
    second = reader.get(first["next"].removeprefix("http://testserver/api/v1/")).json()

    times = [line["first_at"][11:16] for line in first["results"] + second["results"]]
    assert times == ["09:04", "09:03", "09:02", "09:01", "09:00"]
    assert problem(reader.get("facts/history/data:label:Order?cursor=cD05"))["status"] == 400  # p=9


def test_an_observer_reads_what_it_writes_and_no_more(acme, prober, monkeypatch):
    kinds = {("data", "label"): "probe", ("account", "plan"): "plan"}
    monkeypatch.setattr("facts.owners._owners", kinds)
    observe(acme)
    observe(acme, "account:plan:features", {"features": []}, by="plan")

    assert found(prober.get("facts")) == ["data:label:Order"]
    assert problem(prober.get("facts/account:plan:features"))["type"] == "/problems/not-permitted"


def test_a_reader_of_the_account_names_a_person_in_the_path(acme, alice, monkeypatch):
    monkeypatch.setattr(
        "facts.owners._owners", {("user", "label"): "probe", ("data", "label"): "probe"}
    )
    bob = Person.objects.create(account=acme, external_id="bob")
    observe(acme)
    now = timezone.now()
    observe(acme, "user:label:refunding", {"sessions": 8}, person=alice, now=now)
    observe(acme, "user:label:refunding", {"sessions": 3}, person=bob, now=now)
    reader, hers = program(acme), program(acme, person=alice, name="hers")
    ref = "facts/user:label:refunding"

    assert found(reader.get("facts")) == ["data:label:Order"]
    assert reader.get(ref).status_code == 404
    assert reader.get(f"people/alice/{ref}").json()["value"] == {"sessions": 8}
    assert reader.get(f"people/bob/{ref}").json()["person"] == "bob"
    assert found(reader.get("people/bob/facts")) == ["data:label:Order", "user:label:refunding"]
    assert hers.get(ref).json() == hers.get(f"people/alice/{ref}").json()
    assert problem(hers.get(f"people/bob/{ref}"))["type"] == "/problems/unknown-person"
    assert problem(reader.get(f"people/carol/{ref}"))["type"] == "/problems/unknown-person"
