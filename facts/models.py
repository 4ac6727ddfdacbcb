"""The tables of the store, their constraints, and the querysets that read them.

Every table carries its account: it is the scope of every read and the shard key.
"""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce
from django.utils import timezone

from facts import (
    ledgers,  # noqa: F401  Django looks for an app's tables here
    trust,
)
from facts.errors import BadRef
from facts.fields import GuardedJSONField
from facts.refs import NAMESPACES, Ref
from facts.trust import Evidence, Trust

ABSENT = {"absent": True}  # the value of a fact about what does not exist


class Account(models.Model):
    """A tenant, known by the product's own id."""

    external_id = models.CharField("id", max_length=200, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        permissions = [("forget_account", "Can erase everything of an account or a person")]

    def __str__(self) -> str:
        return self.external_id


class Person(models.Model):
    """Somebody in an account, known by the product's own id, optionally tied to a user."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="people")
    external_id = models.CharField("id", max_length=200)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="person"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "people"
        constraints = [
            models.UniqueConstraint(fields=["account", "external_id"], name="one_person_per_id")
        ]

    def __str__(self) -> str:
        return self.external_id


class Token(models.Model):
    """The credential of a program: what it may do, in which account, until when.

    Of its secret only a hash is kept; ``handle`` is the part of it that finds the row.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="tokens")
    person = models.ForeignKey(Person, models.CASCADE, null=True, blank=True, related_name="tokens")
    name = models.CharField(max_length=100, help_text="Who asks, as a fact's history shows it.")
    observer = models.CharField(
        max_length=60, blank=True, help_text="Empty: it reads, and requests measurements."
    )
    handle = models.CharField(max_length=12, unique=True, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="Empty: never.")
    last_used_at = models.DateTimeField(null=True, editable=False)  # within a minute
    revoked_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "name"],
                condition=Q(revoked_at=None),
                name="one_token_in_force_per_name",
            )
        ]

    def __str__(self) -> str:
        return f"{self.account}/{self.name}"


class Source(models.Model):
    """A database that belongs to an account and is only ever read."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="sources")
    name = models.CharField(max_length=100, default="main")
    encrypted_url = models.TextField(editable=False)
    mapping = models.JSONField(default=dict, blank=True)
    seconds_per_hour = models.FloatField(
        "budget", default=120, help_text="Seconds of the source's time that an hour may cost."
    )
    concurrency = models.PositiveSmallIntegerField(
        default=1, help_text="How many probes may read the source at once."
    )
    row_limit = models.BigIntegerField(
        default=5_000_000, help_text="Tables with more rows are sampled, and facts say so."
    )
    failure = models.CharField(max_length=40, blank=True, editable=False)
    reflected_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "name"], name="one_source_per_name"),
            models.CheckConstraint(condition=Q(seconds_per_hour__gt=0), name="budget_is_positive"),
            models.CheckConstraint(condition=Q(concurrency__gt=0), name="concurrency_is_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.account}/{self.name}"


class Table(models.Model):
    """A table of a source, and the names given to it, its columns and its relations.

    Names are assigned once and stored, so that they never move when a neighbour comes or goes.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    source = models.ForeignKey(Source, models.CASCADE, related_name="tables")
    schema = models.TextField(blank=True)
    name = models.TextField()
    label = models.TextField()
    properties = models.JSONField(default=dict)  # {column: property}
    verbs = models.JSONField(default=dict)  # {hop's physical key: verb}
    structure = models.JSONField(default=dict)  # the probing.layout.Layout last reflected
    row_estimate = models.BigIntegerField(null=True)  # the catalogue's, never a count
    gone_at = models.DateTimeField(null=True)  # when a complete reflection missed it

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "schema", "name"], name="one_table_per_name"),
            models.UniqueConstraint(fields=["account", "label"], name="one_table_per_label"),
        ]

    def __str__(self) -> str:
        return self.label


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


class FactQuerySet(models.QuerySet["Fact"]):
    """Reads of facts; each is one query and computes nothing."""

    def at(self, *refs: Ref) -> Self:
        """The facts at ``refs``."""
        if len(refs) == 1:  # the hot reads'
            (ref,) = refs
            return self.filter(namespace=ref.namespace, kind=ref.kind, key=ref.key)
        places = Q(pk__in=[])
        by_kind: dict[tuple[str, str], list[str]] = {}
        for ref in refs:
            by_kind.setdefault((ref.namespace, ref.kind), []).append(ref.key)
        for (namespace, kind), keys in by_kind.items():
            places |= Q(namespace=namespace, kind=kind, key__in=keys)
        return self.filter(places)

    def under(self, prefix: str) -> Self:
        """The facts whose ref starts with ``prefix``: ``data:``, ``data:hop:Order|``.

        Raises BadRef for a text that no ref starts with.
        """
        namespace, colon, rest = prefix.partition(":")
        kind, second_colon, key = rest.partition(":")
        if not colon:
            if not any(known.startswith(namespace) for known in NAMESPACES):
                raise BadRef(f"a ref starts with one of {', '.join(NAMESPACES)}")
            return self.filter(namespace__startswith=namespace)
        if namespace not in NAMESPACES:
            raise BadRef(f"a ref starts with one of {', '.join(NAMESPACES)}")
        if not second_colon:
            return self.filter(namespace=namespace, kind__startswith=kind)
        return self.filter(namespace=namespace, kind=kind, key__startswith=key)

    def open(self) -> Self:
        """The facts somebody asked for since their newest real measurement started."""
        return self.filter(requested_at__isnull=False).filter(
            Q(measured_from=None) | Q(requested_at__gte=F("measured_from"))
        )

    def settled(self) -> Self:
        """The facts that nobody waits for."""
        return self.filter(Q(requested_at=None) | Q(requested_at__lt=F("measured_from")))

    def failing(self) -> Self:
        """The facts whose object could not be read, or whose newest counted event refutes them."""
        return self.filter(~Q(failure="") | Q(refuted=True))

    def readable(self) -> Self:
        """The facts that do not fail."""
        return self.filter(failure="", refuted=False)


