"""Look answers up, propose them, and tell what became of them, from files."""

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import CommandParser
from django.db import transaction
from django.utils import timezone

from facts.answers.asking import Question
from facts.answers.errors import BadOutcome
from facts.answers.locking import standing_of
from facts.answers.looking_up import look_up
from facts.answers.outcomes import record_outcome
from facts.answers.proposing import Proposal, propose
from facts.answers.reviewing import who_is
from facts.answers.serving import REASONS, withheld_because
from facts.answers.who import Who
from facts.commands import KenCommand, account_named, text_of
from facts.errors import KenError, UnreadableFile
from facts.models import Account, Answer
from facts.tokens import demand_name

FIELDS = ("answer", "outcome", "reused")


class UnknownUser(KenError):
    """Nobody logs in by this name."""

    code = "unknown-user"


class Command(KenCommand):
    help = "Look an answer up, propose one, or tell what became of one: a JSON object, or a list."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", choices=sorted(ACTS), help="what to do")
        parser.add_argument("account", metavar="ACCOUNT", help="the product's id of the account")
        parser.add_argument(
            "file",
            metavar="FILE",
            help="lookup: a question {text, things, constraints}; propose: {question, query, "
            "dialect, params}; outcome: {answer, outcome, reused}",
        )
        parser.add_argument("--by", default="command", help="the program that speaks (%(default)s)")
        parser.add_argument("--user", help="who is logged in and speaks, a person: their name here")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    @transaction.atomic
    def handle(self, *_args: Any, **options: Any) -> None:
        account, now = account_named(options["account"]), timezone.now()
        who = _who(options["by"], options["user"])
        for document in _documents(options["file"]):
            told = ACTS[options["act"]](account, document, who, now)
            self.stdout.write(
                json.dumps(told, ensure_ascii=False) if options["json"] else _in_words(told)
            )


def _who(by: str, username: str | None) -> Who:
    if username is None:
        demand_name(by)
        return Who(name=by)
    users = get_user_model()._default_manager
    user = users.filter(**{get_user_model().USERNAME_FIELD: username}, is_active=True).first()
    if user is None:
        raise UnknownUser(f"nobody logs in as {username!r}")
    return who_is(user)


def _documents(file: str) -> list[Any]:
    try:
        found = json.loads(text_of(file))
    except (ValueError, RecursionError) as fault:
        where = f": line {fault.lineno}" if isinstance(fault, json.JSONDecodeError) else ""
        raise UnreadableFile(f"{file} is no JSON{where}") from None
    return found if isinstance(found, list) else [found]


def _look_up(account: Account, document: Any, who: Who, now: datetime) -> dict[str, Any]:
    looked = look_up(account, Question.from_document(document), who=who, now=now)
    return {**asdict(looked), "ref": str(looked.ref)}


def _propose(account: Account, document: Any, who: Who, now: datetime) -> dict[str, Any]:
    found = propose(account, Proposal.from_document(document), who=who, now=now)
    return {**_standing(found.answer, now), "new": found.is_new}


def _outcome(account: Account, document: Any, who: Who, now: datetime) -> dict[str, Any]:
    if not isinstance(document, dict) or set(document) - set(FIELDS):
        raise BadOutcome(f"an outcome is an object of {', '.join(FIELDS)}")
    number, outcome = document.get("answer"), document.get("outcome")
    reused = document.get("reused", False)
    if not isinstance(number, int) or isinstance(number, bool):
        raise BadOutcome("an outcome names its answer by the number that a lookup gave")
    if not isinstance(outcome, str) or not isinstance(reused, bool):
        raise BadOutcome("an outcome is a word, and reused is true or false")
    told = record_outcome(account, number, outcome, who=who, now=now, reused=reused)
    return {**_standing(told.answer, now), "counted": told.counted, "why": told.why}


def _standing(answer: Answer, now: datetime) -> dict[str, Any]:
    standing, cut_offs = standing_of(answer), settings.TRUST_CUT_OFFS
    because = withheld_because(standing, now=now, cut_offs=cut_offs)
    return {
        "answer": answer.pk,
        "ref": str(answer.fact.ref),
        "trust": str(standing.trust(now, cut_offs)),
        "served": not because,
        "reason": because,
    }


ACTS: dict[str, Callable[[Account, Any, Who, datetime], dict[str, Any]]] = {
    "lookup": _look_up,
    "propose": _propose,
    "outcome": _outcome,
}


def _in_words(told: dict[str, Any]) -> str:
    if "verdict" not in told:
        counted = f", {_COUNTED[told['why']]}" if "why" in told else ""
        kept = ", which stood already" if told.get("new") is False else ""
        served = "served" if told["served"] else f"not served: {REASONS[told['reason']]}"
        return f"Answer {told['answer']}{kept}{counted}; {told['trust']}, {served}."
    if told["answer"] is None:
        return f"No answer ({told['reason']}): {told['words']}."
    answer = told["answer"]
    adds = f"\nIt also restricts: {', '.join(told['additions'])}." if told["additions"] else ""
    return f"Answer {answer['id']}, {answer['trust']}.{adds}\n{answer['query']}"


_COUNTED = {
    "": "counted",
    "no-verdict": "kept, and no verdict",
    "reuse": "kept, and by reuse",
    "rejected": "kept, and a person refuted it",
    "same-day": "kept, and the day's first counted",
}
