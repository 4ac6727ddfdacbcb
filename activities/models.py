"""The tables of activities: the registry, what people did by it, and what they say about it.

Instants of votes and sessions are whole microseconds since the epoch: they are compared and
subtracted, never shown, and integers do that exactly in SQL and in Python.
"""

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from activities.rules import HIDDEN_FOR
from facts.fields import GuardedCharField
from facts.models import Account, Person


class RegistryVersion(models.Model):
    """The one row that says which registry is in force; whoever changes it locks it."""

    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = "registry"
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_registry")]

    def __str__(self) -> str:
        return f"registry {self.version}"


class Verb(models.Model):
    """What a person does. A verb out of the registry keeps its row, and the feedback on it."""

    name = GuardedCharField(max_length=100, unique=True)
    title = GuardedCharField(max_length=100)
    rank = models.PositiveIntegerField(null=True, editable=False)  # NULL: not in the registry

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rank"], name="one_verb_per_rank", deferrable=models.Deferrable.DEFERRED
            ),
            models.CheckConstraint(condition=Q(rank=None) | Q(rank__gt=0), name="rank_from_one"),
        ]

    def __str__(self) -> str:
        return self.title


class Action(models.Model):
    """What a product calls an act. One out of the registry keeps its row and its votes."""

    id = models.AutoField(primary_key=True)  # 4 bytes: every vote carries one
    name = GuardedCharField(max_length=200, unique=True)
    verb = models.ForeignKey(
        Verb, models.PROTECT, null=True, blank=True, related_name="actions"
    )  # NULL: navigation
    known = models.BooleanField(default=True, editable=False)  # whether the registry has it

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(known=True) | Q(verb=None), name="only_known_actions_vote"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Vote(models.Model):
    """One person, one action, one minute: all that is kept of the events in it.

    No foreign key is checked for a vote, because each check costs half as much as the row. Whoever
    takes votes locks their people's rows first (``people.named_people``), and the sessions made in
    the same transaction are checked.
    """

    pk = models.CompositePrimaryKey("account", "person", "minute", "action")
    account = models.ForeignKey(
        Account, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    person = models.ForeignKey(
        Person, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    minute = models.IntegerField()  # the epoch's, rounded down
    action = models.ForeignKey(
        Action, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="vote_ends_after_start")
        ]

    def __str__(self) -> str:
        return f"{self.action_id} in minute {self.minute}"


class Session(models.Model):
    """A stretch of a person's votes without a pause, labelled with its dominant verb.

    The database checks the person: the account is theirs, and verbs are never deleted.
    """

    account = models.ForeignKey(
        Account, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    person = models.ForeignKey(Person, models.CASCADE, related_name="+", db_index=False)
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    verb = models.ForeignKey(
        Verb, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "person", "first"], name="sessions_start_apart"
            ),
            models.CheckConstraint(
                condition=Q(last__gte=F("first")), name="session_ends_after_start"
            ),
        ]
        indexes = [
            models.Index(  # read by the inference: an account's sessions in the window
                fields=["account", "first"],
                include=["person", "verb", "last"],
                name="sessions_of_a_window",
            )
        ]

    def __str__(self) -> str:
        return f"{self.verb} from {self.first}"


class AccountSettings(models.Model):
    """An account's zone, and the row that whoever writes its votes and sessions locks."""

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True, related_name="+")
    zone = models.CharField(max_length=100, default="UTC")
    registry = models.PositiveIntegerField(
        "sessions made with registry", default=0, editable=False
    )  # an older one: the sessions are to be made anew before they are read

    class Meta:
        verbose_name_plural = "account settings"

    def __str__(self) -> str:
        return str(self.account)


class PersonSettings(models.Model):
    """What differs for one person: another zone, or that it is a machine."""

    person = models.OneToOneField(Person, models.CASCADE, primary_key=True, related_name="+")
    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    zone = models.CharField(max_length=100, blank=True)  # empty: the account's
    service = models.BooleanField(
        default=False, help_text="A machine: it has no activities and is nobody's colleague."
    )

    class Meta:
        verbose_name_plural = "person settings"

    def __str__(self) -> str:
        return str(self.person)


class UnmappedAction(models.Model):
    """How often a person's events named an action that the registry doesn't have.

    A count and no votes: what staff have not mapped yet is not kept. So events that come twice are
    counted twice, which says how often they come and moves no activity.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")
    name = GuardedCharField(max_length=200)
    count = models.PositiveBigIntegerField()
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "name", "person"], name="one_count_per_name_and_person"
            )
        ]
        verbose_name = "count of an unmapped action"
        verbose_name_plural = "counts of unmapped actions"

    def __str__(self) -> str:
        return self.name


class FeedbackQuerySet(models.QuerySet["Feedback"]):
    """Reads of feedback; each is one query."""

    def in_force(self, as_of: datetime) -> Self:
        """What stood at a moment. Given at that very moment is given; a hide ends after its time.

        The time of a hide is half open: [at, at + 720 hours).
        """
        return self.filter(
            Q(withdrawn_at=None) | Q(withdrawn_at__gt=as_of),
            Q(kind=Feedback.Kind.NOT_MINE) | Q(at__gt=as_of - HIDDEN_FOR),
            at__lte=as_of,
        )


class Feedback(models.Model):
    """What a person says about a verb inferred for them. Inference reads it and never writes it."""

    class Kind(models.TextChoices):
        NOT_MINE = "not-mine", "Not mine"  # for good
        HIDE = "hide", "Hide"  # for a while

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, related_name="feedback")
    verb = models.ForeignKey(Verb, models.PROTECT, related_name="feedback")
    kind = models.CharField(max_length=8, choices=Kind)
    at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    objects = FeedbackQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "feedback"
        constraints = [
            models.UniqueConstraint(
                fields=["person", "verb"],
                condition=Q(kind="not-mine", withdrawn_at=None),
                name="one_not_mine_in_force",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None) | Q(withdrawn_at__gte=F("at")),
                name="withdrawn_after_given",
            ),
        ]
        indexes = [models.Index(fields=["account", "verb"], name="feedback_on_a_verb")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.verb}"

    @property
    def ends_at(self) -> datetime | None:
        """When a hide ends by itself; None for what is for good."""
        return self.at + HIDDEN_FOR if self.kind == self.Kind.HIDE else None


class UnmappedName(models.Model):
    """A view: the unmapped actions of all accounts by name."""

    name = GuardedCharField(max_length=200, primary_key=True)
    times = models.BigIntegerField()
    people = models.IntegerField()
    accounts = models.IntegerField()
    last_at = models.DateTimeField("last event")

    class Meta:
        managed = False
        verbose_name = "unmapped action"

    def __str__(self) -> str:
        return self.name


class Preferences(models.Model):
    """What a person wants their assistant to know of them, in their own words."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    person = models.OneToOneField(Person, models.CASCADE, related_name="preferences")
    text = models.TextField(blank=True)
    written_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "preferences"

    def __str__(self) -> str:
        return f"preferences of {self.person_id}"
