"""What one value says about itself."""

import re
from typing import Any

from facts.guard.names import property_rule

SHARED_BY = 3  # records, and owners where they are counted; fewer are about somebody

_EMAIL = re.compile(r"\S\s*@\s*[^\s@]+\.[^\W\d]{2,}")


def value_reason(
    value: Any,
    *,
    of: str,
    type: str,
    records: int,
    owners: int | None = None,
) -> str | None:
    """Why this value of ``of`` (``Label|property``) may not be kept, as a code, or None.

    ``records`` hold it in the source; ``owners`` are the distinct people behind them, None where
    the label reaches nobody.
    """
    label, _, name = of.partition("|")
    if rule := property_rule(label, name, type, owned=owners is not None):
        return rule
    if records < SHARED_BY:
        return "shared"
    if owners is not None and owners < SHARED_BY:
        return "owners"
    return text_reason(value) if isinstance(value, str) else None


def text_reason(text: str) -> str | None:
    """Why this text may not be kept wherever it stands: an e-mail's shape, a credential, None."""
    return "email" if _EMAIL.search(text) else None
