"""What learning a source came to, in words and as plain data, and a bar while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from facts.probing.learning import Learned, Progress

_MOST_NAMED = 5  # failures that a summary names


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on a terminal's stderr, and nothing where there is no terminal."""
    with tqdm(unit="table", desc="Learning", disable=None, leave=False) as bar:

        def progress(done: int, of: int) -> None:
            bar.total = of
            bar.update(done - bar.n)

        yield progress


def report(learned: Learned) -> str:
    """The summary, a line or a few."""
    found = "Learned" if learned.is_new else "Learned again"
    counts = ", ".join(
        [
            _many(learned.tables, "table"),
            _many(learned.facts, "fact"),
            f"{_many(learned.changed, 'table')} changed",
        ]
    )
    cost = f"{learned.seconds:.1f} seconds of the database's time"
    lines = [f"{found} {learned.source}: {counts}, in {cost}."]
    if learned.left:
        lines.append(f"{_many(learned.left, 'table')} left for another time.")
    if learned.row_security:
        lines.append(
            f"Seen as this user sees them (row-level security): {_named(learned.row_security)}."
        )
    if learned.sampled:
        lines.append(f"Sampled, because they are large: {_named(learned.sampled)}.")
    if learned.failures:
        failures = [f"{label} ({code})" for label, code in sorted(learned.failures.items())]
        lines.append(f"Could not be read: {_named(failures)}.")
    if learned.conflicts:
        lines.append(
            f"{_many(len(learned.conflicts), 'fact')} moved meanwhile and stand as they do."
        )
    return "\n".join(lines)


def as_plain(learned: Learned) -> dict[str, Any]:
    """The summary as JSON holds it."""
    return {
        "account": str(learned.source.account),
        "source": learned.source.name,
        "new": learned.is_new,
        "tables": learned.tables,
        "facts": learned.facts,
        "changed": learned.changed,
        "left": learned.left,
        "seconds": round(learned.seconds, 3),
        "statements": learned.statements,
        "failures": learned.failures,
        "sampled": learned.sampled,
        "row_security": learned.row_security,
        "conflicts": [conflict.ref for conflict in learned.conflicts],
        "trouble": learned.trouble,
    }


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"
