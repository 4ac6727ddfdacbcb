"""What a credential may do, whichever kind it is."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

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


class MayRequest(BasePermission):
    """Readers ask for measurements; an observer makes them."""

    message = "this credential may not ask for measurements"

    def has_permission(self, request: Request, _view: Any) -> bool:
        scope = request.auth
        return isinstance(scope, Scope) and scope.requests


class MayObserve(BasePermission):
    """Only a token made for an observer writes, and then as that observer alone."""

    message = "this credential reads; it may not observe"

    def has_permission(self, request: Request, _view: Any) -> bool:
        scope = request.auth
        return isinstance(scope, Scope) and bool(scope.observer)


def only(observer: str) -> type[BasePermission]:
    """The permission of a token made for ``observer``, and of nobody else."""

    class MayTell(BasePermission):
        message = f"this is told by a token of the observer {observer}"

        def has_permission(self, request: Request, _view: Any) -> bool:
            return isinstance(request.auth, Scope) and request.auth.observer == observer

    return MayTell
