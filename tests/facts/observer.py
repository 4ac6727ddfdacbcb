"""An observer in a process of its own: ``python -m tests.facts.observer URL TOKEN REF VERSION N``.

Observes N times, each time from the version it was told last, and prints won or lost.
"""

import json
import sys
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen


def observe(url: str, token: str, ref: str, version: int, count: int) -> tuple[bool, int]:
    """One observation: whether it was written, and the version the fact is at now."""
    body = {"value": {"count": count}, "measured_from": "2026-03-02T09:00:00Z"}
    request = Request(
        f"{url}/api/v1/facts/{quote(ref)}",
        json.dumps(body).encode(),
        {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "If-Match": f'"{version}"',
        },
        method="PUT",
    )
    try:
        with urlopen(request, timeout=30) as answer:
            return True, json.load(answer)["version"]
    except HTTPError as refusal:
        code, problem = refusal.code, json.load(refusal)
    if (code, problem["type"]) != (412, "/problems/conflict") or problem["version"] <= version:
        sys.exit(f"no loser's answer: {code} {problem}")
    return False, problem["version"]


if __name__ == "__main__":
    url, token, ref, version, times = sys.argv[1:]
    at = int(version)
    for count in range(int(times)):
        won, at = observe(url, token, ref, at, count)
        print("won" if won else "lost")  # noqa: T201 - what it is for
