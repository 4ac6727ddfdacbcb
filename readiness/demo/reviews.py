"""The specs of the demo: the starter ones in force, one that waits for a review, one being written.

A spec that is known already stays as it is, whatever became of it.
"""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from readiness.demo.logins import REVIEWER
from specs import loading, reviewing
from specs.models import Spec

IN_FORCE_FOR = timedelta(days=50)
IN_REVIEW = "late-orders"

_DRAFT: dict[str, Any] = {
    "id": "overdue-payments",
    "title": "Overdue payments",
    "needs": [
        {"level": "REQUIRED", "label": "Invoice", "minCount": 1},
        {
            "level": "REQUIRED",
            "fill": {"label": "Invoice", "property": "dueAt"},
            "minFill": 0.95,
        },
        {"level": "REQUIRED", "feature": "invoice-reminders"},
        {"level": "ADVISORY", "signal": "integration_health", "category": "payment"},
    ],
}


def starter() -> dict[str, str]:
    """The starter specs by their file."""
    folder = Path(settings.BASE_DIR) / "specs" / "starter"
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json"))}


def put_in_force(*, now: datetime) -> None:
    """The starter specs that nobody has put in force or written yet."""
    known = set(Spec.objects.values_list("id", flat=True))
    new = {file: text for file, text in starter().items() if json.loads(text)["id"] not in known}
    if new:
        loading.load(new, now=now - IN_FORCE_FOR)


def write(*, now: datetime) -> None:
    """A second version of a spec handed in for review, and a draft of another one."""
    author = User.objects.get(username=REVIEWER)
    if not Spec.objects.filter(id=_DRAFT["id"]).exists():
        reviewing.save_draft(document=_DRAFT, author=author, now=now - timedelta(hours=20))
    spec = Spec.objects.get(id=IN_REVIEW)
    if spec.active is None or spec.versions.count() > 1:
        return
    document = {**spec.active.said, "needs": [dict(need) for need in spec.active.said["needs"]]}
    document["needs"][1]["minCoverage"] = 0.9
    document["needs"].append(
        {"level": "IMPROVES", "fill": {"label": "Order", "property": "shipRegion"}, "minFill": 0.8}
    )
    draft = reviewing.save_draft(document=document, author=author, now=now - timedelta(days=2))
    reviewing.submit(draft, now=now - timedelta(days=1))
