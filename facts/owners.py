"""Who may write which kind of fact: one observer each, registered by the app that owns it."""

from facts.errors import NotTheOwner, UnknownKind
from facts.refs import Ref

_owners: dict[tuple[str, str], str] = {}


def register(namespace: str, kind: str, *, observer: str) -> None:
    """Make ``observer`` the one writer of facts ``namespace:kind:*``.

    Called from an app's ``ready()``. A second owner for a kind is a programming error.
    """
    known = _owners.setdefault((namespace, kind), observer)
    if known != observer:
        raise RuntimeError(f"{namespace}:{kind} is owned by {known}, not {observer}")


def owner_of(ref: Ref) -> str:
    """The observer that owns ``ref``'s kind. Raises UnknownKind, naming the kinds there are."""
    try:
        return _owners[ref.namespace, ref.kind]
    except KeyError:
        kinds = ", ".join(sorted(f"{namespace}:{kind}" for namespace, kind in _owners))
        raise UnknownKind(f"nobody observes such facts; the kinds are {kinds}") from None


def demand_owner(ref: Ref, by: str) -> None:
    """Raise NotTheOwner unless ``by`` is the one writer of ``ref``."""
    if (owner := owner_of(ref)) != by:
        raise NotTheOwner(f"{ref.namespace}:{ref.kind} is written by {owner} only, not by {by}")


def kinds() -> list[tuple[str, str]]:
    """Every (namespace, kind) that somebody owns, sorted."""
    return sorted(_owners)


def kinds_of(observer: str) -> list[tuple[str, str]]:
    """The (namespace, kind) pairs that ``observer`` owns, sorted."""
    return sorted(kind for kind, owner in _owners.items() if owner == observer)


def observers() -> list[str]:
    """Every registered observer, sorted."""
    return sorted(set(_owners.values()))
