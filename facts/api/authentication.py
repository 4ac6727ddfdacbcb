"""Whose request it is: a program's by its token, a person's or a member of staff's by session.

Whichever it is, ``request.auth`` is a ``Scope`` afterwards, and nothing else in a request says
what it reaches. Staff reach every account, so theirs name one in the ``Ken-Account`` header.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import (
    BaseAuthentication,
    SessionAuthentication,
    get_authorization_header,
)
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from facts import tokens
from facts.errors import BadToken, NotPermitted, UnknownAccount
from facts.models import Account, Person
from facts.problems import Invalid
from facts.tokens import Scope

ACCOUNT_HEADER = "Ken-Account"


class BearerToken(BaseAuthentication):
    """``Authorization: Bearer ken_...``"""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Scope] | None:
        scheme, _, text = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            scope = tokens.scope_of(text.strip(), now=timezone.now())
        except BadToken as refusal:
            raise AuthenticationFailed(str(refusal), code=refusal.code) from None
        named = request.headers.get(ACCOUNT_HEADER, scope.account.external_id)
        if named != scope.account.external_id:
            raise NotPermitted("the token is of another account than the one named")
        return AnonymousUser(), scope

    def authenticate_header(self, _request: Request) -> str:
        return 'Bearer realm="ken"'


class Session(SessionAuthentication):
    """The site's login, protected against forgery as its pages are."""

    def authenticate(self, request: Request) -> tuple[Any, Scope] | None:
        found = super().authenticate(request)
        if found is None:
            return None
        user, _ = found
        return user, _scope_of_user(user, request.headers.get(ACCOUNT_HEADER))


def _scope_of_user(user: Any, named: str | None) -> Scope:
    if named is None and (person := _person_of(user)):
        return Scope(
            account=person.account,
            person=person,
            asker=f"person:{person.pk}",
            caller=f"login:{user.pk}",
        )
    if not user.has_perm("facts.view_fact"):
        raise NotPermitted("this login may not read facts")
    if named is None:
        raise Invalid("a login names the account it asks about", header=ACCOUNT_HEADER)
    account = Account.objects.filter(external_id=named).first() if "\0" not in named else None
    if account is None:
        raise UnknownAccount("no account has this id")
    return Scope(
        account=account,
        person=None,
        asker=f"staff:{user.get_username()}",
        may_request=user.has_perm("facts.request_fact"),
        caller=f"login:{user.pk}",
    )


def _person_of(user: Any) -> Person | None:
    return Person.objects.select_related("account").filter(user=user).first()


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = BearerToken
    name = "token"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token of one account."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = Session
    name = "login"

    def get_security_definition(self, _auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": f"The site's login; staff name an account in {ACCOUNT_HEADER}.",
        }
