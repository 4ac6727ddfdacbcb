"""Take in what the product tells of accounts: their integrations and their plans."""

import json
from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction
from django.utils import timezone

from facts import intake
from facts.commands import KenCommand, text_of
from facts.errors import BadIntake
from facts.models import Account
from facts.wording import counted

_FIELDS = {"name", "category", "healthy", "last_succeeded"}


class Command(KenCommand):
    help = "Take in integrations and plan features of accounts, all of a file or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", help='{account: {"integrations": [{name, category, healthy}], "plan": [...]}}'
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        told, now = _read(text_of(options["file"])), timezone.now()
        with self.telling_new_accounts(), transaction.atomic():
            for external_id, said in told.items():
                account, _ = Account.objects.get_or_create(external_id=external_id)
                if "integrations" in said:
                    states = [_state(each, external_id) for each in said["integrations"]]
                    intake.set_integrations(account, states, now=now)
                if "plan" in said:
                    intake.set_plan(account, said["plan"], now=now)
        self.stdout.write(f"{counted(len(told), 'account')} told")


def _read(text: str) -> dict[str, dict[str, Any]]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise BadIntake("the file is no JSON") from None
    if not isinstance(told, dict):
        raise BadIntake("the file is an object of accounts by their ids")
    for external_id, said in told.items():
        if not external_id or len(external_id) > 200:
            raise BadIntake("an account's id is a text of up to 200 characters")
        if not isinstance(said, dict) or set(said) - {"integrations", "plan"}:
            raise BadIntake(f"{external_id!r} has integrations and plan, and nothing else")
        if not all(isinstance(part, list) for part in said.values()):
            raise BadIntake(f"{external_id!r}: integrations and plan are lists")
        if not all(isinstance(feature, str) for feature in said.get("plan", [])):
            raise BadIntake(f"{external_id!r}: the features of a plan are texts")
    return told


def _state(said: Any, external_id: str) -> intake.IntegrationState:
    fault = f"{external_id!r}: an integration has a name, a category and healthy, true or false"
    if not isinstance(said, dict) or set(said) - _FIELDS:
        raise BadIntake(fault)
    texts = [said.get("name"), said.get("category")]
    if not all(isinstance(text, str) for text in texts) or not isinstance(
        said.get("healthy"), bool
    ):
        raise BadIntake(fault)
    at = said.get("last_succeeded")
    try:
        last = None if at is None else datetime.fromisoformat(at)
    except (TypeError, ValueError):
        raise BadIntake(f"{external_id!r}: last_succeeded is a time with a zone") from None
    return intake.IntegrationState(
        name=said["name"], category=said["category"], healthy=said["healthy"], last_succeeded=last
    )
