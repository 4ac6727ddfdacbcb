"""The tables of what a source's budget has come to."""

from django.db import models
from django.utils import timezone


class Ledger(models.Model):
    """What is left of a source's budget, the threshold that spends it, and whether it answers.

    Apart from Source, which people edit, because every probe writes here.
    """

    account = models.ForeignKey("facts.Account", models.CASCADE, related_name="+")
    source = models.OneToOneField("facts.Source", models.CASCADE, related_name="ledger")
    threshold = models.FloatField(default=0)  # weighted days of freshness a second
    applied = models.FloatField(default=0)  # the threshold that all rows were last reckoned with
    longest_wait = models.FloatField(default=30)  # days; nothing waits longer for its check
    solved_at = models.DateTimeField(null=True)
    credit = models.FloatField(null=True)  # seconds, at credited_at; NULL: an hour's budget
    credited_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveIntegerField(default=0)  # times in a row that it did not answer
    retry_at = models.DateTimeField(null=True)  # when one check may try again

    class Meta:
        verbose_name = "budget"

    def __str__(self) -> str:
        return f"ledger of {self.source}"


class Spending(models.Model):
    """The seconds of a source's time that one hour's checks took."""

    account = models.ForeignKey("facts.Account", models.CASCADE, related_name="+")
    source = models.ForeignKey("facts.Source", models.CASCADE, related_name="spendings")
    hour = models.DateTimeField()  # its start, UTC
    seconds = models.FloatField(default=0)
    checks = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)  # of these checks

    class Meta:
        verbose_name_plural = "spending"
        constraints = [
            models.UniqueConstraint(fields=["source", "hour"], name="one_spending_per_hour")
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.hour:%Y-%m-%d %H}h"
