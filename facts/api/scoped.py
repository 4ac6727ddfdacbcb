"""What every view of the API shares: a scope from the credential, and no unknown parameters."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from facts import reads, store
from facts.api.etags import tag
from facts.api.fields import StrictSerializer
from facts.api.permissions import MayRead, scope_of
from facts.errors import KenError, NotPermitted, UnknownPerson, UnknownRef
from facts.models import Fact, FactQuerySet, Person
from facts.problems import Invalid
from facts.refs import Ref
from facts.tokens import Scope


class ScopedView(APIView):
    """A view of what the credential reaches.

    ``scope`` is what it reaches; ``person`` whose own facts are in view beside the account's: the
    token's person, or the one a reader of the whole account names in the path. ``now`` is taken
    once. ``permissions`` maps methods to permission classes, reading where it has none, and
    ``query`` is the serializer of the parameters.
    """

    permissions: dict[str, type[BasePermission]] = {}
    query: type[StrictSerializer] = StrictSerializer

    def get_permissions(self) -> list[Any]:
        return [self.permissions.get(self.request.method or "", MayRead)()]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if any(isinstance(part, str) and "\0" in part for part in kwargs.values()):
            raise NotFound("nothing is called so")  # no text of the database holds a NUL
        self.now = timezone.now()
        self.scope = scope_of(request)
        self.person = _person_in_view(self.scope, kwargs.get("person"))
        self.asked = _parameters(request, self.query)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        if request.method in SAFE_METHODS:
            tag(request, response)
        return response

    def facts(self) -> FactQuerySet:
        """The facts in view."""
        facts = reads.within_reach(self.scope.account, self.person).select_related("person")
        return reads.of_observer(facts, self.scope.observer) if self.scope.observer else facts

    def fact_at(self, ref: Ref) -> Fact:
        """The fact in view at ``ref``. Raises UnknownRef, NotPermitted."""
        self.demand_reach(ref.namespace, ref.kind)
        fact = store.read(self.scope.account, ref, person=self.person_of(ref))
        if fact is None:
            raise UnknownRef("no fact stands at this ref; request it to have it measured")
        return fact

    def demand_reach(self, namespace: str, kind: str) -> None:
        """Raise NotPermitted unless the credential reads facts of this kind."""
        if not self.scope.reads(namespace, kind):
            raise NotPermitted(f"this token reads what {self.scope.observer} writes and no more")

    def named_person(self) -> Person:
        """The person in view. Raises UnknownPerson where nobody is."""
        if self.person is None:
            raise UnknownPerson("name the person in the path, /people/<id>/, or ask as one")
        return self.person

    def person_of(self, ref: Ref) -> Person | None:
        """Whom a fact at ``ref`` is about: the person in view, for a user fact."""
        return self.person if ref.namespace == "user" else None


@contextmanager
def pointing_into(lines: str) -> Iterator[None]:
    """Give a refusal of one of many lines its pointer into the body."""
    try:
        yield
    except KenError as fault:
        if fault.line is not None:
            fault.where = {"pointer": f"/{lines}/{fault.line}"}
        raise


def _person_in_view(scope: Scope, named: str | None) -> Person | None:
    if named is None:
        return scope.person
    if scope.person is None:
        person = scope.account.people.filter(external_id=named).first()
        if person is None:
            raise UnknownPerson("the account has no person of this id")
        return person
    if scope.person.external_id != named:
        raise UnknownPerson("this credential is of another person")
    return scope.person


def _parameters(request: Request, query: type[StrictSerializer]) -> dict[str, Any]:
    for name, values in request.query_params.lists():
        if len(values) > 1:
            raise Invalid("given more than once", parameter=name[:200])
    serializer = query(data=request.query_params.dict())
    try:
        serializer.is_valid(raise_exception=True)
    except ValidationError:
        name, found = next(iter(serializer.errors.items()))
        raise Invalid(str(found[0]), parameter=str(name)[:200]) from None
    return dict(serializer.validated_data)
