from http import HTTPMethod

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

METHODS = {method.lower() for method in HTTPMethod}


def operations():
    document = SchemaGenerator().get_schema(request=None, public=True)
    return {
        f"{method} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


def examples(content):
    return [example for kind in content.values() for example in kind.get("examples", {}).values()]


def test_every_operation_says_what_it_does():
    silent = [
        name
        for name, operation in operations().items()
        if not operation.get("summary") or not operation.get("description")
    ]

    assert silent == []


def test_every_operation_shows_an_example_of_what_it_takes_and_gives():
    bare = []
    for name, operation in operations().items():
        body = operation.get("requestBody")
        if body and not examples(body["content"]):
            bare.append(f"{name} takes")
        for status, response in operation["responses"].items():
            if "content" in response and not examples(response["content"]):
                bare.append(f"{name} gives {status}")

    assert bare == []


def test_every_operation_has_a_name_of_its_own():
    names = [operation["operationId"] for operation in operations().values()]

    assert len(names) == len(set(names))
    assert {"get_fact", "put_fact", "get_facts", "post_requests_of_person"} <= set(names)


def test_anybody_may_read_the_document(client):
    answer = client.get("/api/v1/schema")

    assert answer.status_code == 200
    assert answer.json()["openapi"] == "3.1.0"
    assert "/api/v1/facts/{ref}" in answer.json()["paths"]


@pytest.mark.parametrize("path", ["/api/v1/docs", "/api/v1/docs?script="])
def test_the_page_to_try_it_loads_nothing_from_a_network(client, path):
    text = client.get(path).content.decode()

    assert "drf_spectacular_sidecar" in text or "script" in path
    assert "https://" not in text
    assert "cdn" not in text


@pytest.mark.parametrize("path", ["/api/v1/schema", "/api/v1/docs", "/api/v1/docs?script="])
def test_somebody_logged_in_may_read_it_too(admin_client, path):
    shown, to_anybody = admin_client.get(path), Client().get(path)

    assert (shown.status_code, to_anybody.status_code) == (200, 200)
    assert shown.headers["Content-Type"] == to_anybody.headers["Content-Type"]
