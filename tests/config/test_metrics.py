import urllib.request

import pytest
from django.core.cache import cache
from prometheus_client.parser import text_string_to_metric_families

from tests.facts.observing import observe
from tests.processes import without_database
from tests.served import site


@pytest.fixture(autouse=True)
def nothing_counted(db):
    cache.delete("figures")


def read(text):
    """The value of each sample by its name and labels."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def metrics(client, **headers):
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=")
    return read(answer.content.decode())


def test_what_the_database_holds_is_told_without_names(acme, client):
    observe(acme)
    observe(acme, "data:label:Carrier", outcome="failed", failure="42501")
    text = client.get("/metrics").content.decode()
    told = read(text)

    assert told["ken_database",] == 1
    assert told["ken_facts", ("namespace", "data"), ("state", "measured")] == 1
    assert told["ken_failures", ("code", "42501"), ("of", "facts")] == 1
    assert told["ken_queued_tasks",] == 0
    assert "acme" not in text
    assert "Carrier" not in text


def test_requests_are_counted_by_method_route_and_status(client, acme):
    place = (("method", "GET"), ("route", "api/v1/facts"), ("status", "401"))
    odd = (("method", "OTHER"), ("route", "no route"), ("status", "404"))
    before = metrics(client)
    for _ in range(3):
        client.get("/api/v1/facts?prefix=data:")
        client.generic(f"JANE{_}", f"/jane/{_}")
    after = metrics(client)

    for labels in (place, odd):
        name = ("ken_requests_total", *labels)
        assert after[name] - before.get(name, 0) == 3
        timed = ("ken_request_seconds_count", *labels[:2])
        assert after[timed] - before.get(timed, 0) == 3
    assert not any("jane" in str(name).casefold() for name in after)


def test_a_scrape_costs_a_bounded_number_of_queries(
    client, acme, django_assert_num_queries, django_assert_max_num_queries
):
    for number in range(20):
        observe(acme, f"data:label:Table{number}")
    with django_assert_max_num_queries(12):  # six that count, and what keeps the answer
        metrics(client)
    with django_assert_num_queries(1):
        metrics(client)


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("127.8.8.8", {}, 200),
        ("::1", {}, 200),
        ("10.0.0.7", {}, 403),
        ("", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("127.0.0.1", {"Forwarded": "for=127.0.0.1"}, 403),
    ],
)
def test_without_a_token_they_are_for_this_machine(address, headers, status, client):
    answer = client.get("/metrics", headers=headers, REMOTE_ADDR=address)

    assert answer.status_code == status
    if status == 403:
        assert answer.content == (
            b"metrics are for this machine; set METRICS_TOKEN to read them from another\n"
        )


def test_behind_tls_another_machine_may_look_like_this_one(client, settings):
    settings.SECURE = True

    assert client.get("/metrics").status_code == 403


def test_with_a_token_whoever_sends_it_reads_them(client, settings):
    settings.METRICS_TOKEN = "ab-1"

    right = client.get("/metrics", REMOTE_ADDR="10.0.0.7", headers={"Authorization": "Bearer ab-1"})
    assert (right.status_code, b"ken_facts" in right.content) == (200, True)
    for wrong in ("", "Bearer ", "Bearer ab", "Bearer söme", "ab-1"):
        answer = client.get("/metrics", headers={"Authorization": wrong})
        assert (answer.status_code, answer.content) == (401, b"")
        assert answer["WWW-Authenticate"] == 'Bearer realm="metrics"'


def test_a_site_without_its_database_tells_so_and_what_it_answered():
    ask = "client.get('/healthz')\nprint(client.get('/metrics').content.decode())\n"
    done = without_database(ask)
    told = read(done.stdout)

    assert told["ken_database",] == 0
    assert told["ken_requests_total", ("method", "GET"), ("route", "healthz"), ("status", "200")]
    assert not any(name[0] == "ken_facts" for name in told)


@pytest.mark.django_db(transaction=True)
def test_two_processes_tell_the_same_of_the_database_and_each_its_own_requests(acme, tmp_path):
    observe(acme)

    def asked(url):
        with urllib.request.urlopen(f"{url}/metrics", timeout=30) as answer:
            return read(answer.read().decode())

    with site(tmp_path / "one") as one, site(tmp_path / "two") as two:
        for _ in range(3):
            urllib.request.urlopen(f"{one}/accounts/login/", timeout=30).close()
        first, second = asked(one), asked(two)

    here = {"ken_requests_total", "ken_request_seconds_count", "ken_request_seconds_sum"}
    shared = {
        name: value
        for name, value in first.items()
        if name[0].startswith("ken_") and name[0] not in here | {"ken_request_seconds_bucket"}
    }
    assert shared["ken_facts", ("namespace", "data"), ("state", "measured")] == 1
    assert {name: second[name] for name in shared} == shared
    login = (
        "ken_requests_total", ("method", "GET"), ("route", "accounts/login/"), ("status", "200")
    )  # fmt: skip
    assert first[login] == 3
    assert login not in second
