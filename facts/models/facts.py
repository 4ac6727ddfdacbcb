"""Facts and their history, and the querysets that read them."""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce

from facts import trust
from facts.errors import BadRef
from facts.fields import GuardedJSONField
from facts.models.accounts import Account, Person
from facts.models.checks import Check
from facts.refs import NAMESPACES, Ref
from facts.trust import Evidence, Trust

ABSENT = {"absent": True}


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
