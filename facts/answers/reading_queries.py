"""A query as the account's own schema reads it, and what an answer keeps of that."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from facts.answers.analysis import FORM, Analysis, analyse
from facts.answers.asking import Question
from facts.answers.containment import judge
from facts.answers.errors import BadAnswer
from facts.answers.schema import Schema, columns_digest
from facts.answers.schema_reading import Document, schema_document, trimmed
from facts.models import Account, Answer

_FAULTS = {"contradicts": "it contradicts it", "leaves-out": "it leaves a part of it out"}


@dataclass(frozen=True, slots=True)
class Read:
    """A query's analysis, the question it answers, and the schema it was made by."""

    question: Question
    analysis: Analysis
    schema: Document

    def kept(self) -> dict[str, Any]:
        """What an answer keeps of it, by field: all that a lookup needs, and what dates it."""
        asked = {constraint.label for constraint in self.question.constraints}
        labels = sorted(asked | {label for read in self.analysis.reads for label in read[::2]})
        return {
            "analysis": self.analysis.to_document(),
            "form": FORM,
            "schema": trimmed(self.schema, labels),
            "labels": labels,
            "columns": columns_digest(Schema.from_document(self.schema), self.analysis.reads),
        }


def read_query(
    account: Account, question: Question, query: str, dialect: str, params: Mapping[str, Any]
) -> Read:
    """Analyse a query, and see that it answers its own question. Two queries.

    Whoever proposes it says its dialect, and is believed where the source speaks it.

    Raises BadAnswer, with the reason.
    """
    document = schema_document(account, dialect)
    schema = Schema.from_document(document)
    analysis = analyse(query, dialect, schema, params)
    if analysis.unreadable:
        raise BadAnswer(f"the query can't be analysed: {analysis.unreadable}")
    decision = judge(question.constraints, analysis, schema)
    if fault := _FAULTS.get(decision.verdict):
        raise BadAnswer(f"the query does not answer its question, {fault}: {decision.reason}")
    return Read(question, analysis, document)


def question_of(answer: Answer) -> Question:
    """The question that the answer was proposed for."""
    return Question.from_document(
        {"text": answer.text, "things": answer.things, "constraints": answer.constraints}
    )


def read_again(answer: Answer) -> Read:
    """The answer's query by the schema of now. Raises BadAnswer where it no longer answers."""
    return read_query(
        answer.account, question_of(answer), answer.query, answer.dialect, answer.params
    )


def keep(answer: Answer, read: Read) -> None:
    """Keep what the query is by the schema of now: somebody has looked at it."""
    kept = {**read.kept(), "schema_changed_at": None}
    for name, value in kept.items():
        setattr(answer, name, value)
    answer.save(update_fields=list(kept))


def additions_of(answer: Answer) -> list[str]:
    """What the stored query restricts besides what its own question asks. No query."""
    question, schema = question_of(answer), Schema.from_document(answer.schema)
    analysis = Analysis.from_document(answer.analysis)
    return list(judge(question.constraints, analysis, schema).additions)
