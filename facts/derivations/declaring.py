"""What a derivation declares, and the register of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from facts.derivations.reading import Reading
from facts.errors import UnknownDerivation
from facts.models import Account
from facts.refs import Ref


@dataclass(frozen=True, slots=True)
class Target:
    """What one run builds: the whole account, or something in it that ``name`` names."""

    account: Account
    name: str = ""  # a spec's id, a person's; at most 200 characters


@dataclass(frozen=True, slots=True)
class Missing:
    """Not all there yet: the account's first probe has not finished.

    Nothing is built or hashed, the stored value is served, and ``refs`` are requested. A fact that
    was never measured is no reason for Missing: it is an input, and unknown.
    """

    refs: tuple[Ref, ...] = ()


Inputs = dict[str, Any]  # plain data by the name of its part
Built = Mapping[
    tuple[str | None, Ref], Any
]  # by the person's id (None but for user: facts) and ref


def _nothing_wanted(_target: Target) -> float:
    return 0


def _no_figures(_ref: Ref, _value: Any) -> Any:
    return None


def _no_target(_ref: Ref, _person: str | None) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A kind of fact that is computed from other facts, by one observer.

    ``inputs`` reads stored facts through the Reading, which notes what the target rests on, and
    what else of its own room it needs. It answers plain data in named parts, of which everything
    that ``build`` reads is one, cut-offs and settings included. ``build`` is pure, a named function
    of a module, and never sees a clock or a database. What it returned before and no longer does
    becomes absent. ``figures`` names the small numbers of a value that stay in its history, for
    trends. A room that changes inputs which are no facts calls ``wake``; one whose targets
    come or go calls ``sync_targets``.
    """

    name: str
    version: str  # of the code of build; a guard in the tests says when to raise it
    owner: str  # the observer that owns what it builds
    targets: Callable[[Account], Iterable[str]]  # the names of an account's targets
    inputs: Callable[[Target, Reading], Inputs | Missing]
    build: Callable[[Inputs], Built]
    demand: Callable[[Target], float] = _nothing_wanted  # how much it is wanted, 0 for not at all
    target_of: Callable[[Ref, str | None], str | None] = _no_target  # whose ref (and person) it is
    figures: Callable[[Ref, Any], Any] = _no_figures  # of a value that is there


_derivations: dict[str, Derivation] = {}


def register(derivation: Derivation) -> None:
    """Make a derivation known. Called from an app's ``ready()``."""
    if _derivations.setdefault(derivation.name, derivation) != derivation:
        raise RuntimeError(f"there are two derivations named {derivation.name}")


def unregister(name: str) -> None:
    """Forget a derivation; its facts and checks stay as they are."""
    _derivations.pop(name, None)


def registered() -> list[Derivation]:
    """Every derivation, by name."""
    return [_derivations[name] for name in sorted(_derivations)]


def named(name: str) -> Derivation:
    """The derivation of that name. Raises UnknownDerivation."""
    try:
        return _derivations[name]
    except KeyError:
        names = ", ".join(sorted(_derivations)) or "none"
        raise UnknownDerivation(f"there is no derivation {name!r}; there are {names}") from None
