"""The life of a version: draft, in review, active, retired, and who may do what to it."""

import pytest
from django.db import IntegrityError, transaction

from specs import reviewing
from specs.errors import BadSpec, OwnDraft, StillNeeded, UnknownSpec, WrongState
from specs.models import SpecVersion
from tests.facts.observing import DAY, NINE
from tests.specs.loaded import CARRIER, ORDER, feature, load, spec, staff, states


@pytest.fixture
def ann(db):
    """Writes and reviews specs."""
    return staff("ann", "change_spec", "review_spec")


@pytest.fixture
def ben(db):
    """Reviews specs."""
    return staff("ben", "review_spec")


def in_review(author, document=None, now=NINE) -> SpecVersion:
    draft = reviewing.save_draft(document=document or spec("a", CARRIER), author=author, now=now)
    return reviewing.submit(draft, now=now)


def test_a_draft_changes_nothing_that_is_in_force(ann):
    load(spec("a"))
    draft = reviewing.save_draft(document=spec("a", CARRIER), author=ann, now=NINE)

    assert (draft.author, draft.created_at) == (ann, NINE)
    assert states() == [("a", 1, "active"), ("a", 2, "draft")]
    assert reviewing.in_force("a").document == spec("a")


def test_an_author_rewrites_their_open_draft(ann):
    reviewing.save_draft(document=spec("a"), author=ann, now=NINE)
    draft = reviewing.save_draft(document=spec("a", CARRIER), author=ann, now=NINE)

    assert states() == [("a", 1, "draft")]
    assert SpecVersion.objects.get().document == draft.document == spec("a", CARRIER)


def test_somebody_elses_words_are_a_version_of_their_own(ann, ben):
    reviewing.save_draft(document=spec("a"), author=ann, now=NINE)
    draft = reviewing.save_draft(document=spec("a", CARRIER), author=ben, now=NINE)

    assert (draft.number, draft.author) == (2, ben)
    assert SpecVersion.objects.get(number=1).document == spec("a")


def test_a_document_that_is_no_spec_is_not_kept_even_as_a_draft(ann):
    with pytest.raises(BadSpec):
        reviewing.save_draft(document=spec("a") | {"need": []}, author=ann, now=NINE)
    assert states() == []


def test_a_draft_of_one_spec_can_not_become_another(ann):
    with pytest.raises(BadSpec) as refusal:
        reviewing.save_draft(document=spec("b"), author=ann, now=NINE, spec_id="a")
    assert str(refusal.value) == "/id is not a: another id is another spec"


def test_an_approved_version_is_in_force_and_says_by_whom(ann, ben):
    load(spec("a"))
    version = in_review(ann)
    assert states() == [("a", 1, "active"), ("a", 2, "in-review")]

    reviewing.approve(version, reviewer=ben, now=NINE + DAY)

    assert states() == [("a", 1, "retired"), ("a", 2, "active")]
    active = reviewing.in_force("a")
    assert (active.author, active.reviewer, active.active_from) == (ann, ben, NINE + DAY)
    assert (active.created_at, active.submitted_at) == (NINE, NINE)


def test_nobody_approves_their_own_draft(ann, ben):
    load(spec("a"))
    version = in_review(ann)

    with pytest.raises(OwnDraft) as refusal:
        reviewing.approve(version, reviewer=ann, now=NINE)

    assert str(refusal.value) == "a version 2 is ann's own: somebody else approves it"
    assert states() == [("a", 1, "active"), ("a", 2, "in-review")]


def test_the_only_reviewer_approves_their_own(ann):
    reviewing.approve(in_review(ann), reviewer=ann, now=NINE)
    assert states() == [("a", 1, "active")]


def test_somebody_who_left_or_may_not_review_is_no_other_reviewer(ann, ben):
    ben.is_active = False
    ben.save()
    staff("cleo", "change_spec")
    assert reviewing.is_only_reviewer(ann)


def test_an_administrator_is_another_reviewer(ann, django_user_model):
    django_user_model.objects.create_superuser("root")
    assert not reviewing.is_only_reviewer(ann)


def test_a_version_sent_back_is_a_draft_with_the_reason_and_its_author_goes_on(ann, ben):
    version = reviewing.send_back(in_review(ann), reviewer=ben, remark="Carriers are optional.")
    assert (version.state, version.reviewer, version.remark) == (
        "draft",
        ben,
        "Carriers are optional.",
    )

    reviewing.save_draft(document=spec("a"), author=ann, now=NINE)
    again = reviewing.submit(version, now=NINE + DAY)

    assert (again.document, again.remark, states()) == (spec("a"), "", [("a", 1, "in-review")])


def test_a_document_in_review_is_not_rewritten(ann):
    in_review(ann)
    reviewing.save_draft(document=spec("a", ORDER), author=ann, now=NINE)
    assert states() == [("a", 1, "in-review"), ("a", 2, "draft")]


def test_a_step_starts_from_its_own_state_only(ann, ben):
    version = in_review(ann)
    with pytest.raises(WrongState) as refusal:
        reviewing.submit(version, now=NINE)
    assert str(refusal.value) == "a version 1 is in review, not draft"

    reviewing.approve(version, reviewer=ben, now=NINE)
    for step in (
        lambda: reviewing.approve(version, reviewer=ben, now=NINE),
        lambda: reviewing.send_back(version, reviewer=ben, remark=""),
    ):
        with pytest.raises(WrongState):
            step()
    assert states() == [("a", 1, "active")]


def test_what_moved_since_the_draft_is_checked_again_before_it_is_in_force(ann, ben):
    """a wants to need b; meanwhile b came to need a."""
    load(spec("a"), spec("b"))
    version = in_review(ann, spec("a", feature("b")))
    load(spec("b", feature("a")))

    with pytest.raises(BadSpec) as refusal:
        reviewing.approve(version, reviewer=ben, now=NINE)

    assert str(refusal.value) == "/needs/0/feature cycle a -> b -> a"
    assert reviewing.in_force("a").number == 1


def test_a_retired_spec_is_in_force_no_more_and_is_kept(ann):
    load(spec("a"))
    reviewing.retire("a", now=NINE + DAY)

    assert states() == [("a", 1, "retired")]
    assert SpecVersion.objects.get().retired_at == NINE + DAY
    with pytest.raises(UnknownSpec) as refusal:
        reviewing.in_force("a")
    assert str(refusal.value) == "no spec in force has the id 'a'"


def test_a_feature_that_others_need_is_not_retired(ann):
    load(spec("a"), spec("b", feature("a")), spec("c", feature("a")))
    with pytest.raises(StillNeeded) as refusal:
        reviewing.retire("a", now=NINE)
    assert str(refusal.value) == "a is needed by b, c: retire or change it first"
    assert reviewing.in_force("a").number == 1


def test_a_retired_spec_can_come_back_as_a_new_version(ann):
    load(spec("a"))
    reviewing.retire("a", now=NINE)
    load(spec("a"))
    assert states() == [("a", 1, "retired"), ("a", 2, "active")]


@pytest.mark.django_db
def test_the_database_holds_one_version_in_force():
    load(spec("a"))
    with pytest.raises(IntegrityError, match="one_version_in_force"), transaction.atomic():
        SpecVersion.objects.create(
            spec_id="a", number=2, document=spec("a"), state="active", active_from=NINE
        )
