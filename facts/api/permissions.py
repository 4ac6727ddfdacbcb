"""What a credential may do, whichever kind it is."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from facts import derivations
from facts.answers.locking import OBSERVER
from facts.tokens import Scope


def scope_of(request: Request) -> Scope:
    """What the request's credential reaches."""
    scope = request.auth
    if not isinstance(scope, Scope):
        raise TypeError("a view of scoped things has a permission class of this module")
    return scope


class MayRead(BasePermission):
    """Any credential reads what it reaches."""

    def has_permission(self, request: Request, _view: Any) -> bool:
        return isinstance(request.auth, Scope)


class MayReadAll(BasePermission):
    """A reader, which an observer is not: it reads what it writes and no more."""

    message = "this credential reads what its observer writes and no more"

    def has_permission(self, request: Request, _view: Any) -> bool:
        return isinstance(request.auth, Scope) and not request.auth.observer


class Oneself(BasePermission):
    """A credential of one person alone: their token or their login.

    Whoever reads a whole account can name any person in the path, so a name in the path says
    nothing about who speaks. What a person says of themselves, that something is not theirs or
    what their assistant is to mind, is said for good and is never read as somebody else's words:
    only a credential that is theirs may say it, and neither staff nor the product itself.
    """

    message = "only the person's own token or login may do this"

    def has_permission(self, request: Request, _view: Any) -> bool:
        scope = request.auth
        return isinstance(scope, Scope) and scope.person is not None and not scope.observer


class MayRequest(BasePermission):
    """Readers ask for measurements; an observer makes them."""

    message = "this credential may not ask for measurements"

    def has_permission(self, request: Request, _view: Any) -> bool:
        scope = request.auth
        return isinstance(scope, Scope) and scope.requests


class MayObserve(BasePermission):
    """Only a token made for an observer writes, and then as that observer alone.

    What is derived is built from facts and told by nobody, whatever door its observer has besides.
    Answers are proposed and told of at their own door, where their rules stand.
    """

    message = "this credential may not observe: it reads, or its observer's facts are derived"

    def has_permission(self, request: Request, _view: Any) -> bool:
        scope = request.auth
        others = {derivation.owner for derivation in derivations.registered()} | {OBSERVER}
        return isinstance(scope, Scope) and bool(scope.observer) and scope.observer not in others


def only(observer: str) -> type[BasePermission]:
    """The permission of a token made for ``observer``, and of nobody else."""

    class MayTell(BasePermission):
        message = f"this is told by a token of the observer {observer}"

        def has_permission(self, request: Request, _view: Any) -> bool:
            return isinstance(request.auth, Scope) and request.auth.observer == observer

    return MayTell
