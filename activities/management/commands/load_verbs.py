import json
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone
from tqdm import tqdm

from activities import sessions, verbs
from activities.documents import Registry
from facts.commands import KenCommand, text_of


class Command(KenCommand):
    help = "Replace the registry of verbs: which action is which verb, and how verbs rank."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help='{"verbs": [...], "actions": {...}}')
        parser.add_argument(
            "--dry-run", action="store_true", help="only print whose activities would change"
        )
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, file: str, dry_run: bool, as_json: bool, **_options: Any) -> None:
        registry = Registry.parse(text_of(file))
        if dry_run:
            self.preview(registry, as_json=as_json)
        else:
            self.replace(registry, as_json=as_json)

    def replace(self, registry: Registry, *, as_json: bool) -> None:
        moved = verbs.accounts_moved_by(registry)
        version = verbs.replace(registry, now=timezone.now())
        for account in tqdm(moved, unit=" accounts", disable=None):
            sessions.bring_up_to_date(account)
        told = {
            "version": version,
            "verbs": len(registry.verbs),
            "actions": len(registry.actions),
            "accounts": len(moved),
        }
        self.stdout.write(
            json.dumps(told)
            if as_json
            else "Registry {version} is in force: {verbs} verbs, {actions} actions. "
            "{accounts} accounts have new sessions.".format(**told)
        )

    def preview(self, registry: Registry, *, as_json: bool) -> None:
        now = timezone.now()
        for account in tqdm(verbs.accounts_moved_by(registry), unit=" accounts", disable=None):
            for change in verbs.preview(registry, account, now=now):
                told = {
                    "account": change.account,
                    "person": change.person,
                    "verb": change.verb,
                    "change": "comes" if change.after else "goes",
                }
                self.stdout.write(json.dumps(told) if as_json else "\t".join(told.values()))
