"""Databases that are only ever read, and the names given to what is in them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from facts.models.accounts import Account


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
