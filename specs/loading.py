"""Specs loaded by an operator: in force at once, all of them or none."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from facts import canonical
from facts.giving_way import once_more
from specs.documents import parse
from specs.errors import BadSpec, Fault
from specs.models import Spec, SpecVersion
from specs.reviewing import graph, new_version, put_in_force
from specs.validation import faults_of, features_of


@once_more
@transaction.atomic
def load(texts: Mapping[str, str], *, now: datetime) -> list[SpecVersion]:
    """Put documents in force; the keys of ``texts`` say where each one is from.

    They may need one another's features. A document that says what is in force already makes no
    new version. Raises BadSpec with the faults of all of them; nothing is changed then.
    """
    Spec.lock()
    documents = _sound(texts)
    active = {version.spec_id: version for version in SpecVersion.objects.active()}
    return [
        active[document["id"]]
        if document["id"] in active and _same(document, active[document["id"]].document)
        else _put(document, now=now)
        for document in documents
    ]


def _put(document: dict[str, Any], *, now: datetime) -> SpecVersion:
    spec, _ = Spec.objects.get_or_create(id=document["id"], defaults={"created_at": now})
    version = new_version(spec, document, author=None, now=now)
    put_in_force(version, now=now)
    return version


def _sound(texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The documents, if there is nothing wrong with any of them. Raises BadSpec."""
    documents: dict[str, Any] = {}
    faults: list[Fault] = []
    for source, text in texts.items():
        try:
            documents[source] = parse(text)
        except BadSpec as refusal:
            faults += [replace(fault, source=source) for fault in refusal.faults]
    others = graph()
    sources: dict[str, str] = {}
    for source, document in documents.items():
        spec_id = document.get("id") if isinstance(document, dict) else None
        if not isinstance(spec_id, str):
            continue
        if (first := sources.setdefault(spec_id, source)) != source:
            faults.append(Fault("/id", f"is the id of {first} too", source))
        others[spec_id] = features_of(document)
    for source, document in documents.items():
        faults += [replace(fault, source=source) for fault in faults_of(document, others=others)]
    if faults:
        raise BadSpec(faults)
    return list(documents.values())


def _same(one: Any, other: Any) -> bool:
    return canonical.digest(one) == canonical.digest(other)
