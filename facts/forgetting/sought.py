"""Who goes, and the words by which they would be known afterwards."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth import get_user_model

from facts.models import Account, Person

SHORTEST_TELLING = 6  # digits: a shorter number is found anywhere and tells nothing


@dataclass(frozen=True)
class Sought:
    """Who goes, as known before: keys, the product's ids, and logins made for nobody else."""

    account_key: int
    account: str
    whole: bool  # the account goes too, and not one person alone
    people: dict[int, str]
    users: dict[int, str]
    askers: frozenset[str]  # the names that stand in histories for these people

    @cached_property
    def words(self) -> frozenset[str]:
        """What must not be left where it can mean nobody else."""
        account = {self.account} if self.whole else set()
        return frozenset(account | set(self.people.values()) | set(self.users.values()))

    def is_named_in(self, texts: Iterable[str]) -> bool:
        """Whether ``texts`` together tell of them: the account, or a person with the account."""
        texts = list(texts)
        if f"account:{self.account_key}" in texts or mentions(texts, [self.account]):
            return self.whole or mentions(texts, self.people.values())
        return mentions(texts, self.users.values())


def sought(account: Account, person: Person | None) -> Sought:
    """Who goes when ``account`` is forgotten, or one ``person`` of it. Three queries."""
    people = account.people.filter(pk=person.pk) if person else account.people.all()
    known = list(people.values_list("pk", "external_id", "user"))
    users = get_user_model()._default_manager.filter(
        pk__in=[user for *_, user in known if user], is_staff=False, is_superuser=False
    )
    tokens = account.tokens.filter(person__isnull=False)
    others = set(account.tokens.exclude(person__in=people).values_list("name", flat=True))
    names = set(tokens.filter(person__in=people).values_list("name", flat=True)) - others
    return Sought(
        account_key=account.pk,
        account=account.external_id,
        whole=person is None,
        people={key: external_id for key, external_id, _ in known},
        users={user.pk: user.get_username() for user in users},
        askers=frozenset(names | {f"person:{key}" for key, *_ in known}),
    )


def mentions(texts: Iterable[str], words: Iterable[str]) -> bool:
    """Whether one of ``words`` stands in one of ``texts``, as a whole word."""
    if not (found := spelled(words)):
        return False
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, found))})(?!\w)")
    return any(pattern.search(text) for text in texts)


def is_telling(word: str) -> bool:
    """Whether finding ``word`` says anything: a short number is found wherever numbers are."""
    return not (word.isdigit() and len(word) < SHORTEST_TELLING)


def spelled(words: Iterable[str]) -> list[str]:
    """The words as they are, and as JSON escapes them."""
    return sorted({text for word in words if word for text in (word, json.dumps(word)[1:-1])})


def texts_in(value: Any) -> list[str]:
    """Every text in plain data, keys included, however deep."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in texts_in(part)]
    if isinstance(value, list | tuple | set | frozenset):
        return [text for item in value for text in texts_in(item)]
    return []
