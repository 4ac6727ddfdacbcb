import json
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from facts.commands import KenCommand, account_named
from specs.asking import judge_and_ask
from specs.judging import Judgement
from specs.wording import about


class Command(KenCommand):
    help = "Judge an account against a spec in force, and ask for what would settle it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("spec", metavar="SPEC")
        parser.add_argument("account", metavar="ACCOUNT")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, spec: str, account: str, as_json: bool, **_options: Any) -> None:
        judgement = judge_and_ask(spec, account_named(account), now=timezone.now())
        if as_json:
            self.stdout.write(json.dumps({"spec": spec, **judgement.as_json()}))
        else:
            self.stdout.write(f"{spec} for {account}: {_text(judgement)}")


def _text(judgement: Judgement) -> str:
    lines = [f"{judgement.verdict}, {'usable' if judgement.usable else 'not usable'}"]
    for judged in judgement.needs:
        need = judged.need
        lines.append(f"  {need.level:8}  {judged.state:7}  {about(need)}: {judged.figure}")
    if wants := judgement.wants:
        lines += ["Would settle it:", *(f"  {ref}" for ref in wants)]
    return "\n".join(lines)
