import json
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from facts import heartbeat
from tests.processes import without_database

NOT_READY = {"database": True, "migrations": True, "workers": False}


def asked(client, path):
    answer = client.get(path)
    return answer.status_code, answer.json()


def test_a_process_that_answers_is_alive_and_asks_the_database_nothing(
    client, django_assert_num_queries, db
):
    with django_assert_num_queries(0):
        assert asked(client, "/healthz") == (200, {"alive": True})


@pytest.mark.django_db
def test_the_site_is_ready_while_its_workers_hearts_beat(client):
    now = timezone.now()
    assert asked(client, "/readyz") == (503, NOT_READY)

    heartbeat.beat(heartbeat.QUEUE, now=now - timedelta(minutes=4))
    assert asked(client, "/readyz") == (503, NOT_READY)

    heartbeat.beat(heartbeat.QUEUE, now=now)
    assert asked(client, "/readyz") == (200, {**NOT_READY, "workers": True})


@pytest.mark.django_db
def test_the_site_is_not_ready_before_the_database_is_of_its_version(client):
    heartbeat.beat(heartbeat.QUEUE, now=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'readiness'")
        assert cursor.rowcount or _forget_one_of_facts(cursor)

    assert asked(client, "/readyz") == (
        503, {"database": True, "migrations": False, "workers": False},
    )  # fmt: skip


def _forget_one_of_facts(cursor):
    cursor.execute(
        "DELETE FROM django_migrations WHERE id IN"
        " (SELECT max(id) FROM django_migrations WHERE app = 'facts')"
    )
    return cursor.rowcount


@pytest.mark.django_db
def test_a_site_without_its_database_is_alive_and_not_ready():
    ask = (
        "import json, django; django.setup()\n"
        "from django.test import Client\n"
        "client = Client(headers={'host': 'localhost'})\n"
        "for path in ('/healthz', '/readyz'):\n"
        "    answer = client.get(path)\n"
        "    print(json.dumps([answer.status_code, answer.json()]))\n"
    )
    done = without_database(ask)

    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        [200, {"alive": True}],
        [503, {"database": False, "migrations": False, "workers": False}],
    ]
    assert "hidden" not in done.stderr


def test_probes_may_come_by_http_where_the_site_is_served_through_tls(client, settings, db):
    settings.SECURE_SSL_REDIRECT = True

    assert client.get("/healthz").status_code == 200
    assert client.get("/admin/").status_code == 301
