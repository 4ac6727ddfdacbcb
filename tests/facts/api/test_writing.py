import json

import pytest
from django.utils import timezone

from facts.api.parsing import BODY_LIMIT
from facts.models import Fact, Observation
from tests.facts.observing import DAY, NINE, ORDERS, observe, stored
from tests.facts.program import problem, program

FROM = "2026-03-02T09:00:00Z"


def line(name, version=0, **told):
    return {"ref": f"data:label:{name}", "version": version, "value": {"count": 1}, **told}


def run(*lines, measured_from=FROM, **more):
    return {"measured_from": measured_from, "measurements": list(lines), **more}


def errors(answer):
    return [(error["pointer"], error["detail"]) for error in problem(answer)["errors"]]


def test_an_observation_makes_a_fact_and_the_next_one_moves_it(acme, prober):
    first = prober.observe("data:label:Order", 0, value={"count": 830}, figures={"count": 830})
    second = prober.observe("data:label:Order", 1, value={"count": 831})

    assert (first.status_code, first["ETag"]) == (201, '"1"')
    assert (second.status_code, second["ETag"]) == (200, '"2"')
    assert "value" not in second.json()  # which was sent
    fact = stored(acme)
    assert (fact.value, fact.version, fact.measured_from) == ({"count": 831}, 2, NINE)
    assert [line.by for line in fact.history.all()] == ["probe", "probe"]


def test_the_tag_of_a_read_is_the_tag_to_write_with(acme, prober):
    observe(acme)
    tag = prober.get("facts/data:label:Order")["ETag"]
    body = {"value": {"count": 9}, "measured_from": FROM}

    assert prober.put("facts/data:label:Order", body, If_Match=tag).status_code == 200
    assert prober.put("facts/data:label:Order", body, If_Match=tag).status_code == 412


def test_a_failed_reading_keeps_the_value_and_says_why(acme, prober):
    observe(acme, value={"count": 5})

    answer = prober.observe("data:label:Order", 1, outcome="failed", failure="42501")

    assert (answer.json()["failing"], answer.json()["failure"]) == (True, "42501")
    assert stored(acme).value == {"count": 5}


def test_without_a_version_nothing_is_written(prober):
    body = {"value": 1, "measured_from": FROM}

    assert problem(prober.put("facts/data:label:Order", body))["status"] == 428
    for tag in ("*", "7", '"x"', '"1", "2"', '"99999999999999999999"'):
        details = problem(prober.put("facts/data:label:Order", body, If_Match=tag))
        assert [error["header"] for error in details["errors"]] == ["If-Match"], tag
    assert not Fact.objects.exists()


@pytest.mark.parametrize(
    ("told", "pointer"),
    [
        ({"vlaue": 1}, "/vlaue"),
        ({"outcome": "measured"}, "/outcome"),
        ({"measured_from": "2026-03-02T09:00:00"}, "/measured_from"),  # no zone
        ({"measured_from": "2026-02-30T09:00:00Z"}, "/measured_from"),
        ({"measured_from": "0001-01-01T00:00:00+14:00"}, "/measured_from"),  # before year 1
        ({"measured_from": 1}, "/measured_from"),
        ({"failure": "x" * 41}, "/failure"),
        ({"failure": ["x"]}, "/failure"),
        ({"account": "globex"}, "/account"),
        ({"person": "bob"}, "/person"),
    ],
)
def test_a_field_that_is_wrong_is_named(prober, told, pointer):
    answer = prober.observe("data:label:Order", 0, **told)

    assert [at for at, _ in errors(answer)] == [pointer]
    assert not Fact.objects.exists()


