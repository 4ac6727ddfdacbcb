"""The walk through the API in the README, run as it stands against the running site."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from activities import verbs
from activities.documents import Registry
from activities.models import Feedback, Preferences, Vote
from facts import derivations
from tests.conftest import ROOT
from tests.facts.observing import NINE, observe, stored
from tests.processes import environment
from tests.specs.loaded import ORDER, load, spec

REGISTRY = Registry(("refunding",), {"Refund paid": "refunding"}, {"refunding": "Refunding"})


@pytest.fixture
def walked(live_server, acme, alice):
    """What the README's lines print, in an account where orders are known."""
    verbs.replace(REGISTRY, now=NINE)
    load(spec("late-orders", ORDER))
    observe(acme)
    derivations.settle(acme)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [walk] = re.findall(r"^```bash\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail", "-c", walk],
        cwd=ROOT,
        env={
            **environment(),
            "KEN": f"{live_server.url}/api/v1",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_every_line_of_the_walk_does_what_it_says(walked, acme, alice):
    header, readiness, known, verdicts, activities, facts, history, *rest = told(walked)

    assert header == {"text": "Ready: Late orders.\nKnowledge: not-ready."}
    assert readiness["items"][0]["label"] == "Order"
    assert known["types"][0]["type"] == "Order"
    assert [each["spec"] for each in verdicts["results"]] == ["late-orders"]
    assert activities == {"activities": []}
    assert [fact["ref"] for fact in facts["results"]] == ["data:label:Order"]
    assert history["results"][-1]["outcome"] == "confirmed"

    misspelt, refused, unchanged, asked, again, events, written, conflict, *own = rest
    assert (misspelt["errors"][0]["parameter"], refused, unchanged) == ("kidn", "refused", 304)
    assert asked == again
    assert (events["accepted"], events["refused"]) == (1, [])
    assert (written["version"], conflict["status"], conflict["version"]) == (2, 412, 2)

    moved, hidden, taken_back, preferences = own
    assert (moved, hidden["say"], taken_back) == ("moved", "hide", "")
    assert preferences["text"] == "Amounts in euros, please."

    assert stored(acme).value == {"count": 831}
    assert stored(acme).history.get(outcome="requested", by="planner").count == 3  # two reads
    assert Vote.objects.get().person == alice
    assert Feedback.objects.get().withdrawn_at is not None
    assert Preferences.objects.get().person == alice


def told(lines):
    """JSON where a line is some, and the text where it is none."""
    for line in lines:
        yield json.loads(line) if line[:1] in {"{", "3"} else line
