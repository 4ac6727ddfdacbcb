"""Working off what is due: by a worker's task, or by somebody who waits for it."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from facts import derivations
from facts.derivations import Outcome as Built
from facts.models import Account, Check
from facts.probing import Outcome
from facts.probing.keys import decrypted
from facts.scheduling.claiming import claim
from facts.scheduling.running import make
from facts.scheduling.waking import bring_forward

Clock = Callable[[], datetime]


@dataclass(slots=True)
class Worked:
    """What working came to."""

    checks: int = 0
    changed: int = 0
    failed: int = 0  # checks of which something could not be read at all
    seconds: float = 0.0  # of the sources' time
    troubles: dict[int, str] = field(default_factory=dict)  # by the source's key, why it is down
    busy: set[int] = field(default_factory=set)  # sources that others read as much as is allowed
    built: Counter[Built] = field(default_factory=Counter)  # targets, by what became of them

    def add(self, check: Check, outcome: Outcome | None) -> None:
        """Count one check."""
        assert check.source_id is not None
        if outcome is None:
            self.failed += 1
        elif outcome.is_busy:
            self.busy.add(check.source_id)
        elif outcome.trouble:
            self.troubles[check.source_id] = outcome.trouble
        else:
            self.checks += 1
            self.changed += outcome.changed
            self.failed += bool(outcome.failure)
            self.seconds += outcome.seconds


def probe_due(
    worked: Worked,
    *,
    seconds: float | None = None,
    clock: Clock = timezone.now,
    account: Account | None = None,
    freely: bool = False,
) -> int:
    """Make what is due of sources, one check after the other, until nothing is.

    After ``seconds`` no further check is begun. Returns how many were made.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    made = 0
    while ends is None or time.monotonic() < ends:
        without = worked.troubles.keys() | worked.busy
        claimed = claim(now=clock(), account=account, freely=freely, without=without)
        if not claimed:
            break
        for check in claimed:
            worked.add(check, make(check, now=clock()))
            made += 1
    return made


def rebuild_due(
    worked: Worked, *, seconds: float | None = None, clock: Clock = timezone.now
) -> int:
    """Build what is due of derivations, the most wanted first, until nothing is.

    After ``seconds`` no further one is begun. Returns how many were looked at.
    """
    built = derivations.run_due(seconds=seconds, clock=clock)
    worked.built += built
    return built.total()


def work_off(*, seconds: float, clock: Clock = timezone.now) -> Worked:
    """Make and build what is due, in turn, within budgets, until nothing is or time is up."""
    worked, ends = Worked(), time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        made = probe_due(worked, seconds=left, clock=clock)
        left = ends - time.monotonic()
        built = rebuild_due(worked, seconds=left, clock=clock) if left > 0 else 0
        if not made + built:
            break
    return worked


def settle(account: Account, *, clock: Clock = timezone.now) -> Worked:
    """Make and build everything that is due in an account, or asked for, until nothing is.

    Somebody waits for it, so budgets do not hold it back; what it takes is charged to them, and
    they wait afterwards. Raises SourceRefused for a source whose credentials can't be read, and
    nothing was done then.
    """
    for source in account.sources.all():
        decrypted(source.encrypted_url)
    worked = Worked()
    while True:
        worked.built += derivations.settle(account, clock=clock)
        bring_forward(account, now=clock())
        if not probe_due(worked, account=account, freely=True, clock=clock):
            return worked
