"""Specs and their versions. Every version is kept, with who wrote it and who approved it."""

from typing import Any

from django.conf import settings
from django.db import connection, models
from django.db.models import Q
from django.utils import timezone

from specs.needs import Need, read
from specs.wording import title_of


class Spec(models.Model):
    """A feature whose needs are written down."""

    id = models.SlugField(primary_key=True, max_length=60)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        permissions = [("review_spec", "Can approve, send back and retire specs")]

    def __str__(self) -> str:
        return self.id

    @property
    def active(self) -> "SpecVersion | None":
        """The version in force. No query where the versions were prefetched."""
        active = (each for each in self.versions.all() if each.state == SpecVersion.State.ACTIVE)
        return next(active, None)

    @property
    def title(self) -> str:
        """The feature's name for people: as it is in force, else as the newest version says."""
        newest = next(iter(self.versions.all()), None)
        return (self.active or newest or SpecVersion(spec=self, document={})).title

    @classmethod
    def lock(cls) -> None:
        """Let no other transaction change specs until this one ends; reads go on.

        The whole table, so that two new specs can't be put in force beside one another unseen.
        """
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {cls._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")


class SpecVersionQuerySet(models.QuerySet["SpecVersion"]):
    """Reads of versions."""

    def active(self) -> "SpecVersionQuerySet":
        """The versions in force, by their spec's id."""
        return self.filter(state=SpecVersion.State.ACTIVE).order_by("spec")


class SpecVersion(models.Model):
    """One version of a spec's document, from its draft to its end."""

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        IN_REVIEW = "in-review", "in review"
        ACTIVE = "active", "active"
        RETIRED = "retired", "retired"

    spec = models.ForeignKey(Spec, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(editable=False)
    document = models.JSONField()
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT, editable=False)
    author = models.ForeignKey(  # NULL: loaded by an operator's command
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+"
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+"
    )
    remark = models.TextField(blank=True, editable=False)  # why a reviewer sent it back
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    submitted_at = models.DateTimeField(null=True, editable=False)
    active_from = models.DateTimeField(null=True, editable=False)
    retired_at = models.DateTimeField(null=True, editable=False)

    objects = SpecVersionQuerySet.as_manager()

    class Meta:
        ordering = ["spec", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["spec", "number"], name="one_version_per_number"),
            models.UniqueConstraint(
                fields=["spec"], condition=Q(state="active"), name="one_version_in_force"
            ),
            models.CheckConstraint(
                condition=~Q(state="active") | Q(active_from__isnull=False, retired_at=None),
                name="what_is_in_force_says_since_when",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.spec_id} version {self.number}"

    @property
    def title(self) -> str:
        """The feature's name for people."""
        return title_of({"id": self.spec_id, **self.said})

    @property
    def is_open(self) -> bool:
        """Whether it is still to be in force."""
        return self.state in (self.State.DRAFT, self.State.IN_REVIEW)

    def is_draft_of(self, user: Any) -> bool:
        """Whether ``user`` still writes at it."""
        return self.state == self.State.DRAFT and self.author_id == user.pk

    @property
    def needs(self) -> tuple[Need, ...]:
        """The needs of the document as judging sees them."""
        return read(self.said)

    @property
    def said(self) -> dict[str, Any]:
        """The document, and an empty one where something else was stored."""
        return self.document if isinstance(self.document, dict) else {}
