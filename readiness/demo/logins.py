"""Those who may log in to look at the demo, and a program's token; each is told of once."""

import secrets
from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import Group, User

from facts import tokens
from facts.models import Account, Token
from readiness.demo.wishes import ACCOUNT, PERSON

SUPPORT, REVIEWER = "demo-support", "demo-reviewer"
PROGRAM = "planner"

Say = Callable[[str], None]


def make_staff(*, say: Say) -> None:
    """Make somebody of support and a reviewer, unless they are there."""
    _make(SUPPORT, "Support", say)
    _make(REVIEWER, "Spec reviewers", say)


def make_person(*, now: datetime, say: Say) -> None:
    """Tie a login to a person of the rich account, and make a token, unless they are there."""
    account = Account.objects.get(external_id=ACCOUNT)
    person = account.people.get(external_id=PERSON)
    if person.user is None and not User.objects.filter(username=PERSON).exists():
        password = secrets.token_urlsafe(12)
        person.user = User.objects.create_user(PERSON, password=password)
        person.save(update_fields=["user"])
        say(f"  {PERSON}, password {password}: a person's own page, /me/")
    if not account.tokens.filter(name=PROGRAM).exists():
        _, text = tokens.make(account=account, name=PROGRAM, now=now)
        say(f"  {text}: a token that reads {ACCOUNT}, /api/v1/docs")


def is_last_made() -> bool:
    """Whether what is made last is there, and so all of the demo."""
    return Token.objects.filter(account__external_id=ACCOUNT, name=PROGRAM).exists()


def _make(name: str, group: str, say: Say) -> None:
    user, is_new = User.objects.get_or_create(username=name, defaults={"is_staff": True})
    if is_new:
        password = secrets.token_urlsafe(12)
        user.set_password(password)
        user.save(update_fields=["password"])
        user.groups.add(Group.objects.get(name=group))
        say(f"  {name}, password {password}: the group {group}, /admin/")
