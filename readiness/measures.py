"""How much a type of record is used, as a share. Pure."""

from collections.abc import Mapping


def use_shares(uses: Mapping[str, int]) -> dict[str, int]:
    """Each type's share of the use in whole percent, rounded half up; none where none is used."""
    total = sum(uses.values())
    if not total:
        return {}
    return {name: (200 * use + total) // (2 * total) for name, use in uses.items()}
