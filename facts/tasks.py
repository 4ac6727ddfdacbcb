"""What the queue runs. Every task is safe to run twice."""

from django.utils import timezone

from facts import heartbeat


def tick() -> None:
    """Say that the workers are at work. Run every minute by the one Schedule row."""
    heartbeat.beat(heartbeat.QUEUE, now=timezone.now())
