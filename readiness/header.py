"""The header: at most three short lines that ride every turn of the assistant. Pure.

    Works on: Refund handling, Supplier onboarding, Late orders and 2 more.
    Ready: Late orders, Refunds. Almost ready: Supplier scorecards (needs: carrier data).
    Knowledge: almost-ready, 73%. Still learning Shipment.

A part with nothing to say is left out. Every list that is cut says so. Names are somebody's words
and are cleaned, so that none can end a line, open a quote or begin an instruction of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from readiness.naming import cleaned, listed

MOST_NAMES = 3
LONGEST = 1000  # characters
NOTHING_KNOWN = "Knowledge: not-ready."


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature as a spec judged it: its title, its verdict, and what would make it better."""

    title: str
    verdict: str
    lacks: Sequence[str] = ()


def header(
    *,
    activities: Sequence[str],
    features: Sequence[Feature],
    level: str,
    shown: int | None,
    gap: str | None,
) -> str:
    """The header's text, each line ended by a line break but the last.

    ``activities`` are titles in their order; ``level``, ``shown`` and ``gap`` are the rollup's.
    """
    lines = [
        _works_on(activities),
        _features(features),
        _knowledge(level, shown, gap),
    ]
    text = "\n".join(line for line in lines if line)
    if len(text) > LONGEST:  # three lists of three names can't get here; a rule may change
        raise ValueError("a header has at most 1,000 characters")
    return text


def _works_on(activities: Sequence[str]) -> str:
    return f"Works on: {listed(activities, most=MOST_NAMES)}." if activities else ""


def _features(features: Sequence[Feature]) -> str:
    parts = []
    if ready := [feature.title for feature in features if feature.verdict == "ready"]:
        parts.append(f"Ready: {listed(ready, most=MOST_NAMES)}.")
    if almost := [feature for feature in features if feature.verdict == "almost-ready"]:
        shown = ", ".join(_with_lacks(feature) for feature in almost[:MOST_NAMES])
        more = len(almost) - MOST_NAMES
        parts.append(f"Almost ready: {shown}{f' and {more} more' if more > 0 else ''}.")
    return " ".join(parts)


def _with_lacks(feature: Feature) -> str:
    title = cleaned(feature.title).replace(",", " ")
    if not feature.lacks:
        return title
    return f"{title} (needs: {listed(feature.lacks, most=1)})"


def _knowledge(level: str, shown: int | None, gap: str | None) -> str:
    if shown is None:
        return NOTHING_KNOWN
    return f"Knowledge: {level}, {shown}%." + (f" {gap}" if gap else "")
