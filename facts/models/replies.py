"""What was answered to writes that named an Idempotency-Key."""

from django.db import models

from facts.models.accounts import Account, Person


class Reply(models.Model):
    """The answer to one write, kept for a while so that the same write is not made twice.

    Of the key and of what was asked only hashes are kept. The answer names refs and versions, and
    the person in view, with whom it goes.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="+")
    caller = models.CharField(max_length=60)  # the one credential: token:12, login:3
    key = models.CharField(max_length=64)
    asked = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField()  # JSON as it was sent: jsonb would order it otherwise
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "replies"
        constraints = [
            models.UniqueConstraint(fields=["account", "caller", "key"], name="one_reply_per_key")
        ]
        indexes = [models.Index(fields=["at"], name="replies_by_age")]

    def __str__(self) -> str:
        return f"reply to {self.caller}"