class Fact(models.Model):
    """The stored current value at a ref. Only the owner's observations move ``version``."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="facts")
    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="facts")
    namespace = models.CharField(max_length=10)
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=1000)

    value = GuardedJSONField(null=True)  # NULL: never measured
    digest = models.CharField(max_length=64, blank=True)
    version = models.PositiveBigIntegerField(default=0)
    measured_from = models.DateTimeField(null=True)
    measured_at = models.DateTimeField(null=True)
    requested_at = models.DateTimeField(null=True)  # the newest request's time
    failure = models.CharField(max_length=40, blank=True)  # a code, never a message

    refuted = models.BooleanField(default=False)
    support = models.FloatField(default=0)
    refute = models.FloatField(default=0)
    evidence_at = models.DateTimeField(null=True)  # the moment the two sums are of
    confirmed_at = models.DateTimeField(null=True)
    refuted_at = models.DateTimeField(null=True)
    verified_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    verified_at = models.DateTimeField(null=True)
    trust_lapses_at = models.DateTimeField(null=True)

    built_from = models.CharField(max_length=64, blank=True)  # the hash of a derived fact's inputs
    built_by = models.CharField(max_length=40, blank=True)  # and its code's version
    settled_by = models.ForeignKey(Check, models.SET_NULL, null=True, related_name="facts")

    objects = FactQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "person", "namespace", "kind", "key"],
                nulls_distinct=False,
                name="one_fact_per_ref",
            ),
            models.CheckConstraint(
                condition=Q(namespace="user", person__isnull=False)
                | (~Q(namespace="user") & Q(person=None)),
                name="user_facts_have_a_person",
            ),
            models.CheckConstraint(
                condition=~Q(kind="vocabulary")
                | Q(value__isnull=True)
                | Q(value__contains={"absent": True})  # unlike ->, never NULL, which would pass
                | Q(key=Coalesce(KeyTextTransform("of", "value"), Value(""))),
                name="vocabulary_says_of_what",
            ),
        ]
        permissions = [("request_fact", "Can ask for a fact to be measured again")]
        indexes = [
            models.Index(  # read by the tick: whose trust changes by itself
                fields=["trust_lapses_at"],
                condition=Q(trust_lapses_at__isnull=False),
                name="lapsing_facts",
            ),
        ]

    def __str__(self) -> str:
        return str(self.ref)

    @property
    def ref(self) -> Ref:
        """The fact's address."""
        return Ref(self.namespace, self.kind, self.key)

    @property
    def evidence(self) -> Evidence:
        """The running sums of what was counted for and against it."""
        return Evidence(
            support=self.support,
            refute=self.refute,
            at=self.evidence_at,
            confirmed_at=self.confirmed_at,
            refuted_at=self.refuted_at,
        )

    def trust(self, now: datetime) -> Trust:
        """What a reader may make of the value at ``now``."""
        return trust.state(
            self.evidence,
            now=now,
            verified=self.verified_at is not None,
            cut_offs=settings.TRUST_CUT_OFFS,
        )

    @property
    def failing(self) -> bool:
        """Whether its object could not be read, or its newest counted event refutes it."""
        return bool(self.failure) or self.refuted

    @property
    def is_absent(self) -> bool:
        """Whether what it is about does not exist, or no longer."""
        return bool(self.value == ABSENT)

    @property
    def is_open(self) -> bool:
        """Whether somebody asked for it since its newest real measurement started."""
        return self.requested_at is not None and (
            self.measured_from is None or self.requested_at >= self.measured_from
        )


class Observation(models.Model):
    """One line of a fact's history: a measurement, or a day's requests or uses by one asker."""

    class Outcome(models.TextChoices):
        CONFIRMED = "confirmed"
        REFUTED = "refuted"
        USED = "used"
        REQUESTED = "requested"
        MEASURED = "measured"
        FAILED = "failed"

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    fact = models.ForeignKey(Fact, models.CASCADE, related_name="history")
    by = models.CharField(max_length=200)
    day = models.DateField()  # UTC
    outcome = models.CharField(max_length=10, choices=Outcome)
    counted = models.BooleanField(default=False)  # whether it moved the evidence sums
    count = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    digest = models.CharField(max_length=64, blank=True)
    failure = models.CharField(max_length=40, blank=True)
    figures = GuardedJSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["fact", "by", "day", "outcome"],
                condition=Q(outcome__in=["requested", "used"]),
                name="one_row_per_asker_and_day",
            ),
        ]
        indexes = [models.Index(fields=["fact", "-last_at"], name="history_of_a_fact")]

    def __str__(self) -> str:
        return f"{self.outcome} by {self.by}"


class Integration(models.Model):
    """When an integration last worked.

    The time moves with every run and says nothing new, so it stands beside the fact
    ``account:integration:<name>``, outside its value and digest.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="integrations")
    name = models.CharField(max_length=200)
    last_succeeded = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "name"], name="one_integration_per_name")
        ]

    def __str__(self) -> str:
        return self.name


class Heartbeat(models.Model):
    """When a process that should always be at work last said so."""

    name = models.CharField(max_length=40, unique=True)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
