"""What the store refuses, one base for all of it.

An error's message is one line for the person who caused it. It names refs, kinds and codes, never
a value: values are customers' data and messages end up in logs.
"""

from collections.abc import Mapping
from types import MappingProxyType


class KenError(Exception):
    """Something was asked that can't be done; the message says what would be right.

    ``line`` is which of many it is about, from 0, where many were given at once. A surface that
    knows where in a request that lies says so in ``where``.
    """

    code = "refused"
    line: int | None = None
    where: Mapping[str, str] = MappingProxyType({})


class BadRef(KenError):
    """The text is no address of a fact."""

    code = "bad-ref"


class UnknownKind(KenError):
    """No observer is registered for this kind of fact."""

    code = "unknown-kind"


class UnknownRef(KenError):
    """No fact stands at this ref, or at any that starts so."""

    code = "unknown-ref"


class NotTheOwner(KenError):
    """Somebody other than the fact's one writer tried to observe it."""

    code = "not-the-owner"


class Conflict(KenError):
    """The fact moved since the measurement started; ``version`` is the current one."""

    code = "conflict"

    def __init__(self, ref: str, version: int) -> None:
        super().__init__(f"{ref} moved meanwhile: it is at version {version} now")
        self.ref = ref
        self.version = version


class BadMeasurement(KenError):
    """A measurement that says something impossible: from the future, without a value, misshapen."""

    code = "bad-measurement"


class NotPlainData(KenError):
    """The value holds something that has no canonical form, or that jsonb can't hold."""

    code = "not-plain-data"


class UnknownDerivation(KenError):
    """No derivation is registered by this name."""

    code = "unknown-derivation"


class ImpureBuild(KenError):
    """A build reaches what it may not: a clock, chance, the environment, a file, the database."""

    code = "impure-build"


class SameVersion(KenError):
    """A derivation's code is another than the one committed under the same version."""

    code = "same-version"


class UnsettledInputs(KenError):
    """A derivation reads other facts each time it reads its inputs."""

    code = "unsettled-inputs"


class UnknownAccount(KenError):
    """No account has this id."""

    code = "unknown-account"


class UnknownPerson(KenError):
    """The account has no person with this id."""

    code = "unknown-person"


class UnreadableFile(KenError):
    """A file named on the command line can't be read."""

    code = "unreadable-file"


class BadIntake(KenError):
    """What the product told of an account makes no sense, or must not be kept."""

    code = "bad-intake"


class BadToken(KenError):
    """The credential is none, or no longer one."""

    code = "bad-token"


class NotPermitted(KenError):
    """The credential is good and does not reach that far."""

    code = "not-permitted"


class TooManyCalls(KenError):
    """The credential made all the calls it may make for now; ``wait`` is until when, in seconds."""

    code = "too-many-calls"

    def __init__(self, wait: int) -> None:
        super().__init__(f"this token made its calls of this minute; try again in {wait} seconds")
        self.wait = wait


class KeyReused(KenError):
    """An Idempotency-Key came again with another request."""

    code = "key-reused"


class NameTaken(KenError):
    """Something of that name exists already."""

    code = "name-taken"


class BadBudget(KenError):
    """A budget that is no positive number."""

    code = "bad-budget"


class NothingTaken(KenError):
    """Every line of a file that says anything was refused."""

    code = "nothing-taken"


class NotConfirmed(KenError):
    """Somebody was asked whether they mean it, and did not say so."""

    code = "not-confirmed"


class StillThere(KenError):
    """What was erased is found after all."""

    code = "still-there"
