"""Tenants, their people and programs, and the integrations they have."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class Account(models.Model):
    """A tenant, known by the product's own id."""

    external_id = models.CharField("id", max_length=200, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        permissions = [
            ("forget_account", "Can erase everything of an account or a person"),
            ("set_plan", "Can set the features of an account's plan"),
        ]

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
    calls = models.PositiveIntegerField(default=0, editable=False)  # taken since calls_from
    calls_from = models.DateTimeField(null=True, editable=False)  # when its newest minute began

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
