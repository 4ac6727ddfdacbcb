"""Answers that were proposed for questions, and what became of them."""

from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from facts.fields import GuardedDocumentField, GuardedTextField
from facts.models.accounts import Account, Person
from facts.models.facts import Fact
from facts.trust import Trust


class AnswerQuerySet(models.QuerySet["Answer"]):
    """Reads of answers."""

    def in_force(self) -> Self:
        """The one answer of each question that may be served."""
        return self.filter(state=Answer.State.PROPOSED)


class Answer(models.Model):
    """A query that answers a question, and the analysis that says which questions exactly.

    Its trust stands in ``fact``, at ``answer:question:<key>``. The fact speaks of this answer as
    long as its digest is ``value_digest``: of two answers to a question only the one that was
    confirmed has evidence. A lookup needs nothing but this row and the fact's.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed"
        REPLACED = "replaced"  # by another query for the same question
        RETIRED = "retired"

    account = models.ForeignKey(Account, models.CASCADE, related_name="answers")
    fact = models.ForeignKey(Fact, models.CASCADE, related_name="answers")
    person = models.ForeignKey(  # whose credential proposed it
        Person, models.CASCADE, null=True, related_name="answers"
    )
    state = models.CharField(max_length=8, choices=State, default=State.PROPOSED)

    text = GuardedTextField("question")
    things = GuardedDocumentField(default=list)
    constraints = GuardedDocumentField(default=list)
    query = GuardedTextField()
    dialect = models.CharField(max_length=20)
    params = GuardedDocumentField(default=dict)

    analysis = GuardedDocumentField()
    form = models.PositiveIntegerField(default=0)  # of the analysis; an older one is read anew
    schema = GuardedDocumentField()  # of the labels it reads, as the analysis saw them
    labels = ArrayField(models.TextField(), default=list)  # that it reads
    columns = models.CharField(max_length=64)  # the digest of the columns it reads
    value_digest = models.CharField(max_length=64, blank=True)

    proposed_by = models.CharField(max_length=200)
    by_person = models.BooleanField(default=False)
    proposed_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    rejected_at = models.DateTimeField(null=True)  # a person refuted it and none confirmed since
    schema_changed_at = models.DateTimeField(null=True)  # and nobody has looked at it since

    objects = AnswerQuerySet.as_manager()

    class Meta:
        permissions = [
            ("verify_answer", "Can verify answers, and take that back"),
            ("retire_answer", "Can retire answers"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["fact"], condition=Q(state="proposed"), name="one_answer_in_force"
            ),
            models.CheckConstraint(
                condition=Q(state="proposed", ended_at=None)
                | (~Q(state="proposed") & Q(ended_at__isnull=False)),
                name="what_ended_says_when",
            ),
        ]
        indexes = [
            models.Index(  # read by the tick: what an older Ken analysed
                fields=["form"], condition=Q(state="proposed"), name="answers_by_form"
            )
        ]

    def __str__(self) -> str:
        return self.text


class AnswerOutcome(models.Model):
    """What somebody said of an answer, with the trust and the readiness it was given under.

    Kept for calibration: the figures are those before the outcome moved any of them.
    """

    class Outcome(models.TextChoices):
        CONFIRMED = "confirmed"
        REFUTED = "refuted"

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    answer = models.ForeignKey(Answer, models.CASCADE, related_name="outcomes")
    outcome = models.CharField(max_length=9, choices=Outcome)
    by_person = models.BooleanField()
    reused = models.BooleanField()  # whoever says so was served the answer, and works by it
    at = models.DateTimeField()
    trust = models.CharField(max_length=8, choices=[(str(state), str(state)) for state in Trust])
    number = models.FloatField()  # of trust
    lower_bound = models.FloatField()  # of trust
    level = models.CharField(max_length=12, blank=True)  # of readiness; empty: not known
    coverage = models.FloatField(null=True)  # of readiness, in percent

    class Meta:
        indexes = [models.Index(fields=["at"], name="outcomes_in_order")]

    def __str__(self) -> str:
        return f"{self.outcome} at {self.number:.2f}"
