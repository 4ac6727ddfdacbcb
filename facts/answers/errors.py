"""What proposing, looking up and reviewing answers refuses. No message holds a value."""

from facts.errors import KenError


class BadAnswer(KenError):
    """What was proposed can't be kept, or does not answer its own question."""

    code = "bad-answer"


class BadOutcome(KenError):
    """Something is said of an answer that can't be said of it."""

    code = "bad-outcome"


class UnknownAnswer(KenError):
    """The account has no answer of this number."""

    code = "unknown-answer"


class AnswerStands(KenError):
    """The question has an answer that this proposal may not replace."""

    code = "answer-stands"


class AnswerEnded(KenError):
    """The answer was replaced or retired: nothing more can be said of it."""

    code = "answer-ended"
