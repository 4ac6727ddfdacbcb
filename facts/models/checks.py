"""Units of work, what targets rest on, and the heartbeat of those who do it."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from facts.models.accounts import Account, Person
from facts.models.sources import Source, Table


class Check(models.Model):
    """A unit of work: one table to probe, one source's catalogue, or one target to rebuild.

    ``due_at`` says when the work is worth its cost; ``lease_until`` says who has it now. They are
    two columns because a lease that moves ``due_at`` hands the same row to two workers.
    """

    class Kind(models.TextChoices):
        CATALOGUE = "catalogue"
        TABLE = "table"
        DERIVATION = "derivation"

    class Reason(models.TextChoices):
        """Why a check of a source is due when it is."""

        NEW = "new"  # never made
        WORTH = "worth"  # the freshness it buys is worth its cost
        FLOOR = "floor"  # it is not, but nothing waits for ever: what the budget abandons
        LAPSE = "lapse"  # the trust of a fact lapses then
        ASKED = "asked"  # somebody asked for a fact that was never measured
        RETRY = "retry"  # it failed

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=Kind)
    source = models.ForeignKey(Source, models.CASCADE, null=True, related_name="checks")
    table = models.OneToOneField(Table, models.CASCADE, null=True, related_name="probe")
    derivation = models.CharField(max_length=60, blank=True)
    target = models.CharField(max_length=200, blank=True)
    weight = models.FloatField(default=1)
    cost = models.FloatField(default=0.1)  # seconds of the source's time, learned
    a = models.FloatField(default=1)  # the change rate's Gamma(a, b), b in days
    b = models.FloatField(default=7)
    last_checked = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True, default=timezone.now)  # NULL: a target nobody asked of
    due_because = models.CharField(max_length=5, choices=Reason, default=Reason.NEW)
    lease_until = models.DateTimeField(null=True)
    claims = models.PositiveBigIntegerField(default=0)  # leases so far; tells one from the next
    failures = models.PositiveIntegerField(default=0)  # in a row
    askers = models.PositiveIntegerField(default=0)  # that have an open request
    use = models.FloatField(default=0)  # uses a day
    demand = models.FloatField(default=0)  # what is built on its facts wants of it, in sum
    # A target's own, written by facts.derivations only:
    wanted = models.FloatField(default=0)  # its derivation's demand for it
    asked = models.PositiveBigIntegerField(default=0)  # wishes so far; more than a run saw is news
    built_from = models.CharField(max_length=64, blank=True)  # the hash of the inputs last built
    built_by = models.CharField(max_length=40, blank=True)  # the code's version that last looked
    built_parts = models.JSONField(default=dict)  # {part of the inputs: digest}, for explain

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source"], condition=Q(kind="catalogue"), name="one_catalogue_check"
            ),
            models.UniqueConstraint(
                fields=["account", "derivation", "target"],
                condition=Q(kind="derivation"),
                name="one_check_per_target",
            ),
            models.CheckConstraint(
                condition=Q(kind="derivation", source=None, table=None)
                | Q(kind="catalogue", source__isnull=False, table=None)
                | Q(kind="table", source__isnull=False, table__isnull=False),
                name="a_check_is_of_one_kind",
            ),
        ]
        indexes = [
            models.Index(  # read by claims: what of a source is due and nobody's
                fields=["source", "due_at"],
                condition=Q(lease_until=None, source__isnull=False),
                name="due_checks",
            ),
            models.Index(  # read by claims and the tick: what is under way
                fields=["source", "lease_until"],
                condition=Q(lease_until__isnull=False),
                name="leased_checks",
            ),
            models.Index(  # read by the lane of derivations: what is due, most wanted first
                F("weight").desc(),
                F("due_at"),
                condition=Q(kind="derivation", due_at__isnull=False, lease_until=None),
                name="due_targets",
            ),
            models.Index(  # read by the same where few are due of many that will be
                fields=["due_at"],
                condition=Q(kind="derivation", due_at__isnull=False, lease_until=None),
                name="waiting_targets",
            ),
            models.Index(  # read by the sweep: what older code built
                fields=["derivation", "built_by"],
                condition=Q(kind="derivation"),
                name="targets_by_code",
            ),
        ]

    def __str__(self) -> str:
        target = " ".join(filter(None, (self.derivation, self.target)))
        return f"{self.kind} {self.table or self.source or target}"


class Dependency(models.Model):
    """What a target was built from, or would be: one row for each ref or prefix it reads.

    ``ref`` is a ref, or a prefix that ends in ``:`` or ``|`` as no ref does. Rewritten with each
    build and each "not all there yet"; it serves wake-ups, demand and ``explain``.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    dependent = models.ForeignKey(Check, models.CASCADE, related_name="rests_on")
    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="+")
    ref = models.CharField(max_length=1000)

    class Meta:
        verbose_name_plural = "dependencies"
        constraints = [
            models.UniqueConstraint(
                fields=["dependent", "ref", "person"],
                nulls_distinct=False,
                name="one_dependency_per_ref",
            )
        ]
        indexes = [models.Index(fields=["account", "ref"], name="dependents_of_a_ref")]

    def __str__(self) -> str:
        return f"{self.dependent_id} on {self.ref}"


class Heartbeat(models.Model):
    """When a process that should always be at work last said so."""

    name = models.CharField(max_length=40, unique=True)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
