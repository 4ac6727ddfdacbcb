"""The life of a spec's versions: draft, in review, active, retired.

Every step locks the specs first, so that what is put in force is checked against the others as
they are. A refusal raises and changes nothing: the version in force stays.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from facts.derivations import wake
from facts.giving_way import once_more
from specs import fitting
from specs.errors import BadSpec, Fault, OwnDraft, StillNeeded, UnknownSpec, WrongState
from specs.models import Spec, SpecVersion
from specs.tasks import follow_soon
from specs.validation import faults_of, features_of

REVIEW = "specs.review_spec"
State = SpecVersion.State


def in_force(spec_id: str) -> SpecVersion:
    """The active version of a spec, in one query. Raises UnknownSpec."""
    try:
        return SpecVersion.objects.active().get(spec=spec_id)
    except SpecVersion.DoesNotExist:
        raise UnknownSpec(f"no spec in force has the id {spec_id[:60]!r}") from None


def graph() -> dict[str, list[str]]:
    """The features in force, each with the features it needs, in one query."""
    active = SpecVersion.objects.active().values_list("spec_id", "document")
    return {spec_id: features_of(document) for spec_id, document in active}


def in_review(_now: datetime) -> int:
    """How many specs wait for a reviewer, in one query."""
    versions = SpecVersion.objects.filter(state=State.IN_REVIEW)
    return versions.order_by().values("spec").distinct().count()


@transaction.atomic
def save_draft(
    *, document: Any, author: User, now: datetime, spec_id: str | None = None
) -> SpecVersion:
    """Keep a document as its author's draft of a spec; ``spec_id`` where it may be no other.

    The author's open draft is rewritten, anybody else's stays and this becomes a version of its
    own: a version has one author. Raises BadSpec.
    """
    Spec.lock()
    demand_sound(document, spec_id=spec_id)
    spec, _ = Spec.objects.get_or_create(id=document["id"], defaults={"created_at": now})
    draft = spec.versions.filter(state=State.DRAFT, author=author).first()
    if draft is None:
        return new_version(spec, document, author=author, now=now)
    draft.document = document
    draft.save(update_fields=["document"])
    return draft


@transaction.atomic
def submit(version: SpecVersion, *, now: datetime) -> SpecVersion:
    """Hand a draft in for review; from here on its document does not change.

    Raises WrongState, and BadSpec where the specs in force moved under it.
    """
    version = _locked(version, State.DRAFT)
    demand_sound(version.document, spec_id=version.spec_id)
    version.state, version.submitted_at, version.remark = State.IN_REVIEW, now, ""
    version.save(update_fields=["state", "submitted_at", "remark"])
    return version


@transaction.atomic
def send_back(version: SpecVersion, *, reviewer: User, remark: str) -> SpecVersion:
    """Make a version a draft again, with the reviewer's reason. Raises WrongState."""
    version = _locked(version, State.IN_REVIEW)
    version.state, version.reviewer, version.remark = State.DRAFT, reviewer, remark
    version.save(update_fields=["state", "reviewer", "remark"])
    return version


@once_more
@transaction.atomic
def approve(version: SpecVersion, *, reviewer: User, now: datetime) -> SpecVersion:
    """Put a version in force; the one before it retires.

    Raises WrongState, OwnDraft, and BadSpec where the specs in force moved under it.
    """
    version = _locked(version, State.IN_REVIEW)
    if version.author_id == reviewer.pk and not is_only_reviewer(reviewer):
        raise OwnDraft(f"{version} is {reviewer}'s own: somebody else approves it")
    demand_sound(version.document, spec_id=version.spec_id)
    version.reviewer = reviewer
    put_in_force(version, now=now)
    return version


@once_more
@transaction.atomic
def retire(spec_id: str, *, now: datetime) -> SpecVersion:
    """Take a spec out of force: it is judged no more, and its demand goes with it.

    Raises UnknownSpec, and StillNeeded while a spec in force needs its feature.
    """
    Spec.lock()
    version = in_force(spec_id)
    if needed_by := [spec for spec, features in graph().items() if spec_id in features]:
        raise StillNeeded(
            f"{spec_id} is needed by {', '.join(needed_by)}: retire or change it first"
        )
    _end(version, now=now)
    follow_soon()
    return version


def is_only_reviewer(user: User) -> bool:
    """Whether nobody else could review what ``user`` wrote, in one query."""
    reviewers = get_user_model().objects.with_perm(
        REVIEW, backend="django.contrib.auth.backends.ModelBackend"
    )
    return list(reviewers.values_list("pk", flat=True)[:2]) == [user.pk]


def demand_sound(document: Any, *, spec_id: str | None = None) -> None:
    """Raise BadSpec with everything that is wrong with a document beside the specs in force."""
    faults = faults_of(document, others=graph())
    if spec_id and isinstance(document, dict) and document.get("id", spec_id) != spec_id:
        faults.append(Fault("/id", f"is not {spec_id}: another id is another spec"))
    if faults:
        raise BadSpec(faults)


def new_version(spec: Spec, document: Any, *, author: User | None, now: datetime) -> SpecVersion:
    """The next version of a spec, a draft. The caller holds the specs' lock."""
    newest = spec.versions.aggregate(newest=Max("number"))["newest"] or 0
    return SpecVersion.objects.create(
        spec=spec, number=newest + 1, document=document, author=author, created_at=now
    )


def put_in_force(version: SpecVersion, *, now: datetime) -> None:
    """Make a sound version the active one of its spec, and have every account judged by it.

    The caller holds the specs' lock.
    """
    for before in SpecVersion.objects.active().filter(spec=version.spec_id):
        _end(before, now=now)
    version.state, version.active_from = State.ACTIVE, now
    version.save(update_fields=["state", "active_from", "reviewer"])
    wake(fitting.NAME, targets=[version.spec_id], now=now)
    follow_soon()


def _end(version: SpecVersion, *, now: datetime) -> None:
    version.state, version.retired_at = State.RETIRED, now
    version.save(update_fields=["state", "retired_at"])


def _locked(version: SpecVersion, expected: State) -> SpecVersion:
    """The version as it stands under the specs' lock. Raises WrongState."""
    Spec.lock()
    fresh = SpecVersion.objects.get(pk=version.pk)
    if fresh.state != expected:
        raise WrongState(f"{fresh} is {fresh.get_state_display()}, not {expected.label}")
    return fresh