@pytest.mark.parametrize(
    "told",
    [
        {"value": None},  # confirmed without a value
        {"outcome": "failed"},  # failed without a code
        {"failure": "42501"},  # a code without a failure
        {"outcome": "failed", "failure": "permission denied for alice"},  # a message
        {"measured_from": "2999-01-01T00:00:00Z"},
    ],
)
def test_an_impossible_measurement_is_refused(prober, told):
    details = problem(prober.observe("data:label:Order", 0, **told))

    assert (details["status"], details["type"]) == (400, "/problems/bad-measurement")
    assert "alice" not in json.dumps(details)
    assert not Fact.objects.exists()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", "invalid"),
        ("{", "parse-error"),
        (b'{"value": "\xff"}', "parse-error"),
        ('{"value": 1, "value": 2}', "parse-error"),
        ('{"value": NaN}', "parse-error"),
        ('{"value": 1e999}', "parse-error"),
        ('{"value": ' + "9" * 5000 + "}", "parse-error"),
        ("[" * 100_000, "parse-error"),
        ('{"value": "a\\u0000b"}', "parse-error"),
        ('{"figures": {"a\\ud800": 1}}', "parse-error"),
        ("[]", "invalid"),
        ('"text"', "invalid"),
        ("null", "invalid"),
    ],
)
def test_a_body_that_is_no_storable_json_is_refused(prober, body, code):
    answer = prober.put("facts/data:label:Order", body, If_Match='"0"')

    assert problem(answer)["type"] == f"/problems/{code}"
    assert answer.status_code == 400
    assert not Fact.objects.exists()


def test_text_that_only_looks_like_an_escaped_nul_is_kept(acme, prober):
    prober.observe("data:label:Order", 0, value={"path": "C:\\u0000"})

    assert stored(acme).value == {"path": "C:\\u0000"}


def test_a_body_past_the_limit_is_refused_unread(prober):
    body = b'{"value": "' + b"x" * BODY_LIMIT + b'"}'

    answer = prober.put("facts/data:label:Order", body, If_Match='"0"')

    assert (answer.status_code, problem(answer)["type"]) == (413, "/problems/too-large")


def test_a_body_in_another_format_is_refused(prober):
    answer = prober.put("facts/data:label:Order", "x", If_Match='"0"', content_type="text/plain")

    assert (answer.status_code, problem(answer)["type"]) == (
        415,
        "/problems/unsupported-media-type",
    )


def test_a_run_writes_its_lines_and_says_which_lost(acme, prober):
    observe(acme)
    observe(acme, now=NINE + DAY)

    answer = prober.post("facts/observations", run(line("Carrier"), line("Order", 1)))

    assert answer.status_code == 207
    assert answer.json() == {
        "written": 1,
        "conflicts": 1,
        "lines": [
            {"line": 0, "ref": "data:label:Carrier", "status": 200, "version": 1},
            {
                "line": 1,
                "ref": "data:label:Order",
                "status": 409,
                "version": 2,
                "type": "/problems/conflict",
            },
        ],
    }
    assert stored(acme, "data:label:Carrier").value == {"count": 1}
    assert stored(acme).value == {"count": 830}


def test_a_run_may_be_sent_again_and_writes_nothing_twice(acme, prober):
    body = run(line("Order"), line("Carrier"))

    assert prober.post("facts/observations", body).status_code == 200
    again = prober.post("facts/observations", body)

    assert (again.status_code, again.json()["written"], again.json()["conflicts"]) == (207, 0, 2)
    assert Observation.objects.count() == 2


@pytest.mark.parametrize(
    ("bad", "pointer"),
    [
        ({"ref": "dta:label:Order"}, "/measurements/1/ref"),
        ({"ref": 7}, "/measurements/1/ref"),
        ({"version": -1}, "/measurements/1/version"),
        ({"version": "one"}, "/measurements/1/version"),
        ({"version": None}, "/measurements/1/version"),
        ({"version": 2**63}, "/measurements/1/version"),
        ({"account": "globex"}, "/measurements/1/account"),
        ({"value": None}, "/measurements/1"),
        ({"ref": "data:label:Order"}, "/measurements/1"),  # twice in the run
        ({"ref": "data:lable:Order"}, "/measurements/1"),  # a kind nobody observes
        ({"ref": "user:label:x"}, "/measurements/1"),
    ],
)
def test_a_fault_in_a_line_refuses_the_run_and_says_which_line(acme, prober, bad, pointer):
    answer = prober.post("facts/observations", run(line("Order"), line("Carrier", **bad)))

    assert answer.status_code == 400
    assert [at for at, _ in errors(answer)] == [pointer]
    assert not Fact.objects.exists()


def test_every_misshapen_line_is_told_and_no_more_than_a_hundred(prober):
    lines = [line(f"T{number}", version=-1) for number in range(150)]

    details = problem(prober.post("facts/observations", run(*lines)))

    assert (len(details["errors"]), details["more"]) == (100, 50)
    assert details["errors"][99]["pointer"] == "/measurements/99/version"


