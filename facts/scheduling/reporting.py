"""What working came to, in a line or as plain data."""

from typing import Any

from facts.models import Source
from facts.scheduling.working import Worked


def report(worked: Worked) -> str:
    """One line: what was read of databases, and what was built."""
    parts = []
    if worked.checks:
        said = [f"{_many(worked.checks, 'check')} of databases"]
        said += [f"{worked.changed} found changes"] if worked.changed else []
        said += [f"{worked.failed} failed"] if worked.failed else []
        parts.append(f"{', '.join(said)}, in {worked.seconds:.1f} seconds of their time")
    if worked.built:
        outcomes = [f"{count} {outcome}" for outcome, count in sorted(worked.built.items())]
        parts.append(f"{_many(worked.built.total(), 'build')}: {', '.join(outcomes)}")
    return f"{'; '.join(parts)}." if parts else "Nothing was due."


def troubles(worked: Worked) -> list[str]:
    """A phrase for each source that did not answer or that others were reading. A query."""
    sources = Source.objects.select_related("account").in_bulk(worked.troubles.keys() | worked.busy)
    return [
        f"{source} can't be read ({worked.troubles[key]})"
        if key in worked.troubles
        else f"{source} is being read by others already"
        for key, source in sorted(sources.items())
    ]


def as_plain(worked: Worked) -> dict[str, Any]:
    """The same as JSON holds it."""
    return {
        "checks": worked.checks,
        "changed": worked.changed,
        "failed": worked.failed,
        "seconds": round(worked.seconds, 3),
        "built": {str(outcome): count for outcome, count in sorted(worked.built.items())},
        "troubles": troubles(worked),
    }


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
