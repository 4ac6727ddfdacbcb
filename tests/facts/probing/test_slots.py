"""No more probes read a source at once than it allows, whatever process they run in."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from facts.models import Account, Check, Source
from facts.probing import run_check
from facts.probing.slots import slot_of
from tests.facts.probing.databases import url_of

_HOLDS_A_SLOT = """
import sys, psycopg
with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    name = f"ken source {sys.argv[2]} slot 0"
    connection.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [name])
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def source(transactional_db: None) -> Source:
    account = Account.objects.create(external_id="acme")
    return Source.objects.create(account=account, encrypted_url="?", concurrency=2)


def _elsewhere(source: Source, *, wait: bool) -> list[bool]:
    """Whether another connection gets a slot."""
    got: list[bool] = []

    def ask() -> None:
        with slot_of(source, wait=wait) as is_free:
            got.append(is_free)
        connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return got


def test_there_are_as_many_slots_as_the_source_says(source: Source) -> None:
    with slot_of(source, wait=False) as first:
        assert first
        assert _elsewhere(source, wait=False) == [True]
        source.concurrency = 1
        assert _elsewhere(source, wait=False) == [False]
    assert _elsewhere(source, wait=False) == [True]


def test_another_sources_slots_are_its_own(source: Source) -> None:
    other = Source.objects.create(account=source.account, name="crm", encrypted_url="?")
    source.concurrency = 1
    with slot_of(source, wait=False):
        assert _elsewhere(other, wait=False) == [True]


def test_a_slot_held_by_another_process_is_respected_and_freed_by_its_death(
    source: Source, tmp_path: Path
) -> None:
    Source.objects.update(concurrency=1)
    check = Check.objects.create(account=source.account, source=source, kind="catalogue")
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            _HOLDS_A_SLOT,
            url_of(connection.settings_dict["NAME"]),
            str(source.pk),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stdout.readline() == b"held\n"
    outcome = run_check(Check.objects.get(pk=check.pk), now=timezone.now())
    assert outcome.is_busy
    process.kill()
    process.communicate()
    with slot_of(Source.objects.get(), wait=True) as is_free:
        assert is_free
