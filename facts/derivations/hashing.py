"""The hash of what a target is built from: its inputs, part by part, and the code's version."""

from typing import Any

from facts import canonical


def parts_of(inputs: dict[str, Any]) -> dict[str, str]:
    """The digest of each part of the inputs. Raises NotPlainData."""
    return {part: canonical.digest(value) for part, value in inputs.items()}


def hash_of(parts: dict[str, str], *, version: str) -> str:
    """The hash of all parts and of the code's version, so that new code is a new input."""
    return canonical.digest({"code": version, "parts": parts})
