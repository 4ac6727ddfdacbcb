"""Answers over HTTP: look up, propose, tell what became of one, and vouch for one as a person."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import User
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from facts.answers import reviewing
from facts.answers.asking import BadQuestion, Question
from facts.answers.locking import OBSERVER, standing_of
from facts.answers.looking_up import look_up
from facts.answers.outcomes import record_outcome
from facts.answers.proposing import Proposal, propose
from facts.answers.serving import withheld_because
from facts.answers.who import Who
from facts.api import answer_forms as forms
from facts.api.fields import StrictSerializer
from facts.api.idempotency import once_per_key
from facts.api.scoped import ScopedView
from facts.models import Answer
from facts.tokens import Scope


class MayLookUp(BasePermission):
    """Whoever reads the account, and the programs that propose answers."""

    message = "this token reads what its observer writes and no more"

    def has_permission(self, request: Request, _view: Any) -> bool:
        scope = request.auth
        return isinstance(scope, Scope) and scope.observer in ("", OBSERVER)


class MayTell(BasePermission):
    """A token of the observer of answers, a person of the account, or staff who may verify."""

    message = f"this is told by a token of the observer {OBSERVER}, or by a person"

    def has_permission(self, request: Request, _view: Any) -> bool:
        scope = request.auth
        if not isinstance(scope, Scope):
            return False
        if not request.user.is_authenticated:
            return scope.observer == OBSERVER
        return scope.person is not None or request.user.has_perm(reviewing.VERIFY)


class MayVerify(BasePermission):
    """People only: a login that may, and no token."""

    message = "only somebody who may verify answers and is logged in does this"

    def has_permission(self, request: Request, _view: Any) -> bool:
        user = request.user
        return bool(user and user.is_authenticated and user.has_perm(reviewing.VERIFY))


class AnswersView(ScopedView):
    permissions = {"POST": MayTell}

    @forms.PROPOSE
    def post(self, request: Request) -> Response:
        body = _body(forms.ProposalSerializer, request)
        with _pointing():
            proposal = Proposal.from_document(body)
        found = propose(self.scope.account, proposal, who=_who(self), now=self.now)
        return Response(_standing(self, found.answer), status=201 if found.is_new else 200)


class LookupsView(ScopedView):
    permissions = {"POST": MayLookUp}

    @forms.LOOK_UP
    def post(self, request: Request) -> Response:
        body = _body(forms.LookupSerializer, request)
        with _pointing():
            question = Question.from_document(body["question"])
        looked = look_up(self.scope.account, question, who=_who(self), now=self.now)
        return Response(forms.LookedSerializer(asdict(looked) | {"ref": str(looked.ref)}).data)


class OutcomesView(ScopedView):
    permissions = {"POST": MayTell}

    @forms.TELL
    @once_per_key
    def post(self, request: Request, answer: int) -> Response:
        body = _body(forms.ToldOutcomeSerializer, request)
        told = record_outcome(
            self.scope.account,
            answer,
            body["outcome"],
            who=_who(self),
            now=self.now,
            reused=body["reused"],
        )
        shown = {**_standing(self, told.answer), "counted": told.counted, "why": told.why}
        return Response(shown)


class VerificationView(ScopedView):
    permissions = {"PUT": MayVerify, "DELETE": MayVerify}

    @forms.VERIFY
    def put(self, request: Request, answer: int) -> Response:
        user = cast("User", request.user)
        verified = reviewing.verify(self.scope.account, answer, user=user, now=self.now)
        return Response(_standing(self, verified))

    @forms.WITHDRAW
    def delete(self, request: Request, answer: int) -> Response:
        user = cast("User", request.user)
        withdrawn = reviewing.withdraw(self.scope.account, answer, user=user, now=self.now)
        return Response(_standing(self, withdrawn))


def _who(view: ScopedView) -> Who:
    """Who speaks, by the credential: a login is a person, a token is a program."""
    scope = view.scope
    return Who(
        name=scope.asker,
        is_person=bool(view.request.user and view.request.user.is_authenticated),
        person=scope.person,
    )


def _body(form: type[StrictSerializer], request: Request) -> dict[str, Any]:
    body = form(data=request.data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


@contextmanager
def _pointing() -> Iterator[None]:
    """Give a fault of a question its pointer into the body."""
    try:
        yield
    except BadQuestion as fault:
        fault.where = {"pointer": f"/question{fault.pointer}"}
        raise


def _standing(view: ScopedView, answer: Answer) -> dict[str, Any]:
    """Where the answer stands, as JSON. No query: its fact is at hand."""
    standing, cut_offs = standing_of(answer), settings.TRUST_CUT_OFFS
    because = withheld_because(standing, now=view.now, cut_offs=cut_offs)
    if answer.state != Answer.State.PROPOSED:
        because = "ended"
    shown = forms.AnswerStandingSerializer(
        {
            "id": answer.pk,
            "ref": str(answer.fact.ref),
            "state": answer.state,
            "trust": str(standing.trust(view.now, cut_offs)),
            "served": not because,
            "withheld_because": because,
            "verified_at": answer.fact.verified_at,
            "contested": standing.contested,
        }
    )
    return dict(shown.data)
