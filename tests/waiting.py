"""Waiting for what other processes bring about, for as long as a loaded machine may take."""

import time
from collections.abc import Callable
from typing import Any

import pytest

PATIENCE = 90.0  # seconds for anything to come about
LOOK = 0.05  # seconds between two looks


def until(
    condition: Callable[[], Any], what: str = "it", *, keep: Callable[[], object] = int
) -> Any:
    """What ``condition`` answers once it is true, with ``keep`` done meanwhile; or fails."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := condition():
            return found
        keep()
        time.sleep(LOOK)
    return pytest.fail(f"never came about: {what}")
