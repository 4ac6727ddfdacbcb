"""Whether inputs are read from what is stored alone: read twice in two different worlds.

The wall clock, the environment, the folder and chance are others the second time; the moment that
``reading.now`` says is the same. Inputs that differ then would rebuild for ever, or be other inputs
on another machine.
"""

import os
from datetime import timedelta

import time_machine
from django.utils import timezone

from facts.derivations import Derivation, Missing, Reading, Target
from facts.derivations.hashing import parts_of


def unstable_parts(derivation: Derivation, target: Target, *, monkeypatch, tmp_path) -> list[str]:
    """The names of the parts of ``target``'s inputs that come from elsewhere than the store."""
    now = timezone.now()
    first = _parts(derivation, target, now)
    with monkeypatch.context() as elsewhere, time_machine.travel(now + timedelta(days=40)):
        for name in list(os.environ):
            elsewhere.delenv(name)
        elsewhere.setenv("TZ", "Asia/Tokyo")
        elsewhere.chdir(tmp_path)
        second = _parts(derivation, target, now)
    return sorted(part for part in {*first, *second} if first.get(part) != second.get(part))


def _parts(derivation: Derivation, target: Target, now) -> dict[str, str]:
    inputs = derivation.inputs(target, Reading(target.account, now))
    return {} if isinstance(inputs, Missing) else parts_of(inputs)
