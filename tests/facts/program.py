"""A program that talks to the API with a token, for tests over HTTP."""

import json
from typing import Any
from urllib.parse import quote

from django.test import Client
from django.utils import timezone

from facts import tokens
from facts.models import Account, Person


class Program:
    """Requests to ``/api/v1/`` with a token's text, JSON in and out."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.client = Client(headers={"Authorization": f"Bearer {text}"})

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=_named(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._send("post", path, body, headers)

    def put(self, path: str, body: Any, **headers: str) -> Any:
        return self._send("put", path, body, headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.client.delete(f"/api/v1/{path}", headers=_named(headers))

    def observe(self, ref: str, version: int, **told: Any) -> Any:
        told.setdefault("measured_from", "2026-03-02T09:00:00Z")
        if told.setdefault("outcome", "confirmed") == "confirmed":
            told.setdefault("value", {"count": 830})
        return self.put(f"facts/{quote(ref)}", told, If_Match=f'"{version}"')

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        return getattr(self.client, method)(
            f"/api/v1/{path}",
            data=_encoded(body),
            content_type=headers.pop("content_type", "application/json"),
            headers=_named(headers),
        )


def _encoded(body: Any) -> str | bytes:
    """JSON of a body; None is no body at all."""
    if isinstance(body, str | bytes):
        return body
    return "" if body is None else json.dumps(body)


def program(
    account: Account, *, person: Person | None = None, observer: str = "", name: str = "crm"
) -> Program:
    """A program with a fresh token of the account."""
    _, text = tokens.make(
        account=account, person=person, observer=observer, name=name, now=timezone.now()
    )
    return Program(text)


def problem(answer: Any) -> dict[str, Any]:
    """The problem details of an answer, which must be some."""
    assert answer["Content-Type"] == "application/problem+json"
    details: dict[str, Any] = answer.json()
    assert details["status"] == answer.status_code
    return details


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