def test_an_empty_run_and_one_of_too_many_lines_are_refused(prober):
    full = [line(f"T{number}") for number in range(5_001)]

    assert errors(prober.post("facts/observations", run()))[0][0] == "/measurements"
    assert errors(prober.post("facts/observations", run(*full)))[0][0] == "/measurements"
    assert not Fact.objects.exists()


def test_a_run_of_five_thousand_is_written_in_a_few_statements(
    acme, prober, django_assert_max_num_queries
):
    lines = [line(f"T{number}", value={"count": number}) for number in range(5_000)]

    with django_assert_max_num_queries(10):
        answer = prober.post("facts/observations", run(*lines))

    assert answer.json()["written"] == 5_000
    assert stored(acme, "data:label:T4999").value == {"count": 4_999}


def test_requests_are_filed_by_the_tokens_name(acme, reader):
    observe(acme)

    answer = reader.post(
        "facts/requests", {"refs": ["data:label:Order", "data:label:Carrier", "data:label:Order"]}
    )

    assert answer.status_code == 202
    requested = answer.json()["requested"]
    assert [(fact["ref"], fact["version"], fact["open"]) for fact in requested] == [
        ("data:label:Carrier", 0, True),
        ("data:label:Order", 1, True),
    ]
    assert list(Observation.objects.filter(outcome="requested").values_list("by", "count")) == [
        ("crm", 1),
        ("crm", 1),
    ]


def test_one_request_is_answered_with_where_the_fact_stands(acme, reader):
    observe(acme)

    answer = reader.post("facts/requests/data:label:Order")

    assert (answer.status_code, answer.json()["version"], answer.json()["open"]) == (202, 1, True)


@pytest.mark.parametrize(
    ("refs", "pointer"),
    [
        (["data:label:Order", "data:label"], "/refs/1"),
        (["data:label:Order", "data:lable:Order"], "/refs/1"),
        (["data:label:Order", "data:label:anna@example.com"], "/refs/1"),
        ([], "/refs"),
        ("data:label:Order", "/refs"),
        ([f"data:label:T{number}" for number in range(1_001)], "/refs"),
    ],
)
def test_of_requests_with_a_fault_none_is_filed(reader, refs, pointer):
    answer = reader.post("facts/requests", {"refs": refs})

    assert [at for at, _ in errors(answer)] == [pointer]
    assert "anna" not in answer.content.decode()
    assert not Fact.objects.exists()


def test_requests_for_the_account_and_a_person_are_filed_together(acme, alice, monkeypatch):
    monkeypatch.setattr(
        "facts.owners._owners", {("user", "label"): "probe", ("data", "label"): "probe"}
    )
    refs = {"refs": ["data:label:Order", "user:label:refunding"]}

    answer = program(acme).post("people/alice/facts/requests", refs)
    alone = program(acme, name="other").post("facts/requests", refs)

    assert [(fact["ref"], fact["person"]) for fact in answer.json()["requested"]] == [
        ("data:label:Order", None),
        ("user:label:refunding", "alice"),
    ]
    assert problem(alone)["type"] == "/problems/bad-measurement"
    assert Observation.objects.filter(by="other").count() == 0


def test_a_reader_observes_nothing_and_an_observer_requests_nothing(acme, reader, prober):
    now = timezone.now().isoformat()

    assert reader.observe("data:label:Order", 0, measured_from=now).status_code == 403
    assert reader.post("facts/observations", run(line("Order"))).status_code == 403
    assert prober.post("facts/requests", {"refs": [str(ORDERS)]}).status_code == 403
    assert prober.post(f"facts/requests/{ORDERS}").status_code == 403
    assert not Fact.objects.exists()


def test_an_address_without_anything_is_a_problem_under_the_api_only(client):
    assert problem(client.get("/api/v1/fact"))["type"] == "/problems/not-found"
    assert client.get("/nothing")["Content-Type"].startswith("text/html")


def test_a_method_that_is_not_there_is_refused(reader):
    answer = reader.client.delete("/api/v1/facts/data:label:Order")

    assert (answer.status_code, problem(answer)["type"]) == (405, "/problems/method-not-allowed")
