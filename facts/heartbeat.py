"""Heartbeats: what a process that should be at work writes, and what watches it reads."""

from datetime import datetime, timedelta

from facts.models import Heartbeat

QUEUE = "queue"  # of the workers, beaten by every tick
PATIENCE = timedelta(minutes=3)  # three ticks


def beat(name: str, *, now: datetime) -> None:
    """Say that ``name`` is at work."""
    Heartbeat.objects.update_or_create(name=name, defaults={"beaten_at": now})


def is_alive(name: str, *, now: datetime, patience: timedelta = PATIENCE) -> bool:
    """Whether ``name`` was at work within ``patience``.

    A beat from further ahead than that is none: the clock jumped back, and nobody knows how old
    it is.
    """
    near = (now - patience, now + patience)
    return Heartbeat.objects.filter(name=name, beaten_at__range=near).exists()
